"""Holds every answer that the tests of `swift test` got from a service against docs/openapi.json.

  answers.py FILE    what Shared/Testing/ServiceTesting/SeenAnswers.swift wrote

Each answer must be described: its status, its content type, its problem's code, and its body by the schema. And each
answer and problem that is described must have been seen: what no test reaches is either a gap in the tests or a promise
that nothing keeps.
"""
import json
import pathlib
import re
import sys

from jsonschema import Draft202012Validator

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent
PROBLEM = "application/problem+json"
DOCUMENT = json.loads((ROOT / "docs/openapi.json").read_text())


class Operation:
    """A route with what is described of it and what was seen of it."""

    def __init__(self, method, path, described):
        self.name = f"{method} {path}"
        self.id = described["operationId"]
        self.method = method
        self.is_bare = method == "HEAD"
        self.path = re.compile(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(path)) + "$")
        self.answers = described["responses"]
        self.of_http = codes(self.answers["default"])
        self.described = {(status, code) for status, answer in self.answers.items() if status != "default"
                          for code in codes(answer) or [None] if code not in self.of_http}
        self.seen = set()

    def check(self, answer):
        """Gives what is wrong with an answer."""
        status, kind = str(answer["status"]), (answer["type"] or "").partition(";")[0]
        if self.is_bare:
            # HEAD says nothing but the status: whatever is described of it may be meant.
            meant = {pair for pair in self.described if pair[0] == status}
            self.seen |= meant
            return [] if meant else [f"{status} is not described"]
        body = json.loads(answer["body"]) if kind.endswith("json") else answer["body"]
        # An app's routes have the codes in a form of their own.
        code = body.get("code") if kind == PROBLEM or answer["status"] >= 400 and kind.endswith("json") else None
        if code in self.of_http and code != "internal":
            return errors(self.answers.get(status, self.answers["default"]), kind, body)
        self.seen.add((status, code))
        if (status, code) not in self.described:
            return [f"{status} {code or ''} is not described; add it in Services/mirrormate/Contracts/APIDescription/Operations.swift"]
        return errors(self.answers[status], kind, body)

    def unreached(self):
        return [f"{status} {code or ''} was reached by no test; write one, or take it out of "
                "Services/mirrormate/Contracts/APIDescription/Operations.swift" for status, code in sorted(self.described - self.seen, key=str)]


def codes(answer):
    """The codes of an answer's problems."""
    schema = answer.get("content", {}).get(PROBLEM, {}).get("schema", {})
    return [code for part in schema.get("allOf", []) for code in part.get("properties", {}).get("code", {}).get("examples", [])]


def errors(described, kind, body):
    content = described.get("content", {})
    if not content:
        return [f"has a body of {kind}, and none is described"] if body else []
    if kind not in content:
        return [f"has the content type {kind or 'nothing'}, not {' or '.join(content)}"]
    if not kind.endswith("json"):
        return []
    schema = {**content[kind]["schema"], "components": DOCUMENT["components"]}
    validator = Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER)
    return [f"{error.json_path}: {error.message[:200]}" for error in validator.iter_errors(body)]


def operations():
    """All routes; a path that is spelled out before one with a variable that would take it."""
    found = [Operation(method.upper(), path, described) for path, methods in DOCUMENT["paths"].items()
             for method, described in methods.items()]
    return sorted(found, key=lambda operation: operation.path.pattern.count("[^/]+"))


def operation_of(known, answer):
    """The route that gave an answer; None for what is not described."""
    route = re.sub(r"^https?://[^/]+", "", answer["url"]).partition("?")[0]
    return next((one for one in known if one.method == answer["method"] and one.path.match(route)), None)


def main(path):
    known = operations()
    failures, count = set(), 0
    for line in pathlib.Path(path).read_bytes().splitlines():
        answer = json.loads(line)
        operation = operation_of(known, answer)
        if operation:
            count += 1
            failures |= {f"{operation.name}: {failure}" for failure in operation.check(answer)}
    for operation in known:
        failures |= {f"{operation.name}: {failure}" for failure in operation.unreached()}
    for failure in sorted(failures):
        print(f"✗ {failure}", file=sys.stderr)
    described = sum(len(operation.described) for operation in known)
    print(f"{count} answers of {len(known)} routes held against docs/openapi.json, which describes {described} answers and "
          f"problems: {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
