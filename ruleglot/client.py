"""A client of a Ruleglot server: it waits, tries again, keeps what does not change, and raises typed errors."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import parse_qsl, quote, urlsplit

import requests
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

from ruleglot.asking import OPERATIONS, Asking, Operation, said
from ruleglot.errors import NotRuleglot, Problem, Unreachable
from ruleglot.plays import PLAY_OPERATIONS, Play, once

TOO_MANY = 429
TRIED_AGAIN = (TOO_MANY, 502, 503)
BACKOFF = 0.3  # seconds, doubled with each try
FAILURE = 400
NOT_MODIFIED = 304
NOTHING_TO_SAY = 204
KEPT = 256  # answers
API_KEY = "X-Api-Key"
TEXTS = ("text/csv", "text/plain", "text/markdown", "application/x-tbx", "application/x-tbx+xml")


class _Session(requests.Session):
    """Takes the key for a larger budget nowhere else, where a server sends on to another one."""

    def rebuild_auth(self, prepared_request: requests.PreparedRequest, response: requests.Response) -> None:
        super().rebuild_auth(prepared_request, response)
        if self.should_strip_auth(str(response.request.url), str(prepared_request.url)):
            prepared_request.headers.pop(API_KEY, None)


class Client(Asking):
    """Asks a server.

    >>> Client("http://127.0.0.1:8000", lang="fr").url
    'http://127.0.0.1:8000'

    `timeout` is in seconds, to connect and for each wait for more of the answer. A question that got 429, 502 or 503,
    or no connection, is asked again up to `retries` times, later each time, or when the server says. What a server
    marks with an ETag is kept and asked for again cheaply. `api_key` is a key for a larger budget, from whoever runs the
    server.
    """

    def __init__(
        self,
        url: str,
        *,
        lang: str | None = None,
        timeout: float = 30.0,
        retries: int = 3,
        backoff: float = BACKOFF,
        api_key: str | None = None,
    ) -> None:
        super().__init__(lang)
        self.url = url.rstrip("/")
        self.timeout = timeout
        self._known = {API_KEY: api_key} if api_key else {}
        # As text, decoded for each who asks: what one changes in his answer is in nobody else's.
        self._kept: OrderedDict[tuple[str, str], requests.Response] = OrderedDict()
        self._session = _Session()
        again = Retry(
            total=retries,
            backoff_factor=backoff,
            status_forcelist=TRIED_AGAIN,
            allowed_methods=None,  # a question can be asked twice
            raise_on_status=False,
            raise_on_redirect=False,
        )
        for scheme in ("http://", "https://"):
            self._session.mount(scheme, HTTPAdapter(max_retries=again))

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give back the connections."""
        self._session.close()

    def ask(
        self, name: str, path: Mapping[str, str], query: Mapping[str, Any], body: Mapping[str, Any] | None
    ) -> Any:
        """The answer to one operation."""
        return self.send(OPERATIONS[name], path, query, body, {})

    def send(
        self,
        operation: Operation,
        path: Mapping[str, str],
        query: Mapping[str, Any],
        body: Mapping[str, Any] | None,
        headers: Mapping[str, str],
    ) -> Any:
        """The answer to a request."""
        return _told(self._response(operation, path, query, body, headers))

    def parts(self, operation: Operation, path: Mapping[str, str], query: Mapping[str, Any]) -> Iterator[Any]:
        """A long answer part by part, each asked for where the one before it says that there is more."""
        further: Mapping[str, Any] | None = query
        while further is not None:
            answer = self._response(operation, path, further, None, {})
            yield _told(answer)
            link = answer.links.get("next")
            further = None if link is None else dict(parse_qsl(urlsplit(link["url"]).query))

    def _response(
        self,
        operation: Operation,
        path: Mapping[str, str],
        query: Mapping[str, Any],
        body: Mapping[str, Any] | None,
        headers: Mapping[str, str],
    ) -> requests.Response:
        address = self.url + operation.path.format(
            **{key: quote(part, safe=":") for key, part in path.items()}
        )
        lang = str((body or query).get("lang", ""))
        kind = {} if body is None else {"Content-Type": "application/json"}
        asked = requests.Request(
            operation.method.upper(),
            address,
            params=dict(query),
            data=None if body is None else _written(body),
            headers={**self._known, **kind, **headers},
        )
        return self._fetched(asked.prepare(), lang)

    # -- plays -------------------------------------------------------------------------------------

    def start_play(
        self,
        game: str,
        *,
        name: str | None = None,
        scenario: str | None = None,
        position: Mapping[str, Any] | None = None,
        transcript: Mapping[str, Any] | None = None,
        choices: Mapping[str, str] | None = None,
        components: Mapping[str, Any] | None = None,
        expires_in: int | None = None,
    ) -> Play:
        """A game that the server keeps from now on: from a scenario, a position, a transcript, or nothing."""
        body = said(
            name=name,
            scenario=scenario,
            position=position,
            transcript=transcript,
            choices=choices,
            components=components,
            expires_in=expires_in,
            lang=self.lang,
        )
        return self._play(self.send(PLAY_OPERATIONS["start_play"], {"game": game}, {}, body, once()))

    def join_play(self, code: str) -> Play:
        """The play that a join code opens, with a key of one's own."""
        body = said(code=code, lang=self.lang)
        return self._play(self.send(PLAY_OPERATIONS["join_play"], {}, {}, body, once()))

    def open_play(self, play_id: str, key: str | None = None) -> Play:
        """A play by its id; without its key it can be looked at."""
        state = self.send(PLAY_OPERATIONS["open_play"], {"play": play_id}, said(lang=self.lang), None, {})
        return Play(self, state, key)

    def _play(self, answer: Mapping[str, Any]) -> Play:
        state = {name: part for name, part in answer.items() if name not in ("key", "key_number")}
        return Play(self, state, str(answer["key"]))

    def _fetched(self, prepared: requests.PreparedRequest, lang: str) -> requests.Response:
        """What the server answers, or what is kept of it where it says that nothing has changed."""
        kept = self._kept.get(_key(prepared, lang)) if prepared.method == "GET" else None
        if kept is not None:
            prepared.headers["If-None-Match"] = kept.headers["ETag"]
        if lang and lang != "all":
            prepared.headers["Accept-Language"] = lang  # problems are worded before the body is read
        try:
            answer = self._session.send(prepared, timeout=self.timeout)
        except requests.RequestException as error:
            raise Unreachable(f"{self.url}: {error}") from error
        if kept is not None and answer.status_code == NOT_MODIFIED:
            return kept
        if answer.status_code >= FAILURE:
            raise Problem.of(
                answer.status_code, _told(answer), _seconds(answer), sent_again=_was_sent_again(answer)
            )
        if prepared.method == "GET" and answer.headers.get("ETag"):
            self._keep(_key(prepared, lang), answer)
        return answer

    def _keep(self, key: tuple[str, str], answer: requests.Response) -> None:
        self._kept[key] = answer
        self._kept.move_to_end(key)
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)


def _key(prepared: requests.PreparedRequest, lang: str) -> tuple[str, str]:
    return str(prepared.url), lang


def _written(body: Mapping[str, Any]) -> bytes:
    """A body as it is sent; a NaN stays one and a set is its text, for the server to refuse."""
    return json.dumps(body, default=str).encode()


def _told(answer: requests.Response) -> Any:
    """What an answer says; a problem without its body is told by its status."""
    if answer.status_code == NOTHING_TO_SAY:
        return None
    kind = answer.headers.get("Content-Type", "").partition(";")[0]
    if kind in ("application/json", "application/problem+json"):
        try:
            return answer.json()
        except requests.JSONDecodeError:
            pass
    elif kind in TEXTS or (kind == "text/html" and urlsplit(answer.url).path.endswith(".html")):
        return answer.content.decode("utf-8")
    if answer.status_code in TRIED_AGAIN or answer.status_code >= FAILURE:
        return {"detail": f"{answer.url}: {answer.status_code} {answer.reason}"}
    raise NotRuleglot(f"{answer.url} answered with {kind or 'nothing'}: is this a Ruleglot server?")


def _seconds(answer: requests.Response) -> float | None:
    try:
        return float(answer.headers["Retry-After"])
    except (KeyError, ValueError):
        return None


def _was_sent_again(answer: requests.Response) -> bool:
    """Was it sent before, to somebody who did more than to refuse it for the time being?"""
    tries = answer.raw.retries.history if answer.raw.retries else ()
    return any(one.status != TOO_MANY for one in tries)
