"""An Enemy Raid played with the client that openapi-python-client generates; run by test_python.py."""

import sys

from generated_client import Client
from generated_client.api.navajo_wars import navajo_wars_check
from generated_client.models import (
    Continue,
    InputChoose,
    InputDie,
    InputRead,
    NavajoWarsCheckAnswer,
    NavajoWarsCheckRequest,
    NavajoWarsCheckRequestLang,
    NavajoWarsEnemyRaid,
    NavajoWarsPosition,
)

from tests.clients.raid import TABLE

ANSWERS = [
    InputRead("shiprock-3"),
    InputChoose({"kind": "evade", "family": "C"}),
    InputDie(4),
    InputRead("shiprock-4"),
    InputChoose("none"),
]


def check(position, action, inputs):
    request = NavajoWarsCheckRequest(position, action, inputs, lang=NavajoWarsCheckRequestLang.EN)
    answer = navajo_wars_check.sync(client=client, body=request)
    assert isinstance(answer, NavajoWarsCheckAnswer), answer
    return answer


with Client(sys.argv[1], raise_on_unexpected_status=True) as client:
    said = check(NavajoWarsPosition.from_dict(TABLE), NavajoWarsEnemyRaid("enemy-raid", 1), [])
    for given in ANSWERS:
        print(said.headline)
        assert said.pending.input_.value in given.to_dict()
        said = check(said.position, Continue("continue"), [given])
print(said.headline)
print(said.ruling.value, said.pending, said.position.families["C"].at.value)
