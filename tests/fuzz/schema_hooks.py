"""Which of the requests that schemathesis makes from the contract are put in one run, and about which play.

What can be asked about plays is asked about one that is there, by who may change it; an id made up gives only 404.
"""

from __future__ import annotations

import os
from typing import Any

import requests
import schemathesis
from schemathesis import GenerationMode
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation.meta import TestPhase

from service.gunicorn_conf import limit_request_line
from tests.fuzz.slices import Slice

PLAY, KEY = os.environ.get("RULEGLOT_FUZZ_PLAY", " ").split(" ")
LONGEST = limit_request_line - len("OPTIONS  HTTP/1.1\r\n")

_slice = Slice(int(os.environ.get("RULEGLOT_FUZZ_SEED", "0")))
_version = {"If-Match": '"1"'}


@schemathesis.hook
def filter_case(_context: Any, case: Any) -> bool:
    """Is this case one of this run?"""
    phase = case.meta.phase
    if phase.name is TestPhase.COVERAGE and phase.data.parameter_location is ParameterLocation.BODY:
        return _slice.takes(case.operation.label)
    return _reaches_an_operation(case)


def _reaches_an_operation(case: Any) -> bool:
    """A longer address gunicorn refuses (414), as the contract's introduction says; test_hardening.py tries that."""
    address = requests.Request("GET", f"http://localhost{case.formatted_path}", params=case.query).prepare()
    return len(address.path_url) < LONGEST


@schemathesis.hook
def before_call(_context: Any, case: Any, _kwargs: Any) -> None:
    """Let a case whose id and headers fit be about the play that is there, at its version."""
    meant = (case.meta.components.get(where) for where in (ParameterLocation.PATH, ParameterLocation.HEADER))
    if (
        not PLAY
        or "{play}" not in case.operation.path
        or case.method.upper() == "DELETE"
        or any(part is not None and part.mode is GenerationMode.NEGATIVE for part in meant)
    ):
        return
    case.path_parameters["play"] = PLAY
    case.headers = {**(case.headers or {}), "Authorization": f"Bearer {KEY}", **_version}


@schemathesis.hook
def after_call(_context: Any, case: Any, response: Any) -> None:
    """Remember the version of the play."""
    about = (case.path_parameters or {}).get("play")
    if PLAY and about == PLAY and response.headers.get("etag"):
        _version["If-Match"] = response.headers["etag"][0]
