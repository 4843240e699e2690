"""What stands on the pads besides the answers: Families in their places, what a group does, and the way to the chances."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlencode

import pytest
from flask import Flask, render_template_string
from flask.testing import FlaskClient

from engine.game import prepare
from engine.navajo_wars import GAME as NAVAJO_WARS
from engine.navajo_wars.map import AREAS, track
from service import play_kept, play_records
from service.forms import ChangeField, Changes, FormOption, Group, Name, Number, One, YesNo
from service.pages import conversation, pads, tables, walks, words
from service.pages.table import Spot
from service.pages.walks import Given, Pad
from service.several import of_facts
from service.terms import LANGUAGES
from tests.browser.tables import Table
from tests.pages.browser import Browser
from tests.pages.test_every_pad import PAD
from tests.pages.test_here import RAID, moved
from tests.pages.test_tables import begun


def options(*of: str) -> list[FormOption]:
    groups = [Group(key=one, text=one) for one in of]
    return [FormOption(value=n, text=f"Area {n}", short=f"#{n}", groups=groups) for n in (1, 2)]


def test_what_all_options_do_is_said_beside_whom_it_concerns() -> None:
    found = options("Family D", "Harass")
    assert [name for name, _ in pads.grouped(found, One(options=found))] == ["Family D · Harass"]
    two = [*found, *options("Family D", "Evade")]
    assert [name for name, _ in pads.grouped(two, One(options=two))] == ["Family D"]


STANDING: dict[str, Any] = {
    **RAID,
    "families": {**RAID["families"], "D": {**RAID["families"]["C"], "at": "hopi-land-caught"}},
    "areas": {"shiprock-4": {"raid": 1}, "hopi-land-4": {"fort": "fauntleroy", "raid": 2, "corn": True}},
}


def cell(text: str, name: str) -> str:
    """The look and the inside of a place on a pad, by the beginning of what it is called."""
    found = re.search(rf'<[^<]*aria-label="{name}[^"]*"[^>]*>(.*?)</(?:button|a|summary)>', text)
    assert found, name
    return found.group(0)


def test_what_is_known_stands_in_its_place(app: Flask) -> None:
    placing = {**RAID["agenda"][0], "step": "placement"}
    browser = begun(app, position={**STANDING, "agenda": [placing]})
    assert len(re.findall(r'<button name="answer" value="&#34;[a-z-]+-\d&#34;"', browser.screen.text)) == 39
    there = cell(browser.screen.text, "Shiprock\u00a0#4")
    assert "<i>C</i>" in there
    assert "theirs-filled" in there, "the sign of the Raid counter"
    assert 'aria-label="Shiprock\u00a0#4 · Family C, Enemy Raid counter × 1' in browser.screen.text
    assert ">+1</text>" in cell(browser.screen.text, "Hopi Land\u00a0#4"), (
        "two signs, and that there is one more"
    )


def test_a_pad_of_all_places_has_the_boxes_and_who_is_in_them(app: Flask) -> None:
    browser = Browser(app.test_client())
    browser.open(
        "/may/navajo-wars/evade?"
        + urlencode({"/action/family": '"C"', "/families/D/at": '"hopi-land-caught"'})
    )
    assert len(re.findall(r'<button name="answer" value="&#34;[a-z-]+-', browser.screen.text)) == 53
    assert "<i>D</i>" in cell(browser.screen.text, "Hopi Land Caught Box")


def on_the_map(*fields: str, known: tuple[str, ...]) -> Any:
    pointers = tuple(f"/areas/{area}/{field}" for area in AREAS if area not in known for field in fields)
    return of_facts("navajo-wars", pointers, "en")


def test_places_of_which_all_is_known_keep_theirs_on_the_map(app: Flask) -> None:
    form = on_the_map("fort", known=("hopi-land-1", "hopi-land-4", *track("black-mesa")))
    play = begun(app, position=STANDING).play
    with app.test_request_context(f"/play/{play}"):
        board = tables.table_of(play_kept.find(app.extensions["ruleglot-plays"].store, play)).board()
        say, pad = words.sayer("en"), Pad(kind="some", form=form, options=form.options)
        shown = render_template_string(PAD, pad=pad, say=say, **pads.helpers("en", say, lambda: board))
    rows = dict(pads.in_places(form.options, lambda: board))
    assert [len(cells) for cells in rows.values()] == [6, 6, 6, 6, 6, 6, 3]
    assert [bool(options) for _, options in rows["Hopi Land"]] == [False, True, True, False, True, True]
    known = cell(shown, "Hopi Land\u00a0#4")
    assert f'href="/play/{play}/areas/hopi-land-4"' in known
    assert "theirs-filled" in known


def test_a_question_about_one_track_shows_one_track(app: Flask) -> None:
    form = on_the_map("rancho", "mission", "fort", known=tuple(set(AREAS) - set(track("shiprock"))))
    with app.test_request_context():
        board = tables.board_of(NAVAJO_WARS, prepare(NAVAJO_WARS, STANDING, {}, NAVAJO_WARS.components()))
    assert [title for title, _ in pads.in_places(form.options, lambda: board)] == ["Shiprock"]


def test_what_stands_where_a_short_list_leads_is_said(app: Flask) -> None:
    places = [
        FormOption(value=f"hopi-land-{number}", text=f"Area Hopi Land #{number}") for number in range(1, 7)
    ]
    say, pad = words.sayer("en"), Pad(kind="one", form=One(options=places, of="place"), options=places)
    spot = Spot(place="hopi-land-4", label="4", name="Hopi Land #4", things="Family D")
    with app.test_request_context():
        shown = render_template_string(
            PAD, pad=pad, say=say, **pads.helpers("en", say, lambda: [("", [spot])])
        )
    assert 'Area Hopi Land #4<small class="there">Family D</small></button>' in shown


def test_a_place_that_a_move_cannot_reach_is_pale_and_a_tap_says_why(app: Flask) -> None:
    position = {
        **STANDING,
        "agenda": [],
        "operation": {"kind": "take-actions"},
        "activation": {"family": "C", "mp": 6},
    }
    browser = begun(app, position=position)
    browser.open(f"/play/{browser.play}?mode=do")
    browser.answer({"open": "move"})
    browser.answer({"kind": "move"})
    here = cell(browser.screen.text, "Shiprock\u00a0#4")
    assert "(Not allowed)" in here
    assert re.search(r'class="[^"]*pale', here)
    assert "Santa Fé" not in " ".join(one.words for one in browser.screen.ask.buttons)
    browser.answer("shiprock-4")
    assert browser.screen.status == 422
    assert "said illegal" in browser.screen.text


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


def test_that_there_is_none_needs_no_name(app: Flask) -> None:
    none = FormOption(value=None, text="none")
    form, say = Name(options=[none]), words.sayer("en")
    pad = Pad(kind="name", form=form, options=[none])
    with app.test_request_context():
        shown = render_template_string(PAD, pad=pad, say=say, **pads.helpers("en", say))
    assert re.search(r'<input name="name"[^>]* required', shown)
    assert re.search(r'<button[^>]* value="null"[^>]* formnovalidate', shown), (
        "the empty name would hold it back"
    )


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
