"""`jiti-tui prompt`: what a model would be sent, word for word."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from fakes.provider import KEY, Provider, schema_complaint

Jiti = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def environment(environment: dict[str, str], provider: Provider) -> dict[str, str]:
    return environment | {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": provider.base_url}


def test_what_is_printed_is_what_is_sent(sales_tax: Path, provider: Provider, jiti: Jiti) -> None:
    printed = jiti("prompt", sales_tax, "--json")
    assert printed.returncode == 0
    body = json.loads(printed.stdout)
    assert schema_complaint(body["text"]["format"]["schema"]) is None
    provider.script(provider.error(401))
    assert jiti("run", sales_tax, "--unsandboxed").returncode == 4
    assert provider.requests == [body]
    text = jiti("prompt", sales_tax).stdout
    assert text == f"{body['instructions']}\n{body['input']}"
    assert KEY not in printed.stdout


def test_the_next_request_is_the_one_that_is_asked_for(sales_tax: Path, jiti: Jiti) -> None:
    assert jiti("run", sales_tax, "--proposer", "replay", "--unsandboxed").returncode == 0
    text = jiti("prompt", sales_tax).stdout
    assert "Use different rates for food and non-food items." in text
    assert "Revision 3, generation 8." in text
    assert "goal passes: food total is 102.00" in text


def test_the_chat_api_has_a_body_of_its_own(sales_tax: Path, jiti: Jiti) -> None:
    toml = sales_tax / "world.toml"
    toml.write_text(toml.read_text() + '\n[model]\napi = "chat"\nbase_url = "http://127.0.0.1:9/v1"\n')
    body = json.loads(jiti("prompt", sales_tax, "--json").stdout)
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert schema_complaint(body["response_format"]["json_schema"]["schema"]) is None


def test_base_code_is_named(sales_tax: Path, jiti: Jiti) -> None:
    (sales_tax / "base.lisp").write_text(
        """(defpackage #:lib (:use #:cl) (:export #:floor-price))
(in-package #:lib)
(defun floor-price (price) "The lowest price." (* 1/2 price))
(defun hidden () 1)
(defpackage #:sales-tax (:use #:cl))
(in-package #:sales-tax)
(defstruct item name)
(defun sales-tax (price) price)
"""
    )
    text = (sales_tax / "world.toml").read_text()
    (sales_tax / "world.toml").write_text('load = ["base.lisp"]\n' + text)
    shown = jiti("prompt", sales_tax).stdout.split("# Base code")[1].split("# Definitions")[0]
    assert "structure (item name)" in shown
    assert "function (sales-tax price)" in shown
    assert "function (lib:floor-price lib::price) | The lowest price." in shown
    assert "hidden" not in shown
    assert jiti("run", sales_tax, "--proposer", "replay").returncode == 0
    shown = jiti("prompt", sales_tax).stdout.split("# Base code")[1].split("# Definitions")[0]
    assert "function (sales-tax price)" not in shown
    assert "lib:floor-price" in shown
