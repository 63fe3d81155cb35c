"""The types and routes of the sample client against the API's description: names, what may be missing, codes."""
import copy
import json
import re
from pathlib import Path

import pytest

from support import places, swift_types

API = Path(places.ROOT) / "Examples" / "ios-client" / "Sources" / "MirrorMateClient" / "API"
# Types that cannot have the name of their schema.
SCHEMAS = {"OverallProgress": "Progress"}
# Members of single problems, which RFC 9457 allows beside those of all.
OF_SINGLE_PROBLEMS = {"Problem": {"resetsAt", "heldBy", "ticket"}}
SCALARS = {
    "String": {"string"}, "Int": {"integer"}, "Double": {"number"}, "Bool": {"boolean"}, "Date": {"date-time"},
    "UUID": {"uuid"}, "URL": {"uri"},
}
# What a text with such a format is in Swift; one with another format is a String.
FORMATS = {"date-time", "uuid", "uri"}


@pytest.fixture(scope="module")
def types():
    found, lines = {}, 0
    for path in sorted(API.glob("*.swift")):
        text = path.read_text()
        found |= swift_types.read(text)
        lines += len(re.findall(r"^ *(?:public )?(?:internal\(set\) )?(?:let|var) \w+: [^={\n]+$", text, re.MULTILINE))
    codes = sum(1 for one in found.values() if one.is_code)
    assert sum(len(one.members) for one in found.values()) == lines and codes > 10, "every declaration is read"
    return found


@pytest.fixture(scope="module")
def document():
    return json.loads(Path(places.ROOT, "docs", "openapi.json").read_text())


class Comparison:
    """Holds types against schemas; collects what does not fit, and which types were seen."""

    def __init__(self, types, document):
        self.types = types
        self.schemas = document["components"]["schemas"]
        self.codes = set(re.findall(r'`([a-z0-9-]+)`: ', json.dumps(document["paths"])))
        self.wrong = []
        self.seen = set()

    def all(self):
        for name, one in self.types.items():
            schema = SCHEMAS.get(name, name.removeprefix("Bodies."))
            if one.is_document and schema in self.schemas:
                self.object(one, self.schemas[schema])
        for name, one in self.types.items():
            if one.is_document and name not in self.seen and name != "Problem.Holder":
                self.wrong.append(f"{name} is nothing in the API's description")
        return self

    def object(self, one, schema):
        self.seen.add(one.name)
        schema, _ = self.plain(schema, set(one.coded))
        properties, required = schema.get("properties", {}), set(schema.get("required", []))
        for name, kind in one.coded.items():
            place = f"{one.name}.{name}"
            if name in OF_SINGLE_PROBLEMS.get(one.name, ()):
                if not kind.endswith("?"):
                    self.wrong.append(f"{place} must be optional")
                continue
            if name not in properties:
                self.wrong.append(f"{place} is no member of the API's {schema.get('title', 'schema')}")
                continue
            inner, may_be_null = self.plain(properties[name])
            may_be_missing = name not in required or may_be_null
            if kind.endswith("?") != may_be_missing:
                self.wrong.append(f"{place} must {'be' if may_be_missing else 'not be'} optional")
            self.value(kind.removesuffix("?"), inner, place, one.name)
        if one.is_sent:
            for name in sorted(required - set(one.coded)):
                self.wrong.append(f"{one.name} lacks {name}, which the API requires")

    def value(self, kind, schema, place, scope):
        if kind.startswith("[String: "):
            inner = schema.get("additionalProperties")
            if not isinstance(inner, dict):
                self.wrong.append(f"{place} is no object with members of any name")
            else:
                self.element(kind[len("[String: "):-1], inner, f"{place}[]", scope)
        elif kind.startswith("["):
            if schema.get("type") != "array":
                self.wrong.append(f"{place} is no array")
            else:
                self.element(kind[1:-1], schema["items"], f"{place}[]", scope)
        elif kind in SCALARS:
            self.scalar(kind, schema, place)
        else:
            self.named(swift_types.named(self.types, kind, scope), kind, schema, place)

    def element(self, kind, schema, place, scope):
        inner, may_be_null = self.plain(schema)
        if kind.endswith("?") != may_be_null:
            self.wrong.append(f"{place} must {'be' if may_be_null else 'not be'} optional")
        self.value(kind.removesuffix("?"), inner, place, scope)

    def scalar(self, kind, schema, place):
        described = schema.get("format") if schema.get("format") in FORMATS else schema.get("type")
        if described is None and isinstance(schema.get("const"), str):
            described = "string"
        if described not in SCALARS[kind]:
            self.wrong.append(f"{place} is {kind}, but the API's is {described}")
        if "enum" in schema:
            self.wrong.append(f"{place} needs a type with the codes {schema['enum']}")

    def named(self, one, kind, schema, place):
        if one is None:
            self.wrong.append(f"{place} is {kind}, which is no type of this folder")
        elif not one.is_code:
            self.object(one, schema)
        elif one.name == "Problem.Code":
            self.seen.add(one.name)
            for code in sorted(one.texts - self.codes):
                self.wrong.append(f"{one.name} has {code}, which no route answers with")
        else:
            self.seen.add(one.name)
            codes = {code for code in schema.get("enum", schema.get("examples", [])) if code is not None}
            if one.texts != codes:
                self.wrong.append(f"{one.name} has {sorted(one.texts)}, but {place} of the API {sorted(codes)}")

    def plain(self, schema, members=frozenset()):
        """A schema without references and null: itself, and whether null is allowed. Of several forms that with the members."""
        while "$ref" in schema:
            schema = self.schemas[schema["$ref"].rpartition("/")[2]]
        may_be_null = False
        forms = schema.get("oneOf") or schema.get("anyOf")
        if forms:
            rest = [form for form in forms if form.get("type") != "null"]
            may_be_null = len(rest) < len(forms)
            fitting = [form for form in rest if members <= set(form.get("properties", {}))]
            schema, inner = self.plain((fitting or rest)[0], members)
            return schema, may_be_null or inner
        if isinstance(schema.get("type"), list):
            rest = [name for name in schema["type"] if name != "null"]
            may_be_null = len(rest) < len(schema["type"])
            schema = {**schema, "type": rest[0]}
        return schema, may_be_null


def test_every_type_is_what_the_api_describes(types, document):
    comparison = Comparison(types, document).all()
    assert comparison.wrong == []
    assert {"Session.Status", "Report.Moment", "Bodies.FederatedSignIn", "Problem.Code"} <= comparison.seen


def asked():
    """The routes that the client asks for: method, and path with `{}` for what is filled in."""
    text = "\n".join(path.read_text() for path in API.parent.rglob("*.swift"))
    found = re.findall(r'\.(get|post)\(\s*"([^"]+)"', text) + re.findall(r'\.act\(\s*"(\w+)", "([^"]+)"', text)
    return {(method.upper(), re.sub(r"\\\([^)]*\)", "{}", path)) for method, path in found}


def test_every_route_that_the_client_asks_for_is_there(document):
    there = {(method.upper(), re.sub(r"{[^}]*}", "{}", path)) for path, one in document["paths"].items() for method in one}
    assert asked() - there == set()
    assert {("POST", "/v1/sessions/{}/finalize"), ("GET", "/v1/sessions/{}/events"), ("POST", "/v1/auth/apple")} <= asked()


def changed(document, change):
    document = copy.deepcopy(document)
    change(document["components"]["schemas"])
    return document


def renamed(schemas):
    session = schemas["Session"]
    session["properties"]["share"] = session["properties"].pop("progress")


def set_required(name, member):
    return lambda schemas: schemas[name].setdefault("required", []).append(member)


CHANGES = {
    "a member has another name": (renamed, "Session.progress is no member"),
    "a member may be missing": (
        lambda schemas: schemas["User"]["required"].remove("timeZone"), "User.timeZone must be optional"),
    "a member may be null": (
        lambda schemas: schemas["Goal"]["properties"]["unit"].update(type=["string", "null"]), "Goal.unit must be optional"),
    "a member is always there": (set_required("Report", "feedback"), "Report.feedback must not be optional"),
    "a member is another kind": (
        lambda schemas: schemas["Quota"]["properties"]["used"].update(type="number"), "Quota.used is Int"),
    "a status is new": (
        lambda schemas: schemas["Session"]["properties"]["status"]["examples"].append("paused"), "Session.Status has"),
    "a scenario is gone": (
        lambda schemas: schemas["SessionWish"]["properties"]["scenario"]["enum"].remove("pitch"), "SessionWish.Scenario has"),
    "a request needs more": (set_required("GoalSetting", "reason"), "GoalSetting lacks reason"),
    "a schema is gone": (lambda schemas: schemas.pop("ReportPage"), "ReportPage is nothing in the API's description"),
}


@pytest.mark.parametrize("change, says", CHANGES.values(), ids=CHANGES)
def test_a_change_of_the_api_that_the_client_does_not_know_is_caught(types, document, change, says):
    wrong = Comparison(types, changed(document, change)).all().wrong
    assert [line for line in wrong if line.startswith(says)], wrong


def test_the_members_of_single_problems_are_those_of_the_services():
    sources = "".join(path.read_text() for path in Path(places.ROOT, "Services").rglob("*.swift"))
    for member in OF_SINGLE_PROBLEMS["Problem"]:
        assert re.search(rf'\("{member}", |"{member}": ', sources), f"no service says {member}"
