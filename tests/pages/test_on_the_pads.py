"""What stands on the pads besides the answers: Families in their places, what a group does, and the way to the chances."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import pytest
from flask import Flask, render_template_string
from flask.testing import FlaskClient

from service import play_kept, play_records
from service.forms import ChangeField, Changes, FormOption, Group, Number, One, YesNo
from service.pages import conversation, looking, pads, walks, words
from service.pages.walks import Given, Pad
from service.terms import LANGUAGES
from tests.browser.tables import Table
from tests.pages.browser import Browser
from tests.pages.test_every_pad import PAD
from tests.pages.test_here import RAID, moved
from tests.pages.test_tables import begun

HOPI = Group(key="hopi-land", text="Hopi Land")


def options(*of: str) -> list[FormOption]:
    groups = [Group(key=one, text=one) for one in of]
    return [FormOption(value=n, text=f"Area {n}", short=f"#{n}", groups=groups) for n in (1, 2)]


def test_what_all_options_do_is_said_beside_whom_it_concerns() -> None:
    found = options("Family D", "Harass")
    assert [name for name, _ in pads.grouped(found, One(options=found))] == ["Family D · Harass"]
    two = [*found, *options("Family D", "Evade")]
    assert [name for name, _ in pads.grouped(two, One(options=two))] == ["Family D"]


def test_families_stand_in_their_places(app: Flask) -> None:
    table = Table(app).play_until("enemy-raid-player-reaction")
    found = looking.families(play_kept.find(app.extensions["ruleglot-plays"].store, table.id).position)
    assert found["hopi-land-4"] == "D"
    places = [
        FormOption(value="hopi-land-4", text="Hopi Land #4", short="エリア#4", groups=[HOPI]),
        FormOption(value="hopi-land-caught", text="Caught Box of Hopi Land", short="Caught", groups=[HOPI]),
    ]
    say = words.sayer("en")
    with app.test_request_context():
        pad = Pad(kind="places", form=One(options=places, of="place"), options=places)
        shown = render_template_string(PAD, pad=pad, say=say, **pads.helpers("en", say, found))
    assert ">4<i>D</i></button>" in shown
    assert 'class="box">Caught</button>' in shown


@pytest.mark.parametrize("lang", LANGUAGES)
def test_chances_are_one_tap_from_a_decision(app: Flask, lang: str) -> None:
    browser = begun(app, position=RAID, lang=lang)
    assert f"/play/{browser.play}/odds" in [link["href"] for link in browser.screen.links]
    assert any((link["href"] or "").endswith("/chart#here") for link in browser.screen.links)


def test_no_chances_are_offered_where_no_answer_leads_to_a_die(app: Flask) -> None:
    table = Table(app).play_until("enemy-raid-player-reaction")
    screen = Browser(app.test_client()).open(f"/play/{table.id}")
    assert not [link for link in screen.links if "/odds" in (link["href"] or "")], "to harass needs none"


def test_a_fact_that_is_missing_is_no_outcome(app: Flask) -> None:
    family = {**RAID["families"]["C"], "ferocity": None}
    untold = {key: value for key, value in family.items() if value is not None}
    browser = begun(app, position={**RAID, "families": {"C": untold}})
    screen = browser.open(f'/play/{browser.play}/odds?choose={{"kind":"evade","family":"C"}}')
    rows = re.findall(r'<th scope="row">([^<]*)', screen.text)
    assert rows
    assert not [one for one in rows if "Ferocity" in one]
    assert "something has to be known: What is the Ferocity of Family C?" in " ".join(screen.words.split())


def test_the_list_of_operations_fits_a_phone(client: FlaskClient) -> None:
    page = client.get("/docs/").get_data(as_text=True)
    assert len(re.findall(r'<meta name="viewport" content="width=device-width', page)) == 1


def test_a_button_stands_under_no_heading_of_the_same_words() -> None:
    groups = {one: [Group(key=one, text=one)] for one in ("Ambush", "Evade")}
    found = [
        FormOption(value=one, text=f"{one}: something is not known", short=one, groups=groups[one])
        for one in groups
    ]
    (((heading, ((_, shown),))),) = pads.grouped(found, One(options=found))
    assert (heading, [pads.label(one, heading) for one in shown]) == ("", ["Ambush", "Evade"])
    both = [*found, FormOption(value="C", text="C evades", short="C", groups=groups["Evade"])]
    assert [name for name, _ in pads.grouped(both, One(options=both))] == ["Ambush", "Evade"]


def test_no_line_of_a_button_begins_with_a_dot() -> None:
    assert pads.label(FormOption(value=1, text="Imperium · Military"), "") == "Imperium\u00a0· Military"


def test_a_list_that_is_empty_offers_first_to_add_something(app: Flask) -> None:
    browser = Browser(app.test_client())
    browser.begin(scenario="14.1")
    for answer in ("shiprock-2", 1, "san-juan-valley-2", 1, "canyon-de-chelly-2", 1):
        browser.answer(answer)
    assert re.search(r'class="main" name="answer" value=\'{"more":true}\'', browser.screen.text)
    assert not re.search(r'class="main" name="answer" value=\'{"done":true}\'', browser.screen.text)


def said(*kinds: str) -> list[Any]:
    """Events of these kinds, each with its place."""
    names = {"news": "raid-one-placed", "detail": "raid-direction"}
    return [SimpleNamespace(name=names[kind], place=place) for place, kind in enumerate(kinds)]


def test_what_happened_is_told_in_its_order_and_details_are_folded_before_news() -> None:
    few = said("detail", "news", "detail", "news")
    assert conversation.apart(few) == (few, [])
    many = said("news", "detail", "detail", "news", "news", "detail", "news", "detail")
    shown, folded = conversation.apart(many)
    assert [one.place for one in shown] == [4, 6, 7], "the newest news, and how it ended"
    assert [one.place for one in folded] == [0, 1, 2, 3, 5]


def test_what_was_told_with_an_answer_is_not_among_its_changes(app: Flask) -> None:
    browser = begun(app, position={**RAID, "tracks": {}})
    play, store = browser.play, app.extensions["ruleglot-plays"].store
    facts = {"/tracks/ap": 3, "/tracks/enemy_ferocity": 2}
    moved(app, play, {"tell": facts})
    browser.open(f"/play/{play}")
    assert "Noted: Action Points: 3" in browser.screen.words
    assert "changes" not in browser.screen.text
    last = play_records.last_move(store, play_kept.find(store, play), "en")
    assert last is not None
    assert not {one.pointer for one in last["changes"]} & facts.keys()


def test_by_how_much_something_changed_is_said_with_a_sign_and_listed(app: Flask) -> None:
    family = One(options=[FormOption(value="C", text="Family C")])
    fields = [
        ChangeField(key="/tracks/culture", text="Culture", form=Number(least=-20, most=20), writes="by"),
        ChangeField(key="/families/{}/man", text="man", form=YesNo(), writes="to", among=family),
    ]
    form, say = Changes(fields=fields, options=[]), words.sayer("en")
    steps = [{"open": True}, "/tracks/culture"]

    def shown() -> str:
        pad = walks.walk(form, steps)
        return render_template_string(PAD, pad=pad, say=say, **pads.helpers("en", say))

    with app.test_request_context():
        assert "By how much?" in shown()
        assert '<button name="answer" value="-1">\u22121</button>' in shown()
        assert '<button name="answer" value="3">+3</button>' in shown()
        assert 'value="0"' not in shown()
        steps += [-1]
        assert "<li>Culture \u22121</li>" in shown()
        steps += [{"open": True}, "/families/{}/man", "C", False]
        assert "<li>Family C · man → no</li>" in shown()
    given = walks.walk(form, [*steps, {"done": True}])
    changes = [{"pointer": "/tracks/culture", "by": -1}, {"pointer": "/families/C/man", "to": False}]
    assert given == Given({"changes": changes})
