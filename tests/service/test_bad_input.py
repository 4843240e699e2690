"""Bad input gets a clear error and nothing else: a 4xx problem in the reader's language, never a 500.

Duplicate keys are the one thing that is not refused: as with nearly every JSON reader the last one counts,
because looking for them would cost every honest request 4 % (RFC 8259 leaves it open).
"""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.serving import WSGIRequestHandler
from werkzeug.serving import make_server as make_werkzeug_server
from werkzeug.test import TestResponse

from service.app import create_app
from service.bodies import MOST_INPUTS
from service.config import MOST_BYTES
from service.errors import ERRORS
from service.plain_json import MOST_NESTED
from service.problems import PROBLEMS
from tests.service.sent import (
    AMBUSH,
    CHECK,
    EVADE,
    FULL,
    LANGUAGES,
    Path,
    places,
    pointer,
    put,
    without,
    written,
)

JSON = "application/json"
DEEP = "[" * 1000 + "]" * 1000
DIGITS = "9" * 5000


def send(client: FlaskClient, body: bytes | str, lang: str = "en", kind: str = JSON) -> TestResponse:
    return client.post(CHECK, data=body, content_type=kind, headers={"Accept-Language": lang})


def problem(response: TestResponse, lang: str = "en") -> dict[str, Any]:
    """The body of a failure, once it is sure that it has the right form."""
    assert 400 <= response.status_code < 500, response.get_data(as_text=True)
    assert response.content_type == "application/problem+json"
    assert response.headers["Content-Language"] == lang
    assert response.headers["Vary"] == "Accept-Language"
    body: dict[str, Any] = response.get_json()
    assert list(body) == ["type", "title", "status", "detail", "code", "errors", "lang"]
    assert body["status"] == response.status_code == PROBLEMS[body["code"]][0]
    assert body["lang"] == lang
    assert body["type"] == f"urn:ruleglot:problem:{body['code']}"
    for error in body["errors"]:
        assert list(error) == ["pointer", "code", "detail"]
        assert error["code"] in ERRORS or error["code"] == body["code"]
        assert error["pointer"] == "" or error["pointer"].startswith("/")
        assert error["detail"] in body["detail"]
    for text in (body["title"], body["detail"], *(error["detail"] for error in body["errors"])):
        assert text
        assert "  " not in text
        assert "Expected: ." not in text
    return body


def refused(
    client: FlaskClient, body: bytes | str, code: str, where: str | None, name: str = "unreadable"
) -> None:
    """This body is refused with this code at this place, in all four languages, each in its own words."""
    said = set()
    for lang in LANGUAGES:
        found = problem(send(client, body, lang), lang)
        assert found["code"] == name
        if where is not None:
            assert (code, where) in {(error["code"], error["pointer"]) for error in found["errors"]}
        assert "%(" not in found["detail"]
        said.add(found["detail"])
    assert len(said) == len(LANGUAGES), said


def unworded(request: dict[str, Any]) -> dict[str, Any]:
    """The request without its language, so that the header decides."""
    return {key: value for key, value in request.items() if key != "lang"}


# -- the list of issue 2, and more -------------------------------------------------------------------

NOT_JSON = {
    "empty": "",
    "blank": "  \n",
    "words": "ambush with C",
    "cut off": json.dumps(AMBUSH)[:-1],
    "more behind": json.dumps(AMBUSH) + "}",
    "two": json.dumps(AMBUSH) * 2,
    "trailing comma": '{"position": {}, }',
    "single quotes": "{'position': {}}",
    "comment": '{"position": {} /* empty */}',
    "leading zero": json.dumps(AMBUSH).replace('"ap": 1', '"ap": 01'),
    "a line break in a text": json.dumps(AMBUSH).replace("mexican", "mexi\ncan"),
    "unclosed lists": "[" * 50,
    "byte order mark": b"\xef\xbb\xbf" + json.dumps(AMBUSH).encode(),
    "UTF-16": json.dumps(AMBUSH).encode("utf-16"),
    "a zero byte behind": json.dumps(AMBUSH).encode() + b"\0",
}


@pytest.mark.parametrize("body", [body for name, body in NOT_JSON.items() if name != "empty"])
def test_what_is_not_json(client: FlaskClient, body: bytes | str) -> None:
    refused(client, body, "not-json", "", "not-json")


def test_lists_that_are_never_closed_are_too_deep_first(client: FlaskClient) -> None:
    refused(client, "[" * 5_000, "too-deep", "", "too-deep")
    refused(client, "[" * 501 + "oops" + "]" * 501, "too-deep", "", "too-deep")


@pytest.mark.parametrize("body", ["[" * 500, '{"note": "' + "[" * 5_000 + r'\"[", }', "[]" * 600, "]" * 600])
def test_what_is_no_json_is_not_called_too_deep(client: FlaskClient, body: str) -> None:
    refused(client, body, "not-json", "", "not-json")


@pytest.mark.parametrize("body", [[], [AMBUSH], "ambush", 3, 2.5, True, None])
def test_json_that_is_no_object(client: FlaskClient, body: Any) -> None:
    refused(client, json.dumps(body), "wrong-type", "")


TYPES: list[tuple[Path, Any, str, str]] = [
    # where, what is sent there, code, pointer
    (("position",), [], "wrong-type", "/position"),
    (("position",), "here", "wrong-type", "/position"),
    (("action",), "ambush", "wrong-type", "/action"),
    (("action",), {}, "missing-field", "/action/kind"),
    (("action",), {"kind": "ambush"}, "missing-field", "/action/family"),
    (("action", "kind"), "fly", "unknown-value", "/action/kind"),
    (("action", "kind"), 3, "wrong-type", "/action/kind"),
    (("action", "family"), "Z", "unknown-value", "/action/family"),
    (("action", "family"), ["C"], "wrong-type", "/action/family"),
    (("action", "horse"), 1, "wrong-type", "/action/horse"),
    (("inputs",), {}, "wrong-type", "/inputs"),
    (("inputs",), "none", "wrong-type", "/inputs"),
    (("inputs",), [3], "wrong-type", "/inputs/0"),
    (("inputs",), [{"die": "4"}], "wrong-type", "/inputs/0/die"),
    (("inputs",), [{"die": 4.5}], "wrong-type", "/inputs/0/die"),
    (("inputs",), [{"die": True}], "wrong-type", "/inputs/0/die"),
    (("inputs",), [{"die": 4}, {"dice": [3, "5"]}], "wrong-type", "/inputs/1/dice/1"),
    (("inputs",), [{}], "not-one-answer", "/inputs/0"),
    (("inputs",), [{"die": 1, "cube": "red"}], "not-one-answer", "/inputs/0"),
    (("inputs",), [{"die": 1}] * (MOST_INPUTS + 1), "too-many", "/inputs"),
    (("choices",), [], "wrong-type", "/choices"),
    (("choices",), {"C07": 1}, "wrong-type", "/choices/C07"),
    (("choices",), {"ambush-ap-cost": None}, "wrong-type", "/choices/ambush-ap-cost"),
    (("choices",), {"C07": "two-ap"}, "unknown-choice", "/choices/C07"),
    (("choices",), {"who-wins": "me"}, "unknown-issue", "/choices/who-wins"),
    (("components",), [], "wrong-type", "/components"),
    (("components", "area_values"), {"shiprock-1": 10}, "out-of-range", "/components/area_values/shiprock-1"),
    (("components", "area_values"), {"mars-1": 1}, "unknown-name", "/components/area_values/mars-1"),
    (("components", "connections"), [["shiprock-1"]], "out-of-range", "/components/connections/0"),
    (("components", "connections"), [["shiprock-1"] * 3], "out-of-range", "/components/connections/0"),
    (("components", "connections"), [["santa-fe", "mars-1"]], "unknown-value", "/components/connections/0/1"),
    (
        ("components", "battle_table"),
        {"rows": [{"results": {"1": "FV"}}, {"results": {"2": "XX"}}]},
        "unknown-value",
        "/components/battle_table/rows/1/results/2",
    ),
    (
        ("components", "battle_table"),
        {"rows": [{"results": {"9": "FV"}}]},
        "unknown-name",
        "/components/battle_table/rows/0/results/9",
    ),
    (
        ("components", "counter_limits"),
        {"x" * 41: 1},
        "out-of-range",
        f"/components/counter_limits/{'x' * 41}",
    ),
    (("position", "period"), "roman", "unknown-value", "/position/period"),
    (("position", "families"), ["C"], "wrong-type", "/position/families"),
    (("position", "families", "Z"), {}, "unknown-name", "/position/families/Z"),
    (("position", "families", "C", "at"), "mars-1", "unknown-value", "/position/families/C/at"),
    (("position", "families", "C", "man"), 1, "wrong-type", "/position/families/C/man"),
    (("position", "areas", "shiprock-9"), {}, "unknown-name", "/position/areas/shiprock-9"),
    (("position", "areas", "shiprock-4"), 1, "wrong-type", "/position/areas/shiprock-4"),
    (("position", "areas", "shiprock-5"), {"raid": -1}, "out-of-range", "/position/areas/shiprock-5/raid"),
    (
        ("position", "areas", "shiprock-5"),
        {"fort": "knox"},
        "unknown-value",
        "/position/areas/shiprock-5/fort",
    ),
    (("position", "territories"), {"mars": {}}, "unknown-name", "/position/territories/mars"),
    (("position", "elders"), [1, 2], "out-of-range", "/position/elders"),
    (("position", "elders"), [0] * 8, "out-of-range", "/position/elders"),
    (("position", "elders"), [0] * 6 + [-1], "out-of-range", "/position/elders/6"),
    (("position", "manuelito"), "Z", "unknown-value", "/position/manuelito"),
    (("position", "cards"), {"current": 0}, "out-of-range", "/position/cards/current"),
    (("position", "cards"), {"developments": [{}]}, "missing-field", "/position/cards/developments/0/set"),
    (
        ("position", "cards"),
        {"developments": [{"set": "", "level": 1}]},
        "out-of-range",
        "/position/cards/developments/0/set",
    ),
    (
        ("position", "instructions"),
        {"active": [None] * 5 + [{"name": "x"}]},
        "unknown-value",
        "/position/instructions/active/5/name",
    ),
    (("position", "instructions"), {"active": []}, "out-of-range", "/position/instructions/active"),
    (("position", "agenda"), [{}], "missing-field", "/position/agenda/0/procedure"),
    (
        ("position", "agenda"),
        [{"procedure": "war", "step": "x"}],
        "unknown-procedure",
        "/position/agenda/0/procedure",
    ),
    (
        ("position", "agenda"),
        [{"procedure": "evade", "step": "x"}],
        "unknown-step",
        "/position/agenda/0/step",
    ),
    (("lang",), "de", "unknown-language", "/lang"),
    (("lang",), "", "unknown-language", "/lang"),
    (("lang",), "FR", "unknown-language", "/lang"),
    (("lang",), 3, "unknown-language", "/lang"),
    (("lang",), ["fr"], "unknown-language", "/lang"),
]


@pytest.mark.parametrize(("path", "value", "code", "where"), TYPES)
def test_what_does_not_fit_is_named_with_its_place(
    client: FlaskClient, path: Path, value: Any, code: str, where: str
) -> None:
    refused(client, json.dumps(put(AMBUSH, path, value)), code, where)


@pytest.mark.parametrize("field", ["position", "action"])
def test_a_field_that_is_needed(client: FlaskClient, field: str) -> None:
    refused(client, json.dumps(without(AMBUSH, (field,))), "missing-field", f"/{field}")


def test_everything_wrong_with_the_envelope_is_said_at_once(client: FlaskClient) -> None:
    body = {"inputs": 3, "spam": 1, "lang": "xx"}
    found = problem(send(client, json.dumps(body)))
    assert {(error["pointer"], error["code"]) for error in found["errors"]} == {
        ("/position", "missing-field"),
        ("/action", "missing-field"),
        ("/inputs", "wrong-type"),
        ("/spam", "unknown-field"),
        ("/lang", "unknown-language"),
    }


# -- in every place ----------------------------------------------------------------------------------

EVERYWHERE = list(places(unworded(FULL)))
# What the engine reads as it comes, so that the question decides whether it fits.
OPEN = {("inputs", 4, "choose"), ("inputs", 5, "read")}
# Counters have names that no list knows.
FREE_NAMES = {("components", "counter_limits")}
# Where there can be none of a thing.
NONE_IS_POSSIBLE = {
    ("position", "families", "C", "at"),  # it is not in play
    ("position", "manuelito"),
    ("position", "areas", "shiprock-4", "fort"),
    ("position", "instructions", "active", 5),
    ("position", "instructions", "active", 5, "back"),
    ("position", "activation"),
    ("position", "activation", "family"),
    ("position", "operation", "kind"),
    ("position", "cards", "current"),
    ("position", "outcome"),
}
MEMORY: Path = ("position", "agenda", 0, "memory")


def under(path: Path, *above: Path) -> bool:
    return any(path[: len(place)] == place for place in above)


OBJECTS = [path for path, value in EVERYWHERE if isinstance(value, dict)]
CLOSED = [path for path in OBJECTS if path not in FREE_NAMES and not under(path, *OPEN, MEMORY, ("choices",))]


@pytest.mark.parametrize("path", CLOSED, ids=pointer)
@pytest.mark.parametrize("key", ["spam", "a/b~c", "", "a.b[0]`$.x` - at `$.y`"])
def test_an_unknown_field_at_each_level(client: FlaskClient, path: Path, key: str) -> None:
    found = problem(send(client, json.dumps(put(unworded(FULL), (*path, key), 1))))
    (error,) = found["errors"]
    assert error["pointer"] == pointer((*path, key))
    assert error["code"] in ("unknown-field", "unknown-name")
    assert f"“{key}”" in error["detail"]


def test_an_unknown_field_is_said_in_every_language(client: FlaskClient) -> None:
    refused(client, json.dumps({**AMBUSH, "spam": 1}), "unknown-field", "/spam")
    refused(client, json.dumps(put(AMBUSH, ("position", "spam"), 1)), "unknown-field", "/position/spam")


def test_an_unknown_issue_with_a_slash_in_its_name(client: FlaskClient) -> None:
    refused(client, json.dumps({**AMBUSH, "choices": {"a/b~c": "x"}}), "unknown-issue", "/choices/a~1b~0c")


MEMORIES = [
    ({"spam": 1}, "unknown-field", "/spam"),
    ({"family": "Z"}, "unknown-value", "/family"),
    ({"family": None}, "wrong-type", "/family"),
    (None, "wrong-type", ""),
    (3, "wrong-type", ""),
]


@pytest.mark.parametrize(("memory", "code", "where"), MEMORIES)
def test_a_memory_that_does_not_fit(client: FlaskClient, memory: Any, code: str, where: str) -> None:
    for lang in LANGUAGES:
        found = problem(send(client, json.dumps(put(unworded(FULL), MEMORY, memory)), lang), lang)
        assert found["errors"][0]["pointer"].startswith("/position/agenda/0/memory")


@pytest.mark.parametrize(("memory", "code", "where"), MEMORIES)
def test_what_does_not_fit_in_a_memory_is_named_with_its_place(
    client: FlaskClient, memory: Any, code: str, where: str
) -> None:
    body = json.dumps(put(unworded(FULL), MEMORY, memory))
    refused(client, body, code, f"/position/agenda/0/memory{where}")


def test_2_0_is_a_whole_number_in_a_memory_too(client: FlaskClient) -> None:
    memory = {"family": "C", "total": 7.0}
    assert send(client, json.dumps(put(unworded(FULL), MEMORY, memory))).status_code == 200


@pytest.mark.parametrize(
    "path",
    [path for path, value in EVERYWHERE if path and value is not None and not under(path, *OPEN, MEMORY)],
    ids=pointer,
)
def test_null_where_something_must_be(client: FlaskClient, path: Path) -> None:
    """Null says that there is none; where there is no such thing as none, it is refused."""
    response = send(client, json.dumps(put(unworded(FULL), path, None)))
    if path in NONE_IS_POSSIBLE:
        assert response.status_code == 200
        return
    (error,) = problem(response)["errors"]
    assert (error["code"], error["pointer"]) == ("wrong-type", pointer(path))


def test_null_is_no_language(client: FlaskClient) -> None:
    refused(client, json.dumps({**AMBUSH, "lang": None}), "unknown-language", "/lang")


@pytest.mark.parametrize("path", [path for path, _ in EVERYWHERE if path], ids=pointer)
def test_a_1000_deep_list_in_each_place(client: FlaskClient, path: Path) -> None:
    body = written(put(unworded(FULL), path, "RAW"), DEEP)
    found = problem(send(client, body))
    assert found["code"] == "too-deep"
    assert str(MOST_NESTED) in found["detail"]


@pytest.mark.parametrize("depth", [999, 1_001, 20_000])
@pytest.mark.parametrize("shape", ['{"a":', "["])
def test_a_deep_body(client: FlaskClient, depth: int, shape: str) -> None:
    close = "]" if shape == "[" else "}"
    body = (
        (shape * min(depth, 60_000 // (len(shape) + 1)))
        + "1"
        + close * min(depth, 60_000 // (len(shape) + 1))
    )
    assert problem(send(client, body))["code"] == "too-deep"


def test_too_deep_is_said_in_every_language(client: FlaskClient) -> None:
    refused(client, written(put(AMBUSH, ("inputs",), "RAW"), DEEP), "too-deep", "", "too-deep")


@pytest.mark.parametrize("path", [path for path, _ in EVERYWHERE if path], ids=pointer)
@pytest.mark.parametrize(
    "number", [DIGITS, f"-{DIGITS}", "1e999", f"1e{'9' * 30}", f"{DIGITS}.5"], ids=lambda n: n[:6]
)
def test_a_number_beyond_all_bounds_in_each_place(client: FlaskClient, path: Path, number: str) -> None:
    (error,) = problem(send(client, written(put(unworded(FULL), path, "RAW"), number)))["errors"]
    assert (error["code"], error["pointer"]) == ("out-of-range", pointer(path))


def test_a_number_beyond_all_bounds_is_said_in_every_language(client: FlaskClient) -> None:
    path = ("position", "tracks", "ap")
    refused(client, written(put(AMBUSH, path, "RAW"), DIGITS), "out-of-range", "/position/tracks/ap")


@pytest.mark.parametrize("path", [path for path, _ in EVERYWHERE if path], ids=pointer)
@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_what_only_python_calls_a_number_in_each_place(client: FlaskClient, path: Path, number: str) -> None:
    found = problem(send(client, written(put(unworded(FULL), path, "RAW"), number)))
    (error,) = found["errors"]
    assert found["code"] == "not-json"
    assert (error["code"], error["pointer"]) == ("unknown-value", pointer(path))
    assert number in error["detail"]


@pytest.mark.parametrize("path", [path for path, value in EVERYWHERE if isinstance(value, str)], ids=pointer)
@pytest.mark.parametrize("text", ['"\\ud800"', '"a\\udfff"', '"\\ud83dx"'])
def test_a_lone_surrogate_in_each_text(client: FlaskClient, path: Path, text: str) -> None:
    (error,) = problem(send(client, written(put(unworded(FULL), path, "RAW"), text)))["errors"]
    assert (error["code"], error["pointer"]) == ("unknown-value", pointer(path))


@pytest.mark.parametrize("path", [path for path, value in EVERYWHERE if isinstance(value, dict)], ids=pointer)
def test_a_lone_surrogate_in_each_name(client: FlaskClient, path: Path) -> None:
    body = written(put(unworded(FULL), (*path, "RAW"), 1), '"\\ud800"')
    (error,) = problem(send(client, body))["errors"]
    assert (error["code"], error["pointer"]) == ("unknown-name", f"{pointer(path)}/?")


def test_a_lone_surrogate_is_said_in_every_language(client: FlaskClient) -> None:
    body = written(put(AMBUSH, ("position", "period"), "RAW"), '"\\ud800"')
    refused(client, body, "unknown-value", "/position/period")
    assert (
        problem(send(client, written({**AMBUSH, "lang": "RAW"}, '"\\ud800"')))["errors"][0]["pointer"]
        == "/lang"
    )


def test_a_pair_of_surrogates_is_a_letter_like_any_other(client: FlaskClient) -> None:
    body = written(put(AMBUSH, ("position", "period"), "RAW"), '"\\ud83d\\ude00"')
    (error,) = problem(send(client, body))["errors"]
    assert "😀" in error["detail"]


@pytest.mark.parametrize("path", [path for path, value in EVERYWHERE if isinstance(value, str)], ids=pointer)
@pytest.mark.parametrize("bad", [b'"\xff\xfe"', b'"\xc3("', b'"\xe2\x82"'])
def test_bytes_that_are_no_utf_8_in_each_text(client: FlaskClient, path: Path, bad: bytes) -> None:
    body = json.dumps(put(unworded(FULL), path, "RAW")).encode().replace(b'"RAW"', bad)
    assert problem(send(client, body))["code"] == "not-json"


def test_bytes_that_are_no_utf_8_in_a_name(client: FlaskClient) -> None:
    refused(client, json.dumps(AMBUSH).encode().replace(b"families", b"\xff"), "not-json", "", "not-json")
    assert problem(send(client, json.dumps(AMBUSH).encode().replace(b"action", b"\xff")))


# -- numbers -----------------------------------------------------------------------------------------

COUNTS: list[Path] = [
    ("position", "tracks", "ap"),
    ("position", "families", "C", "ferocity"),
    ("position", "areas", "shiprock-4", "raid"),
    ("position", "santa_fe", "raid"),
    ("position", "cards", "current"),
    ("position", "elders", 0),
    ("position", "resources", "corn", 0),
    ("position", "cards", "developments", 0, "level"),
    ("components", "area_values", "shiprock-1"),
    ("inputs", 0, "die"),
    ("inputs", 1, "dice", 0),
]


@pytest.mark.parametrize("path", COUNTS, ids=pointer)
@pytest.mark.parametrize("text", ["2.7", '"2"', '"２"', "true", "[2]", "0.5", "1e-3"])
def test_a_count_is_a_whole_number(client: FlaskClient, path: Path, text: str) -> None:
    (error,) = problem(send(client, written(put(unworded(FULL), path, "RAW"), text)))["errors"]
    may_be_untold = path == ("position", "elders", 0) and text.startswith('"')  # by the text "?"
    code = "unknown-value" if may_be_untold else "wrong-type"
    assert (error["code"], error["pointer"]) == (code, pointer(path))


def test_a_count_of_2_7_is_refused_in_every_language(client: FlaskClient) -> None:
    refused(
        client,
        json.dumps(put(AMBUSH, ("position", "tracks", "ap"), 2.7)),
        "wrong-type",
        "/position/tracks/ap",
    )


@pytest.mark.parametrize("path", COUNTS, ids=pointer)
@pytest.mark.parametrize("text", ["2.0", "2e0", "0.2e1", "20e-1"])
def test_2_0_is_a_whole_number(client: FlaskClient, path: Path, text: str) -> None:
    body = written(put(unworded(FULL), path, "RAW"), text)
    assert send(client, body).status_code == 200


@pytest.mark.parametrize(
    ("path", "number", "allowed"),
    [
        (("position", "tracks", "ap"), -1, "at least 0"),
        (("position", "tracks", "ap"), 20, "at most 19"),
        (("position", "tracks", "ap"), 10**18, "at most 19"),
        (("position", "tracks", "ap"), 10**30, "at most 19"),
        (("position", "families", "C", "ferocity"), 4, "at most 3"),
        (("position", "families", "C", "evasion"), -10, "at least -9"),
        (("position", "families", "C", "evasion"), 10, "at most 9"),
        (("position", "santa_fe"), {"raid": 100}, "at most 99"),
        (("position", "elders"), [0] * 6, "at least 7"),
    ],
)
def test_a_number_out_of_range_is_told_the_range(
    client: FlaskClient, path: Path, number: Any, allowed: str
) -> None:
    body = json.dumps(put(AMBUSH, path, number))
    where = pointer(path) + ("/raid" if isinstance(number, dict) else "")
    refused(client, body, "out-of-range", where)
    assert allowed in problem(send(client, body))["detail"]


@pytest.mark.parametrize("die", [2**53 + 1, 2**63, 2**64, 2**64 + 1, -(2**63) - 1, 10**30, 10**300])
def test_a_die_that_no_computer_number_holds(client: FlaskClient, die: int) -> None:
    body = json.dumps({**EVADE, "inputs": [{"die": die}]})
    refused(client, body, "out-of-range", "/inputs/0/die")


# -- what was sent is repeated as it was, and not too long -------------------------------------------


@pytest.mark.parametrize(
    ("given", "repeated"),
    [
        ("'quoted'", "'quoted'"),
        ('"', '"'),
        ("%(given)s %s 100 %", "%(given)s %s 100 %"),
        ("x - at `$.y`", "x - at `$.y`"),
        ("line\nbreak", "line\nbreak"),
        ("x" * 3000, "x" * 57 + "…"),
        ("獰猛度", "獰猛度"),
        ("\\", "\\"),
    ],
)
def test_an_unknown_value_is_repeated(client: FlaskClient, given: str, repeated: str) -> None:
    (error,) = problem(send(client, json.dumps(put(AMBUSH, ("position", "period"), given))))["errors"]
    assert error["pointer"] == "/position/period"
    assert f"“{repeated}”" in error["detail"]


# -- duplicate keys ----------------------------------------------------------------------------------


def test_of_two_equal_keys_the_last_counts(client: FlaskClient) -> None:
    body = json.dumps(AMBUSH).replace('"ap": 1', '"ap": 1, "ap": 0')
    names = [reason["name"] for reason in send(client, body).get_json()["reasons"]]
    assert names == ["ambush-without-military", "reaction-without-ap"]
    body = json.dumps(AMBUSH)[:-1] + ', "lang": "fr", "lang": "it"}'
    assert send(client, body).get_json()["lang"] == "it"


# -- HTTP --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind",
    [
        "",
        "text/plain",
        "text/json",
        "application/jsonx",
        "application/json-patch+json",
        "application/problem+json",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "json",
    ],
)
def test_a_body_that_is_not_called_json(client: FlaskClient, kind: str) -> None:
    for lang in LANGUAGES:
        found = problem(send(client, json.dumps(AMBUSH), lang, kind), lang)
        assert found["code"] == "unsupported-media-type"
        assert "application/json" in found["detail"]


@pytest.mark.parametrize(
    "kind", ["application/json; charset=utf-8", "Application/JSON", "application/json ;v=1"]
)
def test_a_body_that_is_called_json(client: FlaskClient, kind: str) -> None:
    assert send(client, json.dumps(AMBUSH), kind=kind).status_code == 200


def test_a_body_over_64_kb(client: FlaskClient) -> None:
    body = json.dumps(AMBUSH)
    assert send(client, body + " " * (MOST_BYTES - len(body))).status_code == 200
    too_long = body + " " * (MOST_BYTES - len(body) + 1)
    refused(client, too_long, "too-large", "", "too-large")
    assert "65536" in problem(send(client, too_long))["detail"]


@pytest.mark.parametrize("method", ["GET", "PUT", "PATCH", "DELETE", "HEAD", "TRACE", "BREW"])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_method_that_does_not_fit(client: FlaskClient, method: str, lang: str) -> None:
    response = client.open(CHECK, method=method, headers={"Accept-Language": lang})
    assert response.status_code == 405
    assert response.headers["Allow"] == "OPTIONS, POST"
    assert response.content_type == "application/problem+json"
    if method != "HEAD":
        found = problem(response, lang)
        assert found["code"] == "method-not-allowed"
        assert method in found["detail"]
        assert "POST" in found["detail"]


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/nowhere", "not-found"),
        ("/v1/games/navajo-wars", "not-found"),
        ("/v1/games/navajo-wars/check/", "not-found"),
        ("/v1/games/navajo-wars/cheque", "not-found"),
        ("/v1/games/", "not-found"),
        ("/v1/games/chess/check", "unknown-game"),
        ("/v1/games/chess", "unknown-game"),
        ("/v1/games/%ff%fe/check", "unknown-game"),
        ("/v1/games/Navajo-Wars/actions", "unknown-game"),
        ("/docs/../../etc/passwd", "not-found"),
    ],
)
def test_an_unknown_address(client: FlaskClient, path: str, code: str) -> None:
    said = set()
    for lang in LANGUAGES:
        found = problem(client.get(path, headers={"Accept-Language": lang}), lang)
        assert (found["status"], found["code"]) == (404, code)
        said.add(found["detail"])
    assert len(said) == 4


@pytest.mark.parametrize("path", ["/v1/games", "/v1/games/navajo-wars/actions"])
@pytest.mark.parametrize("lang", ["de", "", "FR", "%ff", "en,fr"])
def test_an_unknown_language_in_a_query(client: FlaskClient, path: str, lang: str) -> None:
    found = problem(client.get(f"{path}?lang={lang}", headers={"Accept-Language": "ja"}), "ja")
    assert [(error["pointer"], error["code"]) for error in found["errors"]] == [("/lang", "unknown-language")]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("path", ["rules/x", "issues/x", "scenarios/x", "charts/x", "terms/x"])
def test_what_there_is_none_of_names_no_part_of_an_address(client: FlaskClient, path: str, lang: str) -> None:
    response = client.get(f"/v1/games/navajo-wars/{path}", headers={"Accept-Language": lang})
    assert "/" not in problem(response, lang)["detail"]


def test_sentences_follow_each_other_as_each_language_sets_them(client: FlaskClient) -> None:
    sent = json.dumps({**EVADE, "spam": 1, "eggs": 2})
    assert "。 " not in problem(send(client, sent, "ja"), "ja")["detail"]
    assert problem(send(client, sent, "fr"), "fr")["detail"].count(". ") > 1


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_failure_is_worded_in_the_language_of_the_body(client: FlaskClient, lang: str) -> None:
    broken = put({**AMBUSH, "lang": lang}, ("position", "tracks", "ap"), 99)
    problem(send(client, json.dumps(broken), "de"), lang)
    problem(send(client, json.dumps({**AMBUSH, "lang": lang}), "de", "text/plain"), lang)
    problem(send(client, written(put(broken, ("position", "tracks", "ap"), "RAW"), "NaN"), "de"), lang)
    problem(send(client, written(put(broken, ("position", "tracks", "ap"), "RAW"), DIGITS), "de"), lang)
    elsewhere = client.post("/nowhere", json={"lang": lang})
    problem(elsewhere, lang)


# -- a real socket -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """A server that hands a body on as it comes, like gunicorn, and not as the test client does."""

    class Handler(WSGIRequestHandler):
        def log(self, *_args: Any) -> None:
            """Keep the tests quiet."""

    server = make_werkzeug_server("127.0.0.1", 0, create_app(), request_handler=Handler)
    running = threading.Thread(target=server.serve_forever, daemon=True)
    running.start()
    yield server.server_port
    server.shutdown()
    running.join(5)


def exchange(port: int, head: str, body: bytes = b"") -> tuple[int, dict[str, Any]]:
    """Bytes out, and the status and body that come back."""
    with closing(socket.create_connection(("127.0.0.1", port), timeout=5)) as wire:
        wire.sendall(head.replace("\n", "\r\n").encode() + b"\r\n" + body)
        wire.shutdown(socket.SHUT_WR)
        answer = b""
        while part := wire.recv(65536):
            answer += part
    top, _, text = answer.partition(b"\r\n\r\n")
    assert b"application/problem+json" in top, answer
    return int(top.split()[1]), json.loads(text)


HEAD = f"POST {CHECK} HTTP/1.1\nHost: x\nConnection: close\nContent-Type: application/json\nAccept-Language: it\n"


def test_no_content_length(port: int) -> None:
    status, found = exchange(port, HEAD, json.dumps(AMBUSH).encode())
    assert (status, found["code"], found["lang"]) == (411, "length-required", "it")
    assert "Content-Length" in found["detail"]


@pytest.mark.parametrize("length", [10, 200_000])
def test_a_body_in_chunks_is_not_cut_silently(port: int, length: int) -> None:
    body = json.dumps(AMBUSH).encode() + b" " * length
    chunks = b"".join(f"{len(part):x}\r\n".encode() + part + b"\r\n" for part in (body[:50], body[50:]))
    status, found = exchange(port, f"{HEAD}Transfer-Encoding: chunked\n", chunks + b"0\r\n\r\n")
    assert (status, found["code"]) == (411, "length-required")


def test_an_empty_body(port: int) -> None:
    status, found = exchange(port, f"{HEAD}Content-Length: 0\n")
    assert (status, found["code"]) == (400, "not-json")


def test_a_body_shorter_than_it_says(port: int) -> None:
    status, _ = exchange(port, f"{HEAD}Content-Length: 5000\n", json.dumps(AMBUSH).encode()[:100])
    assert status == 400


@pytest.mark.parametrize("length", ["-1", "abc", "1e3", "0x10"])
def test_a_content_length_that_is_no_number(port: int, length: str) -> None:
    status, _ = exchange(port, f"{HEAD}Content-Length: {length}\n", json.dumps(AMBUSH).encode())
    assert 400 <= status < 500
