"""make new-event: a published message, the private event behind it, and a word about it from everyone who reads the topic."""
import re
from dataclasses import dataclass

from switches import cases, with_case
from tree import NotFound, Refused, camel, check_service, check_type, spoken

# For each form of a field: its Swift type, its reader, its JSON and its form in the catalogue.
FORMS = {
    "uuid": ("UUID", "uuid", "uuid", "uuid"),
    "time": ("Timestamp", "timestamp", "time", "time"),
    "int": ("Int64", "int", "int", "integer"),
    "bool": ("Bool", "bool", "bool", "boolean"),
}
UNITS = {"Ms": "milliseconds", "Seconds": "seconds", "Bytes": "bytes", "Percent": "percent"}


@dataclass
class Message:
    """What the lines of switches need to know of the message."""
    words: str
    owner: str


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


def add(tree, service, name, fields):
    check_service(tree, service)
    check_type(tree, name)
    fields = [parsed(field) for field in fields]
    subject = subject_of(tree, service)
    fields = [field for field in fields if field[0] not in subject.members]
    if len({field for field, _ in fields}) < len(fields):
        raise Refused("A field is named twice.")
    path, enum = private_event(tree, service)
    if re.search(r'EventType\("%s"' % name, "".join(tree.read(p) for p in tree.paths(f"Services/{service}"))):
        raise Refused(f"{service} has a private event {name} already.")

    publish(tree, service, name, fields, subject)
    declare(tree, service, name, fields, subject)
    record(tree, service, name, path, enum, subject)
    readers = ignore(tree, service, name)
    title = service.capitalize()
    return [
        f"Services/{service}/: the rule. Say in the aggregate's `decide` when `.{camel(name)}` follows, and in `evolve` what "
        "it changes; nothing decides it yet.",
        "The meanings of the message and its fields, in Shared/Events/Contracts and ContractChecking/Catalogue*.swift: they go "
        "into the documents.",
        f"Tests/Services/{service}: rows of the rule table for it, the event among those that come back from their stored form, "
        "and what is published of it.",
        f"Tests/Services/ContractPathTests/{title}Story.swift: a step at the end of which the service publishes it.",
        "`make contracts-accept` writes its golden files; review them: they never change again.",
        "`make documents`, then `make contracts`, which names whatever is still missing.",
        f"Who does something about it: an entry in its table instead of the one in `ignoring` ({', '.join(readers) or 'nobody'} "
        f"read{'s' if len(readers) == 1 else ''} the topic), and the message in its Contracts/{service}.contract.json.",
    ]


def parsed(field):
    name, _, form = field.partition(":")
    if not re.fullmatch(r"[a-z][A-Za-z0-9]*", name):
        raise Refused(f"{field}: a field has a name such as sharedAt, a colon and a form.")
    if form not in FORMS:
        raise Refused(f"{field}: the forms are {', '.join(FORMS)}. Texts do not belong into topics, which keep everything; "
                      "for a code or an object write the field by hand.")
    return name, form


def private_event(tree, service):
    """Where the service's event is declared, and its name; of several the one with most cases."""
    found = []
    for path in tree.paths(f"Services/{service}"):
        for enum in re.findall(r"enum (\w+): PrivateEvent", tree.read(path)):
            found.append((len(cases(tree.read(path), enum)), path, enum))
    if not found:
        raise NotFound(f"No file of Services/{service} declares an enum of private events.")
    return max(found)[1:]


def publish(tree, service, name, fields, about):
    path = f"Shared/Events/Contracts/{service.capitalize()}Messages.swift"
    own = [] if about.of_session else [(member, "uuid", meaning) for member, meaning in about.members.items()]
    own += [(field, form, meaning(field)) for field, form in fields]
    lines = ["", f"/// {spoken(name).capitalize()}.",
             f"package struct {name}: {'SessionMessage' if about.of_session else 'PublishedMessage'} {{",
             f'    package static let type = MessageType(.{service}, "{name}")', ""]
    if about.of_session:
        lines += ["    package var reference: SessionReference"]
    for field, form, words in own:
        lines += [f"    /// {words}", f"    package var {field}: {FORMS[form][0]}"]
    parameters = ["_ reference: SessionReference"] if about.of_session else []
    parameters += [f"{field}: {FORMS[form][0]}" for field, form, _ in own]
    lines += ["", f"    package init({', '.join(parameters)}) {{"]
    lines += ["        self.reference = reference"] if about.of_session else []
    lines += [f"        self.{field} = {field}" for field, _, _ in own]
    lines += ["    }", "", "    package init(_ object: JSONObject) throws(JSONError) {"]
    lines += ["        reference = try SessionReference(object)"] if about.of_session else []
    lines += [f'        {field} = try object.{FORMS[form][1]}("{field}")' for field, form, _ in own]
    members = "[" + ", ".join(f'"{field}": .{FORMS[form][2]}({field})' for field, form, _ in own) + "]"
    if about.of_session:
        members = f"reference.json.adding({members})" if own else "reference.json"
    lines += ["    }", "", f"    package var json: JSONObject {{ {members} }}"]
    if not about.of_session:
        lines += [f"    package var ownerKey: MessageKey {{ .owner({about.owner}) }}",
                  f"    package var subject: String {{ {about.subject}.description }}"]
    lines += ["}", ""]
    if tree.has(path):
        tree.put(path, tree.read(path).rstrip("\n") + "\n" + "\n".join(lines))
    else:
        tree.create(path, "package import JSON\npackage import Primitives\n" + "\n".join(lines))


def meaning(field):
    """sharedAt: Shared at."""
    return spoken(field[0].upper() + field[1:]).capitalize() + "."


def declare(tree, service, name, fields, about):
    rules = [f'FieldRule("{member}", .uuid, "{words}")' for member, words in about.members.items()]
    for field, form in fields:
        unit = ""
        if form == "int":
            unit = next((f", unit: .{unit}" for ending, unit in UNITS.items() if field.endswith(ending)), ", unit: .count")
        rules.append(f'FieldRule("{field}", .{FORMS[form][3]}, "{meaning(field)}"{unit})')
    text = (f'DeclaredMessage({name}.self, .{service}, "{spoken(name).capitalize()}.", key: "{about.owner}", '
            f'subject: "{about.subject}", [{", ".join(rules)}]),')
    if about.of_session:
        text = text.replace(rules[0], "Catalogue.session").replace(rules[1], "Catalogue.owner")
    anchor = "DeclaredMessage(\n            SigningKeyPublished.self" if service == "identity" \
        else f"DeclaredMessage(subjectErasedBy: .{service})"
    for path in tree.paths("Services/mirrormate/Contracts/ContractChecking"):
        if anchor in tree.read(path):
            tree.put(path, tree.read(path).replace(anchor, f"{text}\n        {anchor}", 1))
            return
    raise NotFound(f"No catalogue holds {anchor!r}; bring infra/scaffold up to date.")


def record(tree, service, name, path, enum, about):
    """The private event, which carries what is published, in its enum, its coding and every switch over it."""
    case = camel(name)
    known = cases(tree.read(path), enum)
    if case in known:
        raise Refused(f"{enum} has a case {case} already.")
    message = Message(words=spoken(name), owner=about.owner)
    tree.replace(path, r"(enum %s: PrivateEvent.*?\n)((?=\n    (?:///|package|private))|(?=\}))" % enum,
                 r"\1    /// %s.\n    case %s(%s)\n" % (spoken(name).capitalize(), case, name), 1)
    for folder in ("Services", "Tests/Services"):
        for file in tree.paths(folder, deep=True):
            text = tree.read(file)
            # Enums of two services may have the same cases.
            sees = file.startswith(f"Services/{service}/") or re.search(r"\bimport %s$" % service, text, re.MULTILINE)
            if sees and (changed := with_case(text, known, case, name, message)) != text:
                tree.put(file, changed)
    decode(tree, service, name, case)
    published(tree, service, case)


def decode(tree, service, name, case):
    """Its line before the `default` of the switch that reads stored events by their names."""
    enum = private_event(tree, service)[1]
    for path in tree.paths(f"Services/{service}"):
        text = tree.read(path)
        found = re.search(r"throws\(JSONError\) -> %s\? \{.*?\n    \}" % enum, text, re.DOTALL)
        if not found or "default:" not in found[0]:
            continue
        returns = "default: return nil" in found[0]
        line = f'case "{name}": ' + ("return " if returns else "") + f"try .{case}({name}(data))\n        "
        if returns:
            line = line.replace(f"try .{case}({name}", f".{case}(try {name}")
        changed = found[0].replace("default:", line + "default:", 1)
        tree.put(path, text.replace(found[0], changed, 1))
        return
    raise NotFound(f"No file of Services/{service} reads stored events by their names.")


def published(tree, service, case):
    """The message, where the switch of `outgoing` does not name the enum's own cases but those of a log of several."""
    path = f"Services/{service}/PublishedBy{service.capitalize()}.swift"
    if f".{case}(let message)" in tree.read(path):
        return
    if service == "identity":
        tree.replace(path, r"(switch event \{\n)", r"\1        case .user(.%s(let message)): Outgoing(message)\n" % case)
    else:
        # Cases with labels that part one case in two cover it all the same.
        tree.replace(path, r"(switch event \{\n)", r"\1        case .%s(let message): Outgoing(message)\n" % case)


def ignore(tree, service, name):
    """Everyone who reads the topic says that the message does not concern it so far. Gives their names."""
    readers = []
    for path in tree.paths("Services", f"Contracts/{service}.contract.json", deep=True):
        reader = path.split("/")[1]
        for file in tree.paths(f"Services/{reader}"):
            if "ignoring: [" in tree.read(file):
                tree.replace(file, r"(ignoring: \[)(.*?),?(\s*)\]",
                             lambda m: m[1] + m[2] + (", " if m[2].strip() else "") + f"{name}.type" + m[3] + "]")
                readers.append(reader)
                break
        else:
            raise NotFound(f"No file of Services/{reader} has a table of reactions with `ignoring`.")
    return readers
