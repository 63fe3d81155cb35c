"""Finds the `switch` statements of Swift that name every case of an enum, and gives each a line for a new case.

The sources are formatted, so that `case` stands where `switch` stands, and a closing brace too.
"""
import re
from dataclasses import dataclass

from tree import NotFound

# What an arm does that has nothing to say.
NEUTRAL = ("nil", "return nil", "[]", "return []", ".ignore", "return .ignore", "break", "continue", "state", "return state", "row",
           "return row")


@dataclass
class Arm:
    first: int
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
            return Arm(number, text[len("case "):place], text[place + 1:].strip())
    return Arm(number, text[len("case "):], "")


def cases(text, enum):
    """The cases of an enum that is declared in a file."""
    found = re.search(r"enum %s: [^{]*\{\n(.*?)(?=^    (?:package |private |static )*(?:var|func|init)|^\})" % enum, text,
                      re.DOTALL | re.MULTILINE)
    return re.findall(r"^    case (\w+)", found[1], re.MULTILINE) if found else []


def answer(switch, case, name, message):
    """The line for a case that carries a message: what it says where something must be said, else nothing."""
    signature = switch.signature
    bodies = [arm.body for arm in switch.arms]
    returns = any(body.startswith("return ") for body in bodies)
    statements = not returns and any(body in ("break", "continue") or re.match(r"[\w.\[\]?!]+ [+-]?= ", body)
                                     for body in bodies)
    give = "return " if returns else ""
    if re.search(r"var type: EventType", signature):
        return f'case .{case}: {give}EventType("{name}")'
    if re.search(r"var data: JSONObject", signature):
        return f"case .{case}(let message): " + ("object = message.json" if statements else f"{give}message.json")
    if re.search(r"func outgoing\(", signature):
        return f"case .{case}(let message): {give}Outgoing(message)"
    if re.search(r"-> String\b|var \w+: String\b", signature):
        return f'case .{case}: {give}"{message.words}"'
    if re.search(r"var \w+: UUID \{", signature):
        return f"case .{case}(let message): {give}message.{message.owner}"
    if evolve := re.search(r"func evolve\(\s*_ (\w+):", signature):
        return f"case .{case}: " + ("break" if statements or "break" in bodies else f"{give}{evolve[1]}")
    for arm in reversed(switch.arms):
        if arm.body in NEUTRAL:
            return f"case .{case}: {arm.body}"
    # The last arm speaks of all that matters no further.
    if "(" not in switch.arms[-1].patterns:
        return None
    raise NotFound(f"No line was found for the new case in the switch of {signature!r}.")


def with_case(text, enum_cases, case, name, message):
    """A file with the new case in each switch that names every case of the enum."""
    while True:
        for switch in switches(text):
            if set(enum_cases) == switch.covered:
                break
        else:
            return text
        lines = switch.lines
        line = answer(switch, case, name, message)
        indent = " " * (len(lines[switch.arms[0].first]) - len(lines[switch.arms[0].first].lstrip()))
        if line is None:
            first = switch.arms[-1].first
            lines[first] = lines[first].replace("case ", f"case .{case}, ", 1)
        else:
            lines.insert(switch.last, indent + line)
        text = "\n".join(lines)
