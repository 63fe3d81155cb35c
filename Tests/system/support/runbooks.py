"""The commands of docs/operations.md and of other documents as they stand there, so that tests run what people read."""
import os
import re
import shlex

from support.places import ROOT

TOOLS = ["docker", "compose", "run", "--rm", "tools"]
LOCAL = ["./mirrormate"]


def commands():
    """The lines of the blocks of code by the heading under which they stand, as words and without what a comment says of them."""
    found, heading, is_code = {}, None, False
    with open(os.path.join(ROOT, "docs", "operations.md"), encoding="utf-8") as file:
        text = file.read().replace("\\\n", " ")
    for line in text.split("\n"):
        if line.startswith("```"):
            is_code = line == "```sh"
        elif line.startswith("## "):
            heading = line[3:]
        elif is_code and (words := shlex.split(line, comments=True)):
            found.setdefault(heading, []).append(words)
    return found


def scripts(heading):
    """The blocks of code under a heading, each as one text for a shell: of those whose lines need each other."""
    with open(os.path.join(ROOT, "docs", "operations.md"), encoding="utf-8") as file:
        section = file.read().split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return re.findall(r"^```sh\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)


def in_sentences():
    """The commands of Compose and of `infra` that stand in a line of text, with the document, and those in blocks, as words."""
    found = []
    for name in sorted(os.listdir(os.path.join(ROOT, "docs"))):
        if not name.endswith(".md"):
            continue
        with open(os.path.join(ROOT, "docs", name), encoding="utf-8") as file:
            text = file.read().replace("\\\n", " ")
        lines = re.findall(r"`((?:docker compose|\./infra/)[^`\n]*)`", text)
        for block in re.findall(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
            lines += [line for line in block.split("\n") if line.startswith(("docker compose ", "./infra/"))]
        found += [(name, shlex.split(line, comments=True)) for line in lines]
    return found


def sources(*folders):
    """The text of all Swift files below folders."""
    texts = []
    for folder in folders:
        for path, _, names in os.walk(os.path.join(ROOT, folder)):
            for name in names:
                if name.endswith(".swift"):
                    with open(os.path.join(path, name), encoding="utf-8") as file:
                        texts.append(file.read())
    return "\n".join(texts)


def of_the_tool(document):
    """The command lines of a document's blocks of code that are `mirrormate`'s, as words without its name."""
    found, is_code = [], False
    with open(os.path.join(ROOT, document), encoding="utf-8") as file:
        text = file.read().replace("\\\n", " ")
    for line in text.split("\n"):
        if line.startswith("```"):
            is_code = not is_code
        elif is_code and (match := re.match(r"(?:\$ )?(?:\./)?mirrormate (.*)", line)):
            found.append(shlex.split(match.group(1), comments=True))
    return found


def for_local_stack():
    """Those for a stack of `mirrormate up`: of the tools, which are `mirrormate` there, and of `mirrormate` itself."""
    chosen = {}
    for heading, lines in commands().items():
        for words in lines:
            for start in (TOOLS, LOCAL):
                if words[:len(start)] == start:
                    chosen.setdefault(heading, []).append(words[len(start):])
    return chosen


def for_compose():
    """Those for a stack of docker-compose.yml."""
    chosen = {heading: [words for words in lines if words[:1] != LOCAL] for heading, lines in commands().items()}
    return {heading: lines for heading, lines in chosen.items() if lines}


class Runbook:
    """A heading's commands, one after the other, with what stands for something in the place of the example's."""

    def __init__(self, lines, run):
        """`run` takes words, and gives exit code, output and notes."""
        self.left, self._run = list(lines), run

    def run(self, code, says, *also, **instead):
        """Runs the next command, with more words: its exit code, and what its output must say."""
        words = [instead.get(re.sub(r"\W", "_", word), word) for word in self.left.pop(0)]
        found, out, notes = self._run(*words, *also)
        assert (found, bool(re.search(says, out + notes))) == (code, True), f"{words}: wanted {code}, {says!r}:\n{found}\n{out}{notes}"
        return out + notes

    def end(self):
        assert not self.left, f"nobody runs {self.left}"
