"""Where the kernel's Lisp files are, and which they are."""

from __future__ import annotations

import hashlib
from pathlib import Path

import jiti_tui
from jiti_tui.errors import WorkerError


def lisp_directory() -> Path:
    """Return the folder with the kernel's Lisp files: inside an installed package, beside the package in a checkout.

    Raises `WorkerError` when neither is there.
    """
    package = Path(jiti_tui.__file__).resolve().parent
    for directory in (package / "lisp", package.parent / "lisp"):
        if (directory / "jiti-kernel.asd").is_file():
            return directory
    raise WorkerError(f"The kernel's Lisp files are missing from {package}. Install jiti-tui again.")


def kernel_hash(directory: Path) -> str:
    """Return the SHA-256, in hexadecimal, of the names and contents of the kernel's files in `directory`."""
    digest = hashlib.sha256()
    for path in sorted([*directory.glob("*.lisp"), *directory.glob("*.asd")]):
        content = path.read_bytes()
        digest.update(f"{path.name} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()
