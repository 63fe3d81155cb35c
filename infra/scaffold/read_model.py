"""make new-read-model: a row, its table and the fold of the service's log into it."""
import re

from private_event import private_event
from switches import cases
from tree import NotFound, Refused, check_service, check_type, snake, spoken


def add(tree, service, name):
    check_service(tree, service)
    for ending in ("Row", "Projection"):
        check_type(tree, name + ending)
    table = snake(name)
    if tree.has(f"Services/{service}/Schema/{table}.sql"):
        raise Refused(f"{service} has a migration {table} already.")
    path, enum = private_event(tree, service)
    declaration = f"Services/{service}/{service.capitalize()}Service.swift"
    # A log of several aggregates has an event type of its own.
    whole = re.search(r"enum (\w+): PrivateEvent, Equatable \{\n    case \w+\(%s\)" % enum,
                      "".join(tree.read(file) for file in tree.paths(f"Services/{service}")))
    about = re.search(r"package var (\w+): (SessionReference|\w+Identity)\? \{", tree.read(path))
    category = re.search(r'categories: \[(\w+\.category)\b', tree.read(declaration))
    if not category:
        raise NotFound(f"{declaration} names no category of streams.")
    names = {
        "Name": name, "table": table, "words": spoken(name), "service": service,
        "Event": whole[1] if whole else enum, "root": f".{about[1]}" if about else "", "id": identity(tree, service, about),
        # The members of what messages name lie in their module.
        "imports": "import Contracts\n" if about and about[2].startswith("Session") else "",
    }
    template = "read_model/Projection.swift" if about and not whole else "read_model/ProjectionToFill.swift"
    if template.endswith("/Projection.swift"):
        known = cases(tree.read(path), enum)
        gone = [case for case in known if case in ("erased", "subjectErased")]
        names["gone"] = ", ".join(f".{case}" for case in gone)
        names["rest"] = ", ".join(f".{case}" for case in known if case not in gone)
    tree.create_from("read_model/Row.swift", f"Services/{service}/{name}Row.swift", names)
    tree.create_from(template, f"Services/{service}/{name}Projection.swift", names)
    tree.create_from("read_model/schema.sql", f"Services/{service}/Schema/{table}.sql", names)
    enter(tree, declaration, name, table, category[1])
    offer(tree, service, table)
    permit(tree, service, table)
    return [
        f"Services/{service}/Schema/{table}.sql and {name}Row.swift: the columns. The migration may change until it was deployed "
        "once, and never after that.",
        f"Services/{service}/{name}Projection.swift: which events change which row, and how.",
        f"Tests/Services/{service}: a history and the row that it makes; a rebuild is tested for every read model "
        "(Tests/Services/mirrormate/ReplayTests) as soon as AllSchemas folds it.",
        f"Services/{service}/README.md: row and projection in the reading order, which `make t T=House` asks for.",
        f"Tests/Services/DeclarationTests/ExportedTableTests.swift: which table of an export says what {table} says, or why its owners "
        "do not need it.",
        f"Who reads it: a route, with `context.owners`; those who wait for its changes get `context.live({name}Projection.self)`.",
    ]


def identity(tree, service, about):
    """The member that names what an event is about."""
    if not about:
        return "id"
    return "sessionId" if service in ("sessions", "analysis", "reporting") else next(
        (found[1] for file in tree.paths(f"Services/{service}")
         if (found := re.search(r"struct \w+Identity: [^{]*\{\n(?:    ///[^\n]*\n)*    package var (\w+): UUID", tree.read(file)))),
        "id")


def enter(tree, declaration, name, table, category):
    """Its migration behind the others, its fold behind the others."""
    extend(tree, declaration, r"migrations(?:: \[Migration\])?", f'Migration("{table}", PackageResources.{table}_sql)')
    extend(tree, declaration, r"readModels(?:: \[ReadModelHistory\])?",
           f'ReadModelHistory.readModel({name}Projection.self, of: {category})')


def offer(tree, service, table):
    """The command line offers it as soon as it is there; a test knows the read models of a service by name."""
    path = "Tests/Services/mirrormate/MirrormateTests/CompletionTests.swift"
    text = tree.read(path)
    changed = re.sub(r'(== \["%s/[^\]]*)\]' % service, rf'\1, "{service}/{table}"]', text)
    if changed != text:
        tree.put(path, changed)


def permit(tree, service, table):
    """What the service's login role may do with the table; a test knows the rights of each role by name."""
    path = "Tests/Services/DeclarationTests/RightsTests.swift"
    right = f"    table {table} of owners: delete, insert, select, update\n"
    if f"    .{service}: \"\"\"\n" in tree.read(path):
        tree.replace(path, rf'^(    \.{service}: """\n(?:    [^\n]*\n)*?)(    """,)$', rf"\g<1>{right}\2")
    else:
        tree.replace(path, r"^(    \.reporting: \"\"\"\n(?:    [^\n]*\n)*?    \"\"\",\n)",
                     rf'\g<1>    .{service}: """\n{right}    """,\n')


def extend(tree, path, variable, element):
    """Adds an element where the last literal of a static list ends."""
    text = tree.read(path)
    found = re.search(r"static let %s =\s*(.*?)(?=\n    (?:package|///))" % variable, text, re.DOTALL)
    if found and re.search(r"\] \+ \w+\.migrations$", found[1].rstrip()):
        # What other rooms declare came before; what is new comes behind it.
        tree.put(path, text[:found.start(1)] + found[1].rstrip() + f" + [{element}]" + text[found.end(1):])
        return
    if not found or not found[1].rstrip().endswith("]"):
        raise NotFound(f"{path} has no list like {variable!r} that ends with a literal; bring infra/scaffold up to date.")
    body = found[1].rstrip()[:-1].rstrip().rstrip(",")
    body += ("" if body.endswith("[") else ", ") + element + ",\n    ]\n"
    tree.put(path, text[:found.start(1)] + body + text[found.end(1):])
