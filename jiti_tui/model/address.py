"""Where a model is: whether an address is of this machine or its private network."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit


def is_local(base_url: str) -> bool:
    """Whether `base_url` names this machine or a private address: nobody there asks for money or gets a key abroad.

    A name other than localhost is not looked up: it is not local.
    """
    host = urlsplit(base_url).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return address.is_loopback or address.is_private
