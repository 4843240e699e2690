"""What the command line itself says, apart from the answers; translated like every other sentence."""

from __future__ import annotations

from engine.messages import Message, message
from service.headlines import printed_rule, printed_section
from service.languages import Reader, reader
from service.terms import Language


def _named(group: str, sentences: dict[str, str]) -> dict[str, Message]:
    return {name: message(f"{group}.{name}", text) for name, text in sentences.items()}


PLAY = _named(
    "play",
    {
        "welcome": "At every question: ? shows what can be answered, “why” the reasons and the rules, “undo” takes the last answer back, “lang” changes the language, “ask” finds a rule, “report” prints the session, “quit” ends it.",
        "saved-in": "Saved after every answer: %(file)s",
        "which-game": "Which game is it?",
        "which-begin": "How does it begin?",
        "from-table": "From the position on the table: what matters is asked for",
        "resumed": "The game goes on where it stopped. Answers so far: %(moves)s.",
        "what-now": "What is done now?",
        "which-way": "How exactly?",
        "other-way": "Something else: say it in detail",
        "in-detail": "Say it in detail",
        "depends": "depends on what is not known",
        "what-changes": "What does it change?",
        "by-how-much": "By how much?",
        "to-what": "To what?",
        "that-is-all": "That is all",
        "one-more": "One more",
        "under-which": "Under which name?",
        "not-understood": "“%(given)s” is no answer to this. ? shows what can be answered.",
        "several": "“%(given)s” can mean several of these. Take the number before one of them.",
        "no-number": "A whole number is needed here.",
        "number-between": "A number from %(least)s to %(most)s is needed here.",
        "so-many": "From %(least)s to %(most)s of them are needed; %(given)s were given.",
        "nothing-to-undo": "There is nothing to take back.",
        "undone": "The last answer is taken back.",
        "languages": "The languages are %(languages)s: “lang %(example)s”.",
        "over": "The game is over.",
        "goodbye": "Until next time: ruleglot play %(file)s",
        "not-saved": "This could not be saved: %(reason)s",
        "reasons": "Why this is asked:",
        "closed": "Not open now:",
        "not-allowed-now": "Not allowed now:",
        "none-of-these": "none of these",
        "nothing-known": "There is no more to say about this.",
        "yes": "yes, it is so",
        "no": "no, it is not so",
        "left": "%(text)s (left: %(count)s)",
    },
)
HINTS = _named(
    "play.hint",
    {
        "yes-no": "yes or no",
        "number": "a number",
        "number-to": "a number from %(least)s to %(most)s",
        "name": "a name",
        "one": "the number before an answer, or its name",
        "some": "the numbers before the answers, with spaces between; an empty line for none",
        "die": "what the die shows",
        "dice": "what the dice show: %(count)s numbers with spaces between",
        "draw": "what was drawn: its number in the list, or its name",
        "list": "one after the other; an empty line ends the list",
        "record": "one after the other",
        "optional": "an empty line leaves it out",
        "json": "as the contract writes it",
    },
)
HELP = _named(
    "command",
    {
        "ruleglot": "Rules assistant for the board wargames Navajo Wars and Julian, in several languages.",
        "play": "Play with a companion: it asks, numbers the answers, says what happens and why, and saves.",
        "ask": "Find the rules that answer a question, asked in any of the languages.",
        "rule": "Print a rule by its number (5.2.4) or id.",
        "term": "Print a term in every language.",
        "scenario": "Print a set-up and what is chosen in it; without a number, list them all.",
        "options": "Say what may be done on a position.",
        "odds": "Say how likely each outcome of an action is.",
        "chart": "Print a chart row by row; without a name, list them all.",
        "check": "Say whether an action is allowed on a position, and why.",
        "audit": "Say whether a position is possible.",
        "replay": "Replay a game and print its report.",
        "serve": "Serve the page at the table, the API and its documentation.",
        "plays": "The games that are kept here, or with --url by a server.",
        "plays-list": "List them.",
        "plays-show": "Print how one stands, and its report.",
        "plays-export": "Write one into a file, to be kept or gone on with elsewhere.",
        "plays-import": "Import a game from a file.",
        "plays-delete": "Forget one.",
        "db": "The database that keeps games.",
        "db-upgrade": "Make or change its tables (DATABASE_URL, or a file in RULEGLOT_DATA).",
        "file": "A JSON or TOML file, or - for standard input.",
    },
)
OPTIONS = _named(
    "option",
    {
        "lang": "The language; without it, that of the request or of this computer.",
        "json": "Print the whole answer as programs read it.",
        "url": "Ask this server; without it, everything is worked out here.",
        "game": "The game.",
        "components": "The file with what your own copy prints.",
        "record": "Write the game here, with everything that came of it.",
        "limit": "How many rules.",
        "host": "The address to serve on; 0.0.0.0 for the whole network.",
        "port": "The port to serve on.",
        "lan": "Serve for the phones on your network, too, as with --host 0.0.0.0.",
        "server": "The program that serves; without it, gunicorn, and waitress on Windows.",
        "at": "The row you stand at, by its name.",
        "kind": "Only this kind of action; may be repeated.",
        "name": "Its name.",
        "help": "Show this and end.",
        "version": "Show the version and end.",
    },
)
SAID = _named(
    "command.said",
    {
        "port-taken": "Port %(port)s is taken on this computer. Take another one: ruleglot serve --port %(other)s (in a checkout: PORT=%(other)s make run)",
        "open-page": "Open %(address)s in a browser. Ctrl+C ends it.",
        "open-on-phone": "On a phone on the same network: %(address)s, or scan this code:",
        "network-safety": "Everybody on this network can open the page, and nothing is encrypted on the way: use it on a network you trust, not on a public one.",
        "no-network": "This computer is not on a network, so a phone cannot reach it.",
        "no-answer": "No Ruleglot server answers at %(url)s.",
        "no-term": "There is no term like this: %(given)s",
        "no-rule": "There is no rule %(given)s. Look for it in your own words: ruleglot ask",
        "no-key": "This computer has no key for the play “%(given)s”. Those it has a key for: ruleglot plays list --url %(url)s",
        "our-words": "in our own words",
        "no-scenarios": "No set-up of this game is known.",
    },
)


def section_words(section: str, lang: Language) -> str:
    """A section number as it is printed: 5.2.4, or 3.1 step 3."""
    return printed_section(section, reader(lang))


def rule_words(rule: str, lang: Language) -> str:
    """A rule by the number it is printed under."""
    return printed_rule(rule, reader(lang))


def speaker(lang: Language) -> Reader:
    """Who words these sentences."""
    return reader(lang)
