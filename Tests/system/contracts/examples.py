"""Takes from what the tests of `swift test` have sent and got one request and its answer for each route, for the description of the API.

  examples.py FILE    what Shared/Testing/ServiceTesting/SeenAnswers.swift wrote; writes docs/api-examples.json

Of what a route was asked, what it answered with most members is taken. What is long is shortened, and lists are; nothing is made up.
"""
import json
import pathlib
import sys

import answers

LONGEST, MOST, MOST_WORDS = 72, 2, 12


def size(value):
    """How many members and items a value has, in all depths."""
    if isinstance(value, dict):
        return sum(1 + size(one) for one in value.values() if one is not None)
    return sum(1 + size(one) for one in value[:MOST]) if isinstance(value, list) else 0


def shortened(value):
    if isinstance(value, dict):
        return {name: shortened(one) for name, one in value.items()}
    if isinstance(value, list):
        # Words are short, and what was sent and what was answered would seem to differ.
        most = MOST_WORDS if all(isinstance(one, str) for one in value) else MOST
        return [shortened(one) for one in value[:most]]
    # Scanners for secrets take it for one.
    if isinstance(value, str) and value.startswith("whsec_"):
        return "whsec_…"
    # Tokens and addresses with a signature above all.
    if isinstance(value, str) and len(value) > LONGEST and " " not in value:
        return value[:24] + "…"
    return value


def taken(lines):
    """By the id of the route its best exchange."""
    found = {}
    operations = answers.operations()
    for line in lines:
        seen = json.loads(line)
        operation = answers.operation_of(operations, seen)
        kind = (seen["type"] or "").partition(";")[0]
        if operation is None or seen["status"] >= 300 or kind != "application/json":
            continue
        try:
            sent = json.loads(seen["sent"]) if seen.get("sent") else None
        except ValueError:
            continue
        answer = json.loads(seen["body"])
        one = {"sent": shortened(sent), "status": seen["status"], "answer": shortened(answer)}
        text = json.dumps(one, ensure_ascii=False)
        # The fullest, and of several the shortest.
        rank = (size(answer) + size(sent), -len(text), text)
        if rank > found.get(operation.id, ((-1, 0, ""), None))[0]:
            found[operation.id] = (rank, one)
    return {name: one for name, (_, one) in sorted(found.items())}


def main(path):
    examples = taken(pathlib.Path(path).read_bytes().splitlines())
    if not examples:
        print("✗ Nothing was seen.", file=sys.stderr)
        return 1
    text = json.dumps(examples, ensure_ascii=False, indent=2) + "\n"
    (answers.ROOT / "docs/api-examples.json").write_text(text, encoding="utf-8")
    print(f"{len(examples)} routes have an example in docs/api-examples.json")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
