"""Writes what every new event, read model or service begins with.

usage: make new-event SERVICE=reporting NAME=ReportPrinted FOR="sessions" [FIELDS="printedAt:time count:int"] [COMMAND=print] [MEANING="…"] [WHY="…"]
       make new-private-event SERVICE=quota NAME=UnitLent [FIELDS=…] [COMMAND=lend] [MEANING=…]
       make new-read-model SERVICE=reporting NAME=PrintedReport
       make new-service NAME=badges [AGGREGATE=Badge]

Make calls it with the values in this order, command, meaning, the services that react and why no other does as command=share and
for=sessions. FOR names them or is `nobody`, so that none is forgotten: tests ask each for its reaction. A field may have its meaning behind it
(printedAt:time:'When the owner printed it.'). Files are edited at places that are looked for; when one is not found, or a name is
taken, nothing is written at all. What is left to do is printed at the end.

Exit: 0 written, 1 the tree has another form than this program knows, 2 wrong arguments, 3 no Swift toolchain.
"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import event  # noqa: E402
import private_event  # noqa: E402
import read_model  # noqa: E402
import service  # noqa: E402
from tree import NotFound, Refused, Tree  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent.parent


def main(words):
    tree = Tree(ROOT)
    options = dict(word.split("=", 1) for word in words if word.startswith(("command=", "meaning=", "for=", "why=")))
    named, why = options.pop("for", "").replace(",", " ").split(), options.pop("why", "")
    match [word for word in words if word.partition("=")[0] not in ("command", "meaning", "for", "why")]:
        case ["new-event", owner, name, *fields]:
            if not named:
                raise Refused("Say which services react to it: FOR=\"quota reporting\", or FOR=nobody.")
            left = event.add(tree, owner, name, fields, [] if named == ["nobody"] else named, why, **options)
        case ["new-private-event", owner, name, *fields]:
            left = private_event.add(tree, owner, name, fields, **options)
        case ["new-read-model", owner, name]:
            left = read_model.add(tree, owner, name)
        case ["new-service", name, *aggregate] if len(aggregate) <= 1:
            left = service.add(tree, name, *aggregate)
        case _:
            raise Refused(__doc__.split("\n\n")[1])
    for path in tree.write():
        print(f"  {path}")
    print("\nWhat is left to you:")
    for number, line in enumerate(left, 1):
        print(f"{number:3}. {line}")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except Refused as refusal:
        print(refusal, file=sys.stderr)
        sys.exit(2)
    except NotFound as missing:
        print(f"{missing} Nothing was written.", file=sys.stderr)
        sys.exit(1)
