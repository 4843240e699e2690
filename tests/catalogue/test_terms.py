"""The termbase is complete, keeps its promises, and is matched word by word."""

from collections import Counter

import msgspec
import pytest

from service import terms

CONCEPTS = list(terms.load().values())
TRANSLATIONS = ("fr", "it", "ja")


def test_every_concept_of_the_termbase_is_there_once():
    raw = msgspec.toml.decode((terms.locales() / "concepts.toml").read_bytes())["concept"]
    ids = [entry["id"] for entry in raw]
    assert len(ids) == len(set(ids)) == len(CONCEPTS) == 467
    assert Counter(entry["game"] for entry in raw) == {"nw": 373, "jul": 94}
    assert all(entry["id"].startswith(entry["game"] + ".") for entry in raw)


@pytest.mark.parametrize("lang", terms.LANGUAGES)
def test_each_form_is_a_plain_string_given_once(lang):
    for concept in CONCEPTS:
        wording = concept.wording(lang)
        listed = [*wording.accepted, *wording.search, *wording.wrong]
        assert len(listed) == len(set(listed)), concept.id
        for form in listed:
            assert form, concept.id
            assert form == " ".join(form.split()), (concept.id, form)
            assert "…" not in form, (concept.id, form)


@pytest.mark.parametrize("lang", terms.LANGUAGES)
def test_every_accepted_form_is_found_in_itself(lang):
    for concept in CONCEPTS:
        for form in concept.wording(lang).accepted:
            assert concept.id in terms.find(form, lang, concept.game), (concept.id, form)


@pytest.mark.parametrize("lang", terms.LANGUAGES)
def test_no_wrong_form_stands_in_an_accepted_one(lang):
    wrong = {form for concept in CONCEPTS for form in concept.wording(lang).wrong}
    for concept in CONCEPTS:
        for form in concept.wording(lang).accepted:
            assert not [bad for bad in wrong if terms.contains(form, bad)], (concept.id, form)


@pytest.mark.parametrize(
    ("lang", "form"),
    [
        ("fr", "Buid"),
        ("fr", "lancé de dé"),
        ("fr", "Military Briand"),
        ("fr", "Emboscade"),
        ("fr", "Tribal R(aid Box"),
        ("it", "agguato"),
        ("it", "Estraneo"),
        ("ja", "獐猛度"),
        ("ja", "前哨地"),
    ],
)
def test_misprints_of_the_aids_are_known_as_wrong(lang, form):
    assert any(form in concept.wording(lang).wrong for concept in CONCEPTS)


@pytest.mark.parametrize("lang", TRANSLATIONS)
def test_a_term_has_a_source_or_is_marked_as_translated(lang):
    for concept in CONCEPTS:
        wording = concept.wording(lang)
        assert bool(wording.source) != wording.translated, concept.id


def test_english_has_a_certainty_and_no_source():
    for concept in CONCEPTS:
        assert concept.wording("en").source is None, concept.id
        assert not concept.wording("en").translated, concept.id
        for lang in TRANSLATIONS:
            assert concept.wording(lang).certainty is None, concept.id
    assert {concept.wording("en").certainty for concept in CONCEPTS} == {None, "published", "inferred"}


def test_concepts_with_one_english_name_accept_the_same_translation():
    pairs = [
        (form, concept, terms.load()[name])
        for concept in CONCEPTS
        for form in concept.wording("en").accepted
        for name in terms.find(form, "en", concept.game)
        if name != concept.id
    ]
    assert pairs
    for form, one, other in pairs:
        for lang in TRANSLATIONS:
            assert terms.uses(one.term(lang), other, lang), (form, one.id, other.id, lang)


@pytest.mark.parametrize("lang", TRANSLATIONS)
def test_kept_english_names_are_in_latin_letters(lang):
    for concept in CONCEPTS:
        if concept.wording(lang).keep_english:
            assert any(letter.isascii() and letter.isalpha() for letter in concept.term(lang))


def test_the_longest_match_wins():
    assert terms.find("The Passage of Time Box is empty.") == ["nw.box.passage_of_time"]
    assert terms.find("Remove one Enemy Raid counter.", game="nw") == [
        "nw.enemy_raid_counter",
        "nw.verb.remove",
    ]


def test_the_longest_match_wins_even_if_a_shorter_one_begins_before_it():
    assert terms.find("Enemy Raid counter placement", game="nw") == ["nw.raid.placement", "nw.enemy"]


def test_a_term_is_not_found_inside_a_word():
    assert terms.find("Areal Raiders mapped the Fortress") == []
    assert not terms.uses("une Zoneur", terms.load()["nw.area"], "fr")


def test_capitals_count_but_a_sentence_may_begin_with_a_small_word():
    assert "nw.area" in terms.find("an Area")
    assert terms.find("an area") == []
    assert terms.find("Spend it.") == terms.find("Then spend it.") == ["nw.verb.spend"]


def test_plurals_abbreviations_and_numbers_are_found():
    assert terms.find("3 Families", game="nw") == ["nw.family"]
    assert terms.find("2 APs", game="nw") == ["nw.ap"]
    assert terms.find("Area #6", game="nw") == ["nw.area_number"]
    assert terms.find("Area #%(number)s", game="nw") == ["nw.area_number"]
    assert terms.find("an unmodified 16") == []


def test_a_placeholder_is_not_a_word():
    assert terms.find("%(cost)d of %(card)s") == []


def test_games_can_be_kept_apart():
    assert terms.find("die roll", game="nw") == ["nw.roll.die_roll"]
    assert terms.find("die roll", game="jul") == ["jul.die_roll"]
    assert set(terms.find("die roll")) == {"nw.roll.die_roll", "jul.die_roll"}
    assert set(terms.find("Mano", "it")) == {"nw.hand", "jul.hand"}


def test_french_and_italian_forms_match_across_apostrophes_and_spaces():
    concepts = terms.load()
    assert terms.uses("L’Embuscade est impossible.", concepts["nw.reaction.ambush"], "fr")
    assert terms.uses("le niveau d’Ancien", concepts["nw.elder_level"], "fr")
    assert terms.uses("le Military\u00a0Points", concepts["nw.military_points"], "fr")
    assert terms.uses("dall'Area adiacente", concepts["nw.area"], "it")
    assert not terms.uses("une Emboscade", concepts["nw.reaction.ambush"], "fr")
    assert not terms.uses("un agguato", concepts["nw.reaction.ambush"], "it")


def test_japanese_is_matched_as_normalised_text():
    concepts = terms.load()
    assert terms.uses("この一族の獰猛度は1", concepts["nw.ferocity"], "ja")
    assert terms.uses("２ＡＰを消費", concepts["nw.ap"], "ja")
    assert terms.uses("ｴﾘｱの中", concepts["nw.area"], "ja")
    assert not terms.uses("MAPを見る", concepts["nw.ap"], "ja")
    assert not terms.uses("この一族の獐猛度は1", concepts["nw.ferocity"], "ja")


def test_a_model_sentence_keeps_its_terms_in_every_language():
    concepts = terms.load()
    translations = {
        "fr": 'L\'Instruction "Subvert" devient "Build" : aucun Outpost n\'est sur la carte.',
        "it": 'L\'Ordine "Sovvertire" diventa "Costruire": nessun Avamposto sulla mappa.',
        "ja": '"Subvert"指令は"Build"指令に変わる。マップ上に居留地が1個もないためである。',
    }
    found = terms.find('The "Subvert" Instruction becomes "Build": no Outpost is on the map.')
    assert set(found) == {
        "nw.ph.no_outpost_on_map",
        "nw.instruction",
        "nw.instruction.subvert",
        "nw.instruction.build",
    }
    for lang, sentence in translations.items():
        assert all(terms.uses(sentence, concepts[name], lang) for name in found), lang
