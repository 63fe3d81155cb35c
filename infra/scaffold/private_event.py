"""make new-private-event: a case of a service's events with values of its own, its coding, a word about it from every switch over
them, and the command that leads to it."""
import re
from dataclasses import dataclass

from fields import parsed, sentence, subject_of, to_mean, words_of
from switches import Case, cases, with_case
from tree import NotFound, Refused, camel, check_service, check_type, spoken


@dataclass
class Log:
    """The events of a service: where they are declared, and with what they begin, which names what they are about."""
    service: str
    path: str
    enum: str
    others: dict
    # The type of that first value, and what it is called.
    root: str
    name: str
    # Whether every event has it.
    always: bool


@dataclass
class Command:
    """A command that leads to the event with the same values."""
    case: str
    enum: str
    path: str
    others: dict


def private_event(tree, service):
    """Where the service's event is declared, and its name; of several the one with most cases."""
    found = []
    for path in tree.paths(f"Services/{service}"):
        for enum in re.findall(r"enum (\w+): PrivateEvent", tree.read(path)):
            found.append((len(cases(tree.read(path), enum)), path, enum))
    if not found:
        raise NotFound(f"No file of Services/{service} declares an enum of private events.")
    return max(found)[1:]


def log_of(tree, service):
    path, enum = private_event(tree, service)
    others = cases(tree.read(path), enum)
    firsts = [first for first in others.values() if first]
    if not firsts:
        raise NotFound(f"No event of {enum} begins with what it is about.")
    root = max(firsts, key=firsts.count)
    named = re.search(r"package var (\w+): %s\?? \{" % root, tree.read(path))
    name = named[1] if named else camel(re.sub("(Identity|Reference)$", "", root))
    return Log(service, path, enum, others, root, name, bool(named))


def check(tree, service, name):
    check_service(tree, service)
    check_type(tree, name)
    if re.search(r'EventType\("%s"' % name, "".join(tree.read(path) for path in tree.paths(f"Services/{service}", deep=True))):
        raise Refused(f"{service} has a private event {name} already.")


def add(tree, service, name, fields, command="", meaning=""):
    check(tree, service, name)
    fields = parsed(fields, subject_of(tree, service).members if log_of(tree, service).always else ())
    meaning = sentence(meaning)
    log, case, begun = record(tree, service, name, fields, meaning, command)
    return [
        *to_decide(log, case, command), *begun, *to_mean([meaning], f"Services/{service}"),
        f"Tests/Services/{service}: a row of the rule table for it, and the event among those that come back from their stored "
        "form.",
        f"Tests/Services/ContractPathTests/{service.capitalize()}Story.swift: a step at the end that leads to it.",
        "`make contracts-accept` writes its golden file; review it: it never changes again.",
    ]


def to_decide(log, case, command):
    aggregate = f"Services/{log.service}/…Decisions.swift"
    if not command:
        return [f"{aggregate}: when `.{case}` follows; nothing decides it yet."]
    return [f"{aggregate}: when `.{case}` follows from `.{command}`; so far it does in every state. "
            'The rule takes the place of "Say when it follows."']


def record(tree, service, name, fields, meaning, command="", message=None):
    """Writes the case, and its command if one is named. Gives the log, the case and what is only a beginning.

    message: what is published of it, as a function of the log; nothing is without.
    """
    log = log_of(tree, service)
    case = shortened(name, log)
    asked = command_of(tree, log, command) if command else None
    # Members that name what it is about take the place of a whole reference.
    rooted = log.always or not {field.name for field in fields} & set(subject_of(tree, service).members)
    first, root = ([log.name], log.root) if rooted else ([], None)
    every = bound(first + [field.name for field in fields])
    values = ", ".join(first + [f"{field.name}: {field.name}" for field in fields])
    declared = ", ".join(([root] if rooted else []) + [field.declared for field in fields])
    new = Case(case, log.others, root, len(first) + len(fields), words_of(meaning, name), {
        r"var type: EventType": ("", f'EventType("{name}")'),
        r"var data: JSONObject": data(tree, log, first, fields),
        r"func outgoing\(": (every, f"Outgoing({message(log)})") if message else ("", "nil"),
        **({r"func recalled\(.*-> %s\?" % asked.enum: (every, f".{command}({values})")} if asked else {}),
    })
    tree.replace(log.path, r"(enum %s: PrivateEvent.*?\n)((?=\n    (?:///|package|private))|(?=\}))" % log.enum,
                 lambda found: f"{found[1]}    /// {meaning}\n    case {case}({declared})\n", 1)
    begun = enter(tree, service, new)
    decode(tree, log, name, case, first, fields)
    publish(tree, service, new)
    if asked:
        tree.replace(asked.path, r"(enum %s: [^{]*\{\n.*?)(?=\n    // Erasure\.|^\})" % asked.enum,
                     lambda found: f"{found[1]}    /// {meaning}\n    case {command}({declared})\n", 1)
        begun += enter(tree, service, Case(command, asked.others, root, new.values, spoken(command), {
            r"func decide\(": (every, f"[.{case}({values})]")}, {r"func decide\(": "Say when it follows."}))
    left = [f"{path}: {', '.join(functions)}" for path, functions in begun]
    return log, case, ["\n       ".join(["Answers that say nothing yet, to be written or left on purpose:", *left])]


def data(tree, log, first, fields):
    """What the case binds where its stored form is made, and that form."""
    members = f"[{', '.join(field.member for field in fields)}]"
    if first and re.search(r"let common\b.*=", tree.read(log.path)):
        first, whole = ["_"], "common"
    else:
        whole = f"{log.name}.json"
    if first:
        members = f"{whole}.adding({members})" if fields else whole
    return bound(first + [field.name for field in fields]), members


def shortened(name, log):
    """ReportPrinted of a report's events: printed, if that says it too."""
    short = name.removeprefix(log.enum.removesuffix("Event"))
    case = camel(short if short and camel(short) not in log.others else name)
    if case in log.others:
        raise Refused(f"{log.enum} has a case {case} already.")
    return case


def bound(names):
    """The values of a pattern."""
    if set(names) <= {"_"}:
        return ""
    return "(" + ", ".join(name if name == "_" else f"let {name}" for name in names) + ")"


def command_of(tree, log, command):
    if not re.fullmatch(r"[a-z][A-Za-z0-9]*", command):
        raise Refused(f"{command} is no name of a command: camelCase is, such as shareReport.")
    sources = {path: tree.read(path) for path in tree.paths(f"Services/{log.service}")}
    enums = {enum for text in sources.values()
             for enum in re.findall(r"typealias Command = (\w+)\n *package typealias Event = %s\n" % log.enum, text)}
    found = {enum: Command(command, enum, path, cases(text, enum)) for enum in enums
             for path, text in sources.items() if cases(text, enum)}
    if not found or set(found) != enums:
        raise NotFound(f"No file of Services/{log.service} declares the enum of the commands that lead to {log.enum}.")
    # Of several aggregates with these events the one that can be asked most.
    asked = max(found.values(), key=lambda one: len(one.others))
    if command in asked.others:
        raise Refused(f"{asked.enum} has a case {command} already.")
    return asked


def enter(tree, service, new):
    """The case in every switch that sees the enum. Gives the files with the answers that are only a beginning."""
    left = []
    for folder in ("Services", "Tests/Services"):
        for path in tree.paths(folder, deep=True):
            text = tree.read(path)
            # Enums of two services may have the same cases.
            if not path.startswith(f"Services/{service}/") and not re.search(r"\bimport %s$" % service, text, re.MULTILINE):
                continue
            changed, begun = with_case(text, new)
            if changed != text:
                tree.put(path, changed)
            if begun:
                left.append((path, begun))
    return left


def decode(tree, log, name, case, first, fields):
    """Its line before the `default` of the switch that reads stored events by their names."""
    for path in tree.paths(f"Services/{log.service}"):
        text = tree.read(path)
        found = re.search(r"func read\([^{]*throws\(JSONError\) -> %s\? \{.*?\n    \}" % log.enum, text, re.DOTALL)
        if not found or "default:" not in found[0]:
            continue
        if given := re.search(r"\bof (\w+): %s\b" % log.root, found[0]):
            whole = given[1]
        else:
            whole = f'data.uuid("{log.name}")' if log.root == "UUID" else f"{log.root}(data)"
        values = ", ".join([whole][:len(first)] + [f"{field.name}: data.{field.read}" for field in fields])
        line = "return " if "default: return nil" in found[0] else ""
        line += ("try " if "data" in values else "") + f".{case}({values})"
        tree.put(path, text.replace(found[0], found[0].replace("default:", f'case "{name}": {line}\n        default:', 1), 1))
        return
    raise NotFound(f"No file of Services/{log.service} reads stored events by their names.")


def publish(tree, service, new):
    """What is published, where the switch of `outgoing` does not name the enum's own cases but those of a log of several."""
    path = f"Services/{service}/PublishedBy{service.capitalize()}.swift"
    if re.search(r"\.%s\b" % new.name, tree.read(path)):
        return
    values, said = new.known[r"func outgoing\("]
    inner = f".{new.name}{values}"
    pattern = f".user({inner})" if service == "identity" else inner
    # Cases with labels that part one case in two cover it all the same.
    tree.replace(path, r"(switch event \{\n)", lambda found: f"{found[1]}        case {pattern}: {said}\n")
