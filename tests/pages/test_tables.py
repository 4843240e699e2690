"""The table: what every position shows, what each thing on it offers, and corrections by hand."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from flask import Flask

from engine.game import prepare
from engine.navajo_wars.cubes import CUBE_TERM
from service import play_kept
from service.games import GAMES
from service.languages import reader
from service.lettering import width
from service.pages import draw, navajo_wars_table, pads
from service.pages.draw import CELL_WIDTH, TEXT, Cell, Strip
from service.pages.tables import TABLES
from service.play_kept import Reading
from service.play_starts import Start, create, owner
from service.terms import LANGUAGES
from tests.pages.browser import Browser
from tests.pages.screen import Screen
from tests.shown import all_shown, played

# Invented for these tests: more in one Area than any game puts there.
CROWDED = {
    "families": {letter: {"at": "hopi-land-4", "ferocity": 3} for letter in "ABCDEF"},
    "areas": {
        "hopi-land-4": {
            "corn": True, "mission": True, "rancho": True, "harass": True,
            "fort": "defiance", "raid": 99, "tribal_raid": 99, "intruders": 99,
        },
    },
}  # fmt: skip


@cache
def positions(game: str) -> tuple[Any, ...]:
    """Every position that an example reaches, each once."""
    found = {}
    for one in all_shown():
        if one.game == game:
            for outcome in played(one):
                if outcome.answer is not None:
                    found[repr(outcome.answer.position)] = outcome.answer.position
    return tuple(found.values())


def table(game: str, position: Any, lang: str = "en") -> Any:
    played_game = GAMES[game]
    at = prepare(played_game, position, {}, played_game.components())
    return TABLES[game](played_game, at, reader(lang), lambda thing: f"/play/x/{thing}")


def begun(app: Flask, game: str = "navajo-wars", position: Any = None, lang: str = "en") -> Browser:
    """A browser with a play that starts here."""
    served = app.extensions["ruleglot-plays"]
    played_game = GAMES[game]
    at = prepare(played_game, position or {}, {}, played_game.components())
    start = Start(played_game, at.position, Reading({}, played_game.components()))
    made = create(served.store, start, owner(served.store, "tests"), served.bounds)
    browser = Browser(app.test_client(), lang)
    browser.client.set_cookie("plays", f"{made.id}.{made.key}")
    browser.open(f"/play/{made.id}")
    return browser


# -- every position draws ----------------------------------------------------------------------------


def cells(strip: Strip) -> Iterator[Cell]:
    yield from (*strip.areas, *strip.boxes)


def test_every_position_of_the_examples_draws() -> None:
    assert len(positions("navajo-wars")) > 500
    for number, position in enumerate(positions("navajo-wars")):
        shown = table("navajo-wars", position, LANGUAGES[number % len(LANGUAGES)])
        for strip in shown.strips():
            assert str(draw.strip(strip)).startswith("<svg ")
            for cell in cells(strip):
                assert_fits(cell)
        assert all(box.cells for box in shown.boxes() + shown.display())
        assert all(card.place for card in shown.families())


def assert_fits(cell: Cell) -> None:
    """What a cell shows has room in it, by the widest letters."""
    rows = (1 if cell.families else 0) + (len(cell.shown) + 1) // 2
    assert rows <= 2
    assert width(cell.families, 13, bold=True) <= CELL_WIDTH - 8 or len(cell.families) > 3
    assert all(len(counter.text) <= 2 for counter in cell.shown)


def test_every_position_of_julian_shows() -> None:
    assert len(positions("julian")) > 100
    for number, position in enumerate(positions("julian")):
        shown = table("julian", position, LANGUAGES[number % len(LANGUAGES)])
        assert len(shown.sequence()) == 7
        assert all(box.cells for box in shown.boxes())


def test_a_crowded_area_shows_what_has_room_and_counts_the_rest() -> None:
    shown = table("navajo-wars", CROWDED)
    (cell,) = [one for strip in shown.strips() for one in cells(strip) if one.families]
    assert cell.families == "ABCDEF"
    assert len(cell.shown) == 2
    assert cell.left_out == 6
    drawn = str(draw.strip(next(one for one in shown.strips() if cell in one.areas)))
    assert ">+6<" in drawn
    for name in ("Family A", "Enemy Raid counter × 99", "Fort Defiance", "Rancho", "Harass counter"):
        assert name in cell.name


def test_what_was_not_told_is_a_question_mark_and_never_nothing() -> None:
    shown = table("navajo-wars", {})
    for strip in shown.strips():
        for cell in cells(strip):
            assert cell.untold
            assert "not everything is told" in cell.name
    values = [cell for box in shown.boxes() + shown.display() for cell in box.cells]
    assert {cell.value for cell in values} == {"?"}
    assert not any(cell.told for cell in values)
    assert {value for _, _, value, _ in shown.tracks()} == {"?"}
    assert all("?" in strip.drought.text for strip in shown.strips() if strip.drought)
    empty = table("navajo-wars", {"areas": {}, "families": {}})
    assert not any(cell.untold for strip in empty.strips() for cell in cells(strip))


def test_julian_hides_what_is_hidden() -> None:
    shown = table("julian", {"hands": {"barbarian": {"count": 5, "dux": 1}}})
    roman, barbarian, pool = shown.boxes()[1:4]
    assert {cell.value for cell in roman.cells} == {"?"}
    assert [cell.value for cell in barbarian.cells if cell.look == "face-down"] == ["4"]
    assert {cell.value for cell in pool.cells} == {"?"}


def test_a_hand_whose_markers_are_all_known_says_how_many_of_each_it_has() -> None:
    lying = {"roman": {"count": 1, "dux": 1}, "barbarian": {"count": 0}}
    roman, barbarian = table("julian", {"hands": lying}).boxes()[1:3]
    assert sorted(cell.value for cell in roman.cells if cell.look != "face-down") == ["0"] * 5 + ["1"]
    assert {cell.value for cell in barbarian.cells} == {"0"}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_cell_is_named_by_a_whole_sentence(lang: str) -> None:
    position = {
        "areas": {"zuni-mountains-1": {"raid": 1, "fort": "fauntleroy"}},
        "families": {"C": {"at": "zuni-mountains-caught", "ferocity": 2}},
    }
    names = [cell.name for strip in table("navajo-wars", position, lang).strips() for cell in cells(strip)]
    assert len(names) == len(set(names)) == 53
    fort = next(name for name in names if "Fauntleroy" in name)
    assert "Zuni Mountains" in fort
    assert "1" in fort
    if lang == "en":
        assert fort == "Zuni Mountains\u00a0#1: Enemy Raid counter × 1, Fort Fauntleroy"
        assert "Zuni Mountains Caught Box: Family C with Ferocity 2" in names


def test_signs_are_told_apart_by_their_form() -> None:
    drawn = {sign: re.sub(r'class="[^"]*"', "", str(draw.sign(sign))) for sign in draw.SIGNS}
    assert len(set(drawn.values())) == len(navajo_wars_table.FIELDS) == 8


def test_no_letter_in_a_strip_is_smaller_than_twelve() -> None:
    css = (draw.__file__ or "").replace("draw.py", "static/table.css")
    with open(css, encoding="utf-8") as file:  # noqa: PTH123  a path that was put together as text
        text = file.read()
    sizes = [int(size) for size in re.findall(r"\.strip[^{]*{[^}]*font-size: (\d+)px", text)]
    assert sizes
    assert min(sizes) >= TEXT == 12


def test_words_of_others_are_escaped() -> None:
    bad = '<script>"&'
    cell = Cell(label=bad, href=f"/x?{bad}", name=bad, families=bad)
    drawn = str(draw.strip(Strip(title=bad, name=bad, areas=(cell,), boxes=())))
    assert "<script" not in drawn
    assert drawn.count("&lt;script&gt;") >= 4


# -- the pages ---------------------------------------------------------------------------------------

THINGS = [
    "areas/hopi-land-4", "families/C", "tracks/ap", "tracks/enemy_ap", "boxes/shiprock", "boxes/shiprock-caught",
    *(f"boxes/{box}" for box in navajo_wars_table.BOXES),
]  # fmt: skip
JULIAN_THINGS = [
    "tracks/turn",
    *(f"boxes/{box}" for box in ("where", "roman", "barbarian", "pool", "commands", "played", "combat")),
]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("game", "things"), [("navajo-wars", THINGS), ("julian", JULIAN_THINGS)])
def test_the_table_and_everything_on_it_opens(app: Flask, game: str, things: list[str], lang: str) -> None:
    browser = begun(app, game, CROWDED if game == "navajo-wars" else None, lang)
    base = f"/play/{browser.play}"
    for address in (f"{base}/table", *(f"{base}/{one}" for one in things)):
        screen = browser.open(address)
        assert screen.status == 200, address
        assert screen.ids.count("q") == 1
        assert len(screen.ids) == len(set(screen.ids))
        for tag, fields in screen.tags:
            assert "style" not in fields, (tag, fields)


def test_every_link_of_the_table_leads_somewhere(app: Flask) -> None:
    for game, position in (("navajo-wars", CROWDED), ("julian", None)):
        browser = begun(app, game, position)
        screen = browser.open(f"/play/{browser.play}/table")
        links = {link["href"] or "" for link in screen.links}
        assert len(links) > 10
        for link in sorted(links)[:: 1 if game == "julian" else 4]:  # a strip has eight cells of one kind
            if not link.startswith("#"):
                assert browser.open(link).status == 200, link


@pytest.mark.parametrize(
    "thing", ["areas/nowhere-1", "families/Z", "boxes/hat", "tracks/hope", "areas/shiprock-caught"]
)
def test_what_is_not_there_is_not_found(app: Flask, thing: str) -> None:
    browser = begun(app)
    assert browser.open(f"/play/{browser.play}/{thing}").status == 404


# -- corrections -------------------------------------------------------------------------------------


def told_by(screen: Screen, **facts: Any) -> Any:
    """The button that tells this."""
    wanted = {name.replace("__", "/"): value for name, value in facts.items()}
    for form in screen.forms:
        for button in form.buttons:
            if button.name == "tell" and json.loads(button.value) == wanted:
                return button
    raise AssertionError(wanted)


def position_of(app: Flask, play: str) -> Any:
    return play_kept.find(app.extensions["ruleglot-plays"].store, play)


def test_a_number_is_put_right_and_undone(app: Flask) -> None:
    browser = begun(app, position={"tracks": {"ap": 3}})
    play = browser.play
    browser.open(f"/play/{play}/table")
    assert any(link["href"] == f"/play/{play}/tracks/ap" for link in browser.screen.links)
    screen = browser.open(f"/play/{play}/tracks/ap")  # the second tap
    browser.tap(told_by(screen, **{"/tracks/ap": 5}))  # the third
    assert browser.address == f"/play/{play}/table"
    assert position_of(app, play).position.tracks.ap == 5
    assert 'class="ours changed"' in browser.screen.text
    undo = browser.screen.form("/undo")
    browser.tap(undo.buttons[0])
    assert position_of(app, play).position.tracks.ap == 3


def test_counters_families_and_lists_are_put_right(app: Flask) -> None:
    browser = begun(app, position={"areas": {}, "families": {}, "resources": {"corn": [2]}})
    play = browser.play
    screen = browser.open(f"/play/{play}/areas/hopi-land-4")
    screen = browser.tap(told_by(screen, **{"/areas/hopi-land-4/raid": 2}))
    screen = browser.tap(told_by(screen, **{"/areas/hopi-land-4/fort": "defiance"}))
    screen = browser.tap(told_by(screen, **{"/families/D/at": "hopi-land-4"}))
    browser.open(f"/play/{play}/families/D")
    browser.tap(told_by(browser.screen, **{"/families/D/ferocity": 2}))
    browser.open(f"/play/{play}/boxes/resources")
    browser.tap(told_by(browser.screen, **{"/resources/corn": [2, 3]}))
    browser.tap(told_by(browser.screen, **{"/resources/corn": [3]}))
    found = position_of(app, play).position
    assert found.areas["hopi-land-4"].raid == 2
    assert found.areas["hopi-land-4"].fort == "defiance"
    assert found.families["D"].at == "hopi-land-4"
    assert found.families["D"].ferocity == 2
    assert found.resources.corn == (3,)
    browser.open(f"/play/{play}/families/D")
    browser.tap(told_by(browser.screen, **{"/families/D": None}))
    assert "D" not in position_of(app, play).position.families


def test_the_instruction_display_is_put_right(app: Flask) -> None:
    browser = begun(app)
    play = browser.play
    browser.open(f"/play/{play}/boxes/active")
    browser.tap(told_by(browser.screen, **{"/instructions/active": [None] * 6}))
    browser.tap(told_by(browser.screen, **{"/instructions/active/2": {"name": "build"}}))
    browser.tap(told_by(browser.screen, **{"/instructions/active/2/cost": 2}))
    column = position_of(app, play).position.instructions.active
    assert [one and (one.name, one.cost) for one in column] == [None, None, ("build", 2), None, None, None]


def test_a_command_of_julian_is_named_and_a_number_typed(app: Flask) -> None:
    browser = begun(app, "julian")
    play = browser.play
    form = next(
        form
        for form in browser.open(f"/play/{play}/boxes/commands").forms
        if any(one.get("name") == "name" for one in form.controls)
    )
    roman = next(one for one in form.buttons if one.name == "with" and "roman" in one.value)
    browser.tap(roman, ("name", "Julian <b>"))
    (command,) = position_of(app, play).position.commands
    assert (command.name, command.side) == ("Julian <b>", "roman")
    assert "Julian <b>" not in browser.screen.text
    assert "Julian &lt;b&gt;" in browser.screen.text
    assert "Take away: Julian <b>" in browser.screen.words, "what has a name is called by it"
    form = next(
        form
        for form in browser.open(f"/play/{play}/boxes/treasury").forms
        if any(one.get("name") == "number" for one in form.controls)
    )
    browser.tap(form.buttons[0], ("number", "37"))
    assert position_of(app, play).position.treasury == 37


def test_cards_of_one_group_are_told_apart_by_their_level(app: Flask) -> None:
    owned = [{"set": "Weaving", "level": 1}, {"set": "Weaving", "level": 2}]
    browser = begun(app, position={"cards": {"developments": owned}})
    screen = browser.open(f"/play/{browser.play}/boxes/cards")
    assert "Cultural Development card: Weaving 1 and Weaving 2" in screen.words
    assert "Take away: Weaving 1" in screen.words
    assert "Take away: Weaving 2" in screen.words
    added = [one for form in screen.forms for one in form.buttons if one.name == "with"]
    third = next(one for one in added if "3" in one.value)
    assert third.words == "Level: 3", "a number alone would not say what is told by it"
    browser.tap(third, ("name", "Weaving"))
    cards = position_of(app, browser.play).position.cards.developments
    assert [(one.set, one.level) for one in cards] == [("Weaving", 1), ("Weaving", 2), ("Weaving", 3)]


@pytest.mark.parametrize(
    "sent",
    [
        {"tell": "not json"},
        {"tell": "[1]"},
        {"tell": '{"/tracks/ap": 99}'},
        {"tell": '{"/nowhere": 1}'},
        {"pointer": "/tracks/ap", "number": "-3"},
        {"pointer": "/tracks/ap", "number": "ninety"},
        {"pointer": "/tracks/ap", "name": "x", "with": "{}"},
        {"pointer": "/nowhere", "name": "x", "with": '{"side": "roman"}'},
        {"tell": '{"/tracks/ap": ' + "1" * 30_000 + "}"},
    ],
)
def test_what_cannot_be_is_refused_in_words(app: Flask, sent: dict[str, str]) -> None:
    browser = begun(app)
    play = browser.play
    before = position_of(app, play)
    response = browser.client.post(
        f"/play/{play}/tracks/ap", data={"after": str(before.version), **sent}, headers=browser.headers
    )
    assert 400 <= response.status_code < 500
    assert Screen(response).words.strip()
    assert position_of(app, play).version == before.version


def test_somebody_without_a_key_or_too_late_corrects_nothing(app: Flask) -> None:
    browser = begun(app)
    play = browser.play
    data = {"after": "1", "tell": '{"/tracks/ap": 1}'}
    other = app.test_client()
    assert other.post(f"/play/{play}/tracks/ap", data=data).status_code == 401
    assert "may only look" in Screen(other.get(f"/play/{play}/tracks/ap")).words
    assert browser.client.post(f"/play/{play}/tracks/ap", data=data).status_code == 303
    assert browser.client.post(f"/play/{play}/tracks/ap", data=data).status_code == 409


def test_an_answer_is_given_from_the_thing_it_concerns(app: Flask) -> None:
    position = {
        "period": "american",
        "tracks": {"ap": 3, "military": 2, "culture": 5, "enemy_ferocity": 2, "enemy_morale": 4},
        "families": {"C": {"at": "shiprock-4", "ferocity": 1, "man": True, "woman": True, "child": False, "horse": False}},
        "areas": {"shiprock-4": {"raid": 1}},
        "santa_fe": {"raid": 2},
        "manuelito": None,
        "resources": {"horse": 0, "sheep": 0, "corn": [], "trade_goods": 0, "firearms": 0},
        "agenda": [{"procedure": "enemy-raid", "step": "player-reaction", "memory": {"entered": "shiprock-4"}}],
    }  # fmt: skip
    browser = begun(app, position=position)
    play = browser.play
    screen = browser.open(f"/play/{play}/families/C")
    answers = [button for form in screen.forms if form.action.endswith("/answers") for button in form.buttons]
    assert any("Evade" in button.words for button in answers)
    browser.tap(next(button for button in answers if "Evade" in button.words))
    assert "Evasion" in browser.screen.words


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_letters_on_a_cube_name_one_colour(lang: str) -> None:
    speaks = reader(lang)
    named = [pads.letters(speaks.word(term), lang) for term in CUBE_TERM.values()]
    assert len(set(named)) == len(named) == 7
    assert max(width(letters, 14, bold=True) for letters in named) <= 34  # of 2.5rem between two borders


def test_what_was_played_and_a_combat_stand_in_rows_of_their_own() -> None:
    at = {
        "played": [
            {"by": "roman", "marker": "federate"},
            {"by": "barbarian", "marker": "imperium", "as": "dux"},
        ],
        "last_play": None,
        "combat": {"id": "1", "attacker": "roman", "units": [{"id": "a1", "combat": 4, "movement": 5}]},
    }
    boxes = {one.href.rpartition("/")[2]: one for one in table("julian", at).boxes()}
    assert [(one.label, one.value) for one in boxes["played"].cells] == [
        ("Roman player", "Federate"),
        ("Barbarian player", "Imperium · declared to be: Dux"),
    ]
    assert [(one.label, one.value) for one in boxes["combat"].cells] == [
        ("Attacker", "Roman player"),
        ("a1", "combat: 4 · movement factor: 5"),
    ]
    assert [one.value for one in boxes["last_play"].cells] == ["none"]


@pytest.mark.parametrize("lying", [{"dux": 1, "credo": 2}, {"count": 5, "dux": 1}, {"count": 0}, {}])
def test_a_hand_says_the_same_on_the_table_as_on_its_page(lying: dict[str, int]) -> None:
    shown = table("julian", {"hands": {"roman": lying}})
    (hand,) = [one for one in shown.boxes() if one.href.endswith("/roman")]
    rows = shown.rows(*shown.pointers_of("boxes", "roman"))
    told = [one.value if one.told else "?" for one in rows]
    assert told[:-1] == [cell.value for cell in hand.cells if cell.look != "face-down"]
    assert told[-1] == str(sum(lying.values()) if "count" not in lying else lying["count"])


def test_what_a_thing_is_made_of_is_said_once(app: Flask) -> None:
    display = {"active": [{"name": "raid", "cost": 3, "back": {"name": "utes", "cost": 4}}, *[None] * 5]}
    browser = begun(app, position={"instructions": display})
    words = browser.open(f"/play/{browser.play}/boxes/active").words
    assert words.count("Active column") == 3, "the title, the bar and the heading"
    assert "Other side: Enemy Instruction: Utes!" in words
    assert words.count("Enemy Instruction: Raid!") == 1


def test_of_a_family_that_is_not_in_play_nothing_else_is_asked(app: Flask) -> None:
    browser = begun(app, position={"families": {"A": {}}})
    words = browser.open(f"/play/{browser.play}/families/F").words
    assert "Area or box: Not in play" in words
    assert "not told" not in words
    assert "Ferocity" not in words
    assert "Ferocity: not told" in browser.open(f"/play/{browser.play}/families/A").words


def test_the_spaces_of_the_elders_are_named(app: Flask) -> None:
    browser = begun(app, position={"elders": [0, 1, 0, 0, 0, 0, 0]})
    assert "Elder Display, space 2: 1" in browser.open(f"/play/{browser.play}/boxes/elders").words
