"""The types of Swift files that are written in the house's format: what their JSON is, as far as declarations tell."""
import re

OPENS = re.compile(r"^( *)(?:public |private )?(struct|enum|extension|protocol) ([\w.]+)(?:: ([^{]+?))? \{(\})?$")
MEMBER = re.compile(r"^ *(?:public )?(?:internal\(set\) )?(?:let|var) (\w+): ([^={]+)$")
STATIC = re.compile(r'^ *(?:public )?static let \w+ = Self\(rawValue: "([^"]*)"\)$')
CASES = re.compile(r"^ *case ([^:{]+)$")
CODING = {"Decodable", "Encodable", "Codable", "OpenCode"}


class SwiftType:
    """A struct or an enum: its members with their types, or the texts that it may be."""

    def __init__(self, name, conformances):
        self.name = name
        self.conformances = conformances
        self.members = {}
        # Of an enum its cases, of an open code those that it names.
        self.texts = set()
        self.keys = None

    @property
    def is_sent(self):
        return bool({"Encodable", "Codable"} & self.conformances)

    @property
    def is_code(self):
        return "OpenCode" in self.conformances or "String" in self.conformances

    @property
    def is_document(self):
        return bool(CODING & self.conformances)

    @property
    def coded(self):
        """The members that are read or written."""
        return {name: kind for name, kind in self.members.items() if self.keys is None or name in self.keys}


def read(text):
    """The types of a file by their full names, such as `Session.Status`."""
    types = {}
    open_scopes = []
    for line in text.splitlines():
        indent = len(line) - len(line.lstrip())
        if line.strip() == "}" and open_scopes and open_scopes[-1][0] == indent:
            open_scopes.pop()
            continue
        opened = OPENS.match(line)
        if opened:
            _, kind, name, conformances, closed = opened.groups()
            full = ".".join([scope[1] for scope in open_scopes] + [name])
            if kind in ("struct", "enum"):
                listed = re.sub(r"<[^>]*>", "", conformances or "")
                types[full] = SwiftType(full, {one.strip() for one in listed.split(",") if one.strip()})
            if not closed:
                open_scopes.append((indent, name))
            continue
        if not open_scopes or indent != open_scopes[-1][0] + 4:
            continue
        holder = types.get(".".join(scope[1] for scope in open_scopes))
        if holder is None:
            continue
        member, static, cases = MEMBER.match(line), STATIC.match(line), CASES.match(line)
        if static:
            holder.texts.add(static[1])
        elif member:
            holder.members[member[1]] = member[2].strip()
        elif cases:
            holder.texts |= {_case(one) for one in cases[1].split(",")}
    for name in [name for name in types if name.endswith(".CodingKeys")]:
        keys = types.pop(name)
        types[name.removesuffix(".CodingKeys")].keys = keys.texts
    return types


def _case(text):
    name, _, raw = text.partition("=")
    return raw.strip().strip('"') if raw else name.strip()


def named(types, name, scope):
    """The type of a name as it is meant within another type."""
    parts = scope.split(".")
    for length in range(len(parts), -1, -1):
        full = ".".join(parts[:length] + [name])
        if full in types:
            return types[full]
    return None
