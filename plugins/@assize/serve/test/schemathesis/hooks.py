"""
Hooks of Schemathesis: requests that profiles can answer, and a check that well-formed requests are not rejected as malformed.
"""

import json

import schemathesis

# The profiles of `../schemathesis.test.ts`, each with one of its scorers. Only the last one packs.
SCORERS = {
    "shop": "rating",
    "team": "stars",
    "help": "words",
    "diverse": "early",
    "reranked": "late",
    "knowledge": "novelty",
    "context": "recency",
}

CANDIDATES = [{"id": "first", "rating": 3, "content": "one"}, {"id": "second", "body": "two", "tokens": 20}, {}]

# The codes of requests that violate the schema.
MALFORMED = {"ASZ201", "ASZ590"}


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


@schemathesis.hook
def map_body(context, body):
    """
    Replaces generated names of profiles and scorers, which do not exist, and adds candidates and required context, in
    most requests. Invalid parts stay.
    """
    if not isinstance(body, dict):
        return body
    choice = len(json.dumps(body, default=str))
    key = "model" if "model" in body else "profile"
    if choice % 8 == 0 or not isinstance(body.get(key), str) or body[key] == "":
        return body
    profile = "context" if "budget" in body else list(SCORERS)[choice % len(SCORERS)]
    changes = {key: profile}
    if key == "profile" and not context.operation.path.endswith("/score"):
        changes["candidates"] = body.get("candidates", CANDIDATES)
    given = body.get("context", {})
    if isinstance(given, dict):
        changes["context"] = {"country": "DE", **given}
    weights = body.get("weights")
    if isinstance(weights, dict) and all(is_number(weight) for weight in weights.values()):
        changes["weights"] = {SCORERS[profile]: abs(weight) for weight in weights.values()}
    return {**body, **changes}


@schemathesis.check
def well_formed_is_accepted(ctx, response, case):
    """A request that matches the schema is rejected by its profile at most."""
    if case.meta is None or not case.meta.generation.mode.is_positive or response.status_code != 400:
        return
    codes = {problem["code"] for problem in response.json()["problems"]}
    assert not codes & MALFORMED, f"a well-formed request is malformed: {response.text}"
