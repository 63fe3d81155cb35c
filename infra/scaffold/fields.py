"""What make new-event and new-private-event are told of an event: fields and meanings, besides what it is about."""
import re
from dataclasses import dataclass

from tree import Refused, spoken

# HouseTests refuse both in the sources.
MARKER = "Say what it means."
REASON = "Say why nothing follows from it."

# For each form of a field: its Swift type, its reader, its JSON and its form in the catalogue.
FORMS = {
    "uuid": ("UUID", "uuid", "uuid", "uuid"),
    "time": ("Timestamp", "timestamp", "time", "time"),
    "int": ("Int64", "int", "int", "integer"),
    "bool": ("Bool", "bool", "bool", "boolean"),
}
UNITS = {"Ms": "milliseconds", "Seconds": "seconds", "Bytes": "bytes", "Percent": "percent"}


@dataclass
class Field:
    name: str
    form: str
    meaning: str

    @property
    def declared(self):
        return f"{self.name}: {FORMS[self.form][0]}"

    @property
    def read(self):
        return f'{FORMS[self.form][1]}("{self.name}")'

    @property
    def member(self):
        return f'"{self.name}": .{FORMS[self.form][2]}({self.name})'

    @property
    def rule(self):
        """Its declaration in the catalogue."""
        unit = ""
        if self.form == "int":
            unit = next((f", unit: .{unit}" for ending, unit in UNITS.items() if self.name.endswith(ending)), ", unit: .count")
        return f'FieldRule("{self.name}", .{FORMS[self.form][3]}, "{self.meaning}"{unit})'


@dataclass
class About:
    """What the messages of a service are about: the members that name it, with their meanings, the owner's and its own."""
    members: dict
    owner: str
    subject: str
    of_session: bool = False


def subject_of(tree, service):
    if service == "identity":
        return About({"userId": "The user."}, "userId", "userId")
    if any("Session" in path or re.search(r"\bSession(?:Reference|Identity)\b", tree.read(path))
           for path in tree.paths(f"Services/{service}")):
        return About({"sessionId": "The session.", "ownerId": "The user whose session it is."}, "ownerId", "sessionId", True)
    return About({"id": "What it is about.", "ownerId": "The user whose it is."}, "ownerId", "id")


def parsed(words, known=()):
    """The fields of some words, without those that are known."""
    fields = [field for field in map(field_of, words) if field.name not in known]
    if len({field.name for field in fields}) < len(fields):
        raise Refused("A field is named twice.")
    return fields


def field_of(word):
    name, _, rest = word.partition(":")
    form, _, words = rest.partition(":")
    if not re.fullmatch(r"[a-z][A-Za-z0-9]*", name):
        raise Refused(f"{word}: a field has a name such as printedAt, a colon and a form.")
    if form not in FORMS:
        raise Refused(f"{word}: the forms are {', '.join(FORMS)}. Texts do not belong into topics, which keep everything; "
                      "for a code or an object write the field by hand.")
    return Field(name, form, sentence(words))


def sentence(words, marker=MARKER):
    """A meaning or a reason as it stands in the sources; the marker when none was given."""
    if re.search(r'["\\\n]', words):
        raise Refused(f"{words!r}: a meaning or a reason is one sentence without quotation marks.")
    return words.strip().rstrip(".") + "." if words.strip() else marker


def words_of(meaning, name):
    """A meaning as what happened is told to people: the report was printed."""
    return spoken(name) if meaning == MARKER else meaning[0].lower() + meaning[1:].rstrip(".")


def to_mean(meanings, where):
    """What is left to do when a meaning was not given."""
    return [f"`{MARKER}`, in {where}; `make t T=House` refuses it."] if MARKER in meanings else []
