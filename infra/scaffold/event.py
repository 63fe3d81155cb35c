"""make new-event: a published message, the private event behind it, and a word about it from everyone who reads the topic."""
import re

from fields import REASON, Field, parsed, sentence, subject_of, to_mean
from private_event import check, record, to_decide
from tree import NotFound, Refused, check_service


def add(tree, service, name, fields, readers, why="", command="", meaning=""):
    check(tree, service, name)
    for reader in readers:
        check_service(tree, reader)
        if reader == service:
            raise Refused(f"{service} publishes it: FOR names the other services that react to it, or is nobody.")
    about = subject_of(tree, service)
    fields, meaning, why = parsed(fields, about.members), sentence(meaning), sentence(why, REASON)
    publish(tree, service, name, fields, about, meaning)
    declare(tree, service, name, fields, about, meaning)
    log, case, begun = record(tree, service, name, fields, meaning, command,
                              lambda log: message(name, fields, about, log))
    others = say(tree, service, name, readers, why)
    title = service.capitalize()
    return [
        *to_decide(log, case, command), *begun,
        *to_mean([meaning, *(field.meaning for field in fields)],
                 f"Shared/Events/Contracts, ContractChecking/Catalogue*.swift and Services/{service}"),
        f"Tests/Services/{service}: a row of the rule table for it, the event among those that come back from their stored form, "
        "and what is published of it.",
        f"Tests/Services/ContractPathTests/{title}Story.swift: a step at the end of which the service publishes it.",
        "`make contracts-accept` writes its golden files; review them: they never change again.",
        "`make documents`, then `make contracts`, which names whatever is still missing.",
        *(f"Services/{reader}: what follows from it, instead of `.ignore` in the table of reactions; the message in "
          f"Contracts/{service}.contract.json; and a step of Tests/Services/ContractPathTests/{reader.capitalize()}Story.swift "
          "that hears it. `make contracts` names what is missing." for reader in readers),
        *([f"{', '.join(others)} read{'s' if len(others) == 1 else ''} the topic and ignore{'s' if len(others) == 1 else ''} it: "
           f"say why in the table of each, in the place of \"{REASON}\"; or move it up and say what follows from it."]
          if others and why == REASON else []),
    ]


def publish(tree, service, name, fields, about, meaning):
    path = f"Shared/Events/Contracts/{service.capitalize()}Messages.swift"
    own = [] if about.of_session else [Field(member, "uuid", words) for member, words in about.members.items()]
    own += fields
    lines = ["", f"/// {meaning}",
             f"package struct {name}: {'SessionMessage' if about.of_session else 'PublishedMessage'} {{",
             f'    package static let type = MessageType(.{service}, "{name}")', ""]
    if about.of_session:
        lines += ["    package var reference: SessionReference"]
    for field in own:
        lines += [f"    /// {field.meaning}", f"    package var {field.declared}"]
    parameters = ["_ reference: SessionReference"] if about.of_session else []
    parameters += [field.declared for field in own]
    lines += ["", f"    package init({', '.join(parameters)}) {{"]
    lines += ["        self.reference = reference"] if about.of_session else []
    lines += [f"        self.{field.name} = {field.name}" for field in own]
    lines += ["    }", "", "    package init(_ object: JSONObject) throws(JSONError) {"]
    lines += ["        reference = try SessionReference(object)"] if about.of_session else []
    lines += [f"        {field.name} = try object.{field.read}" for field in own]
    members = "[" + ", ".join(field.member for field in own) + "]"
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


def message(name, fields, about, log):
    """The message, made of the values of the private event."""
    if about.of_session:
        own = [log.name if log.root == "SessionReference" else f"{log.name}.reference"]
    else:
        own = [f"{member}: {log.name if log.root == 'UUID' else f'{log.name}.{member}'}" for member in about.members]
    return f"{name}({', '.join([*own, *(f'{field.name}: {field.name}' for field in fields)])})"


def declare(tree, service, name, fields, about, meaning):
    members = ["Catalogue.session", "Catalogue.owner"] if about.of_session else [
        f'FieldRule("{member}", .uuid, "{words}")' for member, words in about.members.items()]
    rules = [*members, *(field.rule for field in fields)]
    text = (f'DeclaredMessage({name}.self, .{service}, "{meaning}", key: "{about.owner}", '
            f'subject: "{about.subject}", [{", ".join(rules)}]),')
    anchor = "DeclaredMessage(\n            SigningKeyPublished.self" if service == "identity" \
        else f"DeclaredMessage(subjectErasedBy: .{service})"
    for path in tree.paths("Services/mirrormate/Contracts/ContractChecking"):
        if anchor in tree.read(path):
            tree.put(path, tree.read(path).replace(anchor, f"{text}\n        {anchor}", 1))
            return
    raise NotFound(f"No catalogue holds {anchor!r}; bring infra/scaffold up to date.")


def say(tree, service, name, readers, why):
    """An entry in the table of everyone who is to react, which does nothing yet; everyone else who reads the topic ignores it, for
    this reason. Gives the names of those."""
    known = [path.split("/")[1] for path in tree.paths("Services", f"Contracts/{service}.contract.json", deep=True)]
    for reader in readers:
        tree.replace(table(tree, reader), r"( *)ignoring: \[",
                     lambda m: f"{m[1]}.on({name}.self) {{ _ in .ignore }},\n{m[0]}")
    others = [reader for reader in known if reader not in readers]
    for reader in others:
        tree.replace(table(tree, reader), r"( *)ignoring: \[(.*?)\s*\]",
                     lambda m: f"{m[1]}ignoring: [{ignoring(m[2], m[1], name, why)}\n{m[1]}]")
    return others


def table(tree, reader):
    """The file with the service's table of reactions."""
    for file in tree.paths(f"Services/{reader}"):
        if "ignoring: [" in tree.read(file):
            return file
    raise NotFound(f"No file of Services/{reader} has a table of reactions with `ignoring`.")


def ignoring(listed, indent, name, why):
    """The lines of a list of types with another one at its end, under the reason."""
    begin = f"\n{indent}    "
    lines = ["", listed.strip().rstrip(",") + ","] if listed.strip() else [""]
    return begin.join([*lines, f"// {why}", f"{name}.type,"])
