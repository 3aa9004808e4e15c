"""Starts the command line."""

from __future__ import annotations

import os
import subprocess
from typing import Sequence


class AssizeError(Exception):
    """A mistake in the profile, the data or the call, with the message of the command line."""


def run(arguments: Sequence[str]) -> str:
    """Runs a command, and returns its output. Raises AssizeError with its message if it fails."""
    found = start(arguments)
    if found.returncode != 0:
        raise failure(arguments[0], found.returncode, found.stderr)
    return found.stdout


def start(arguments: Sequence[str]) -> "subprocess.CompletedProcess[str]":
    """Runs a command. Raises AssizeError if it does not start."""
    try:
        return subprocess.run(arguments, capture_output=True, encoding="utf-8", check=False)
    except OSError as error:
        raise missing(arguments[0], error) from error


def failure(name: str, code: int, message: str) -> AssizeError:
    if "npm error code E404" in message or "could not determine executable" in message:
        return AssizeError(
            f"npx finds no assize in {os.getcwd()} on {os.uname().nodename}: "
            "run npm install assize there, or pass command=[…]"
        )
    return AssizeError(message.strip() or f"{name} ended with {code}")


def missing(name: str, error: OSError) -> AssizeError:
    host = os.uname().nodename
    return AssizeError(
        f"{name} does not start on {host}: {error.strerror}. "
        "Install Node.js 20, assize and apache-arrow there, or pass command=[…]"
    )
