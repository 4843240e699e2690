"""What holds for every operation, said once at the head of the OpenAPI document."""

from __future__ import annotations

from service.bodies import MOST_CHECKS, MOST_INPUTS, MOST_MOVES
from service.config import MOST_BYTES, MOST_REPLAY_BYTES
from service.plain_json import MOST_NESTED

TOLD = (
    "What is left out is not told, and is asked for where it decides. `null` says that there is none. A collection "
    "that is given is complete: what it does not list is not there."
)
CONVENTIONS = f"""
## Left out, null, complete

{TOLD}

- `"manuelito": null` says that Manuelito is with no Family; without the field it is not told.
- `"areas": {{}}` says that no Area holds anything; without the field it is not told what any of them holds.
- `"families": {{"C": {{"at": "shiprock-4"}}}}` says that Family C is the only one in play, and leaves its Ferocity open.
- Of the counters of a place that is given, and of the cubes of a box that is given, what is left out is none.

## Pointers

A pointer (RFC 6901) starts at the position, in `reasons`, `unknowns`, `changes` and `pending`; one that begins with
`/action`, `/inputs`, `/components` or `/choices` starts at the request. In the `errors` of a problem it always starts
at the request.

## Procedures

A legal action may ask for dice, draws, decisions and readings: `pending` is the question, with the `form` of its
answer. Send the same request with one more of `inputs`, or the returned `position` with the action
`{{"kind": "continue"}}`; both lead to the same.

## Languages

`lang` of the body, otherwise that of the query, otherwise `Accept-Language`, otherwise English. With `lang` `all` every text is an
object with one sentence for each language; problems are always in one.

## What may be added

Answers may get further fields, and lists of values in answers further values. A body with a field that is not
known is refused; a name that is not known in a query is passed over. `name`, `code`, `id` and the names of operations are never used again for something else.

## Limits

A body has at most {MOST_BYTES} bytes and {MOST_NESTED} levels, that of a replay {MOST_REPLAY_BYTES} bytes; a request has
at most {MOST_INPUTS} inputs, a batch {MOST_CHECKS} actions, a page of a replay {MOST_MOVES} moves and answers
together. A page ends earlier where its moves take as long as some hundred checks; `next` says where the next begins.

## Errors

An action that is not allowed is an answer with status 200. What cannot be read is an `application/problem+json`
(RFC 9457) with a stable `code` and, in `errors`, every place that is wrong. What is no HTTP, or more than the server
reads of an address and its headers, is refused before any operation sees it: 400 (`bad-request`), 414
(`address-too-long`), 417 (`expectation-failed`) or 431 (`headers-too-large`), in English. A server that is told the
names it is asked by refuses others with 400. A proxy in front says 503 (`server-away`) with `Retry-After` while no
server answers.

## How much may be asked

A server that limits what one address may ask says in `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset`
(seconds) how its tightest budget stands, and answers 429 with `Retry-After` when it is used up. Whoever runs it may give
out keys with larger budgets, sent in the header `X-Api-Key`; one that is not known is refused with 401. A request may
carry an `X-Request-Id` of up to 64 letters, digits, dots, hyphens and underscores; a server that keeps a log answers with
the same, or with one it made.
"""
