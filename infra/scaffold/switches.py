"""Finds the `switch` statements of Swift that name every case of an enum, and gives each a line for a new case.

The sources are formatted, so that `case` stands where `switch` stands, and a closing brace too.
"""
import re
from dataclasses import dataclass, field

from tree import NotFound

# What an arm does that has nothing to say.
NEUTRAL = ("nil", "return nil", "[]", "return []", ".ignore", "return .ignore", "break", "continue", "state", "return state", "row",
           "return row")



@dataclass
class Case:
    """A new case of an enum, and what can be said of it without knowing what it means."""
    name: str
    # The enum's other cases, each with the type of its first value; None where it has none or a label.
    others: dict
    # The type of the first value of the new one if that names what it is about, and the number of its values.
    root: str | None
    values: int
    words: str
    # By a part of a signature: what the case binds there, and what it says.
    known: dict
    # By a part of a signature: what is still to be said there, as a comment over the case.
    open: dict = field(default_factory=dict)

    def binding(self, name):
        """The pattern that binds its first value alone."""
        return f".{self.name}(let {name}{', _' * (self.values - 1)})"


@dataclass
class Arm:
    first: int
    end: int
    patterns: str
    body: str


@dataclass
class Switch:
    lines: list
    first: int
    last: int
    arms: list

    @property
    def covered(self):
        """The cases that the arms name, and only at the outside of a pattern."""
        return {name for arm in self.arms for name in re.findall(r"(?:^|, )\.(\w+)", unparenthesised(arm.patterns))}

    @property
    def signature(self):
        """The function, initialiser or property that it stands in."""
        indent = len(self.lines[self.first]) - len(self.lines[self.first].lstrip())
        for number in range(self.first - 1, -1, -1):
            line = self.lines[number]
            if re.match(r" *(?:[a-z@]\w* )*(?:func|var|init)\b", line) and len(line) - len(line.lstrip()) < indent:
                return " ".join(part.strip() for part in self.lines[number:self.first])
        return ""

    @property
    def name(self):
        """What its function is called."""
        found = re.search(r"\b(?:func|var) (\w+)|\b(init)\b", self.signature)
        return (found[1] or found[2]) if found else "a switch"


def unparenthesised(text):
    while (less := re.sub(r"\([^()]*\)", "", text)) != text:
        text = less
    return text


def switches(text):
    lines = text.split("\n")
    for first, line in enumerate(lines):
        if not re.search(r"\bswitch .* \{$", line):
            continue
        indent = len(line) - len(line.lstrip())
        last = next((n for n in range(first + 1, len(lines)) if re.match(r" {0,%d}\}" % indent, lines[n])), None)
        if last is None:
            continue
        arms, number = [], first + 1
        while number < last:
            if re.match(r" {%d}case " % indent, lines[number]):
                end = next((n for n in range(number + 1, last) if re.match(r" {%d}(case |default:|//)" % indent, lines[n])), last)
                arms.append(arm(lines, number, end))
                number = end
            else:
                number += 1
        if not any(re.match(r" {%d}default:" % indent, lines[n]) for n in range(first, last)):
            yield Switch(lines, first, last, arms)


def arm(lines, number, end):
    text = " ".join(line.strip() for line in lines[number:end])
    depth = 0
    for place, letter in enumerate(text):
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(letter, 0)
        if letter == ":" and depth == 0:
            return Arm(number, end, text[len("case "):place], text[place + 1:].strip())
    return Arm(number, end, text[len("case "):], "")


def cases(text, enum):
    """The cases of an enum that is declared in a file, each with the type of its first value, if that has no label."""
    found = re.search(r"enum %s: [^{]*\{\n(.*?)(?=^    (?:package |private |static )*(?:var|func|init)|^\})" % enum, text,
                      re.DOTALL | re.MULTILINE)
    named = re.findall(r"^    case (\w+)(?:\(\s*(\w+)\s*[,)])?", found[1], re.MULTILINE) if found else []
    return {name: first or None for name, first in named}


def about(switch, new):
    """Where a switch gives what an event is about: the arm of the cases that begin as the new one does, and what they call it."""
    if not new.root or not re.search(r"func keys\(of|var \w+: %s\b" % new.root, switch.signature):
        return None
    for arm in switch.arms:
        bound = set(re.findall(r"\blet (\w+)", arm.patterns))
        named = re.findall(r"\.(\w+)\(let ", arm.patterns)
        if len(bound) == 1 and named and all(new.others.get(name) == new.root for name in named):
            return arm, bound.pop()
    return None


def neutral(switch, new, give, statements):
    """What an arm does that has nothing to say; None when the last arm speaks of all that matters no further."""
    bodies = [arm.body for arm in switch.arms]
    if evolve := re.search(r"func evolve\(\s*_ (\w+):", switch.signature):
        return "break" if statements or "break" in bodies else f"{give}{evolve[1]}"
    for body in reversed(bodies):
        if body in NEUTRAL:
            return body
    if "(" not in switch.arms[-1].patterns:
        return None
    raise NotFound(f"No line was found for the new case in the switch of {switch.signature!r}.")


def answer(switch, new):
    """The line for a case, or the arm and the pattern with which it joins that; and what is only a beginning."""
    if found := about(switch, new):
        return None, found[0], new.binding(found[1]), None
    bodies = [arm.body for arm in switch.arms]
    returns = any(body.startswith("return ") for body in bodies)
    statements = not returns and any(body in ("break", "continue") or re.match(r"[\w.\[\]?!]+ [+-]?= ", body)
                                     for body in bodies)
    give = "return " if returns else ""
    for part, (binding, said) in new.known.items():
        if re.search(part, switch.signature):
            return f"case .{new.name}{binding}: {give}{said}", None, None, None
    if re.search(r"-> String\b|var \w+: String\b", switch.signature):
        return f'case .{new.name}: {give}"{new.words}"', None, None, f'"{new.words}"'
    said = neutral(switch, new, give, statements)
    if said is None:
        return None, switch.arms[-1], f".{new.name}", "as its last arm"
    return f"case .{new.name}: {said}", None, None, said.removeprefix("return ")


def with_case(text, new):
    """A file with the new case in each switch that names every other case of its enum, and which answers are only a beginning."""
    begun = []
    while True:
        switch = next((switch for switch in switches(text) if set(new.others) == switch.covered), None)
        if switch is None:
            return text, begun
        line, arm, pattern, beginning = answer(switch, new)
        lines = switch.lines
        indent = re.match(" *", lines[switch.arms[0].first])[0]
        if line:
            still = [f"{indent}// {said}" for part, said in new.open.items() if re.search(part, switch.signature)]
            lines[switch.last:switch.last] = [*still, indent + line]
        elif beginning:
            lines[arm.first] = lines[arm.first].replace("case ", f"case {pattern}, ", 1)
        else:
            lines[arm.first:arm.end] = [f"{indent}case {arm.patterns}, {pattern}: {arm.body}"]
        if beginning:
            begun.append(f"{switch.name} ({beginning})")
        text = "\n".join(lines)
