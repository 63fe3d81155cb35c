"""The project's files with the edits that were made so far: in memory until all of them have succeeded."""
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

TEMPLATES = Path(__file__).resolve().parent / "templates"


class Refused(Exception):
    """What was asked for cannot be done; the text says why."""


class NotFound(Exception):
    """The tree has another form than this program knows."""


class Tree:
    def __init__(self, root):
        self.root = root
        self._edited = {}

    def has(self, path):
        return path in self._edited or (self.root / path).exists()

    def read(self, path):
        if path not in self._edited:
            if not (self.root / path).is_file():
                raise NotFound(f"There is no {path} any more; bring infra/scaffold up to date.")
            return (self.root / path).read_text()
        return self._edited[path]

    def paths(self, folder, ending=".swift", deep=False):
        """The files of a folder with an ending, those that were just added among them."""
        files = (self.root / folder).rglob("*") if deep else (self.root / folder).glob("*")
        found = {str(file.relative_to(self.root)) for file in files}
        found |= {path for path in self._edited
                  if path.startswith(folder + "/") and (deep or "/" not in path[len(folder) + 1:])}
        return sorted(path for path in found if path.endswith(ending))

    def create(self, path, text):
        if self.has(path):
            raise Refused(f"{path} is there already.")
        self._edited[path] = text

    def create_from(self, template, path, names):
        self.create(path, filled((TEMPLATES / f"{template}.template").read_text(), names))

    def put(self, path, text):
        self._edited[path] = text

    def replace(self, path, pattern, replacement, count=1):
        """Replaces what a regular expression finds: as often as said, and no other number of times; 0 is any but none."""
        text, number = re.subn(pattern, replacement, self.read(path), flags=re.MULTILINE | re.DOTALL)
        if number == 0 or count not in (0, number):
            raise NotFound(f"{path} holds {number or 'no'} places like {pattern!r}; bring infra/scaffold up to date.")
        self._edited[path] = text

    def write(self):
        """Formats and writes everything, or nothing. Gives the paths."""
        found = subprocess.run([self.root / "infra/find-swift"], capture_output=True, text=True, check=False)
        if found.returncode != 0:
            print("No Swift toolchain found; run infra/setup. Nothing was written.", file=sys.stderr)
            sys.exit(3)
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            shutil.copy(self.root / ".swift-format", folder)
            for path, text in self._edited.items():
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).write_text(text)
            swift = [path for path in self._edited if path.endswith(".swift")]
            done = subprocess.run([found.stdout.strip(), "format", "--in-place", *swift], cwd=folder, capture_output=True,
                                  text=True, check=False)
            if done.returncode != 0:
                raise NotFound(f"What was made is not Swift: {done.stderr.strip()}")
            texts = {path: (folder / path).read_text() for path in self._edited}
        self._store(texts)
        return sorted(texts)

    def _store(self, texts):
        before = {path: (self.root / path).read_bytes() if (self.root / path).exists() else None for path in texts}
        try:
            for path, text in texts.items():
                (self.root / path).parent.mkdir(parents=True, exist_ok=True)
                (self.root / path).write_text(text)
        except BaseException:
            for path, content in before.items():
                if content is None:
                    (self.root / path).unlink(missing_ok=True)
                else:
                    (self.root / path).write_bytes(content)
            raise


def filled(text, names):
    """A template with its names, which stand between two @."""
    def name(match):
        if match[1] not in names:
            raise NotFound(f"A template names @{match[1]}@, which nobody gives it.")
        return names[match[1]]
    return re.sub(r"@([A-Za-z]+)@", name, text)


def services(tree):
    """The names of all services, in the order of the declaration."""
    found = re.search(r"^ +case ([a-z, ]+)$", tree.read("Shared/Events/Contracts/ServiceName.swift"), re.MULTILINE)
    if not found:
        raise NotFound("Shared/Events/Contracts/ServiceName.swift names the services in another way.")
    return [name.strip() for name in found[1].split(",")]


def check_service(tree, name):
    if name not in services(tree):
        raise Refused(f"There is no service {name}; the services are {', '.join(services(tree))}.")


def check_type(tree, name):
    """Refuses a name that is no CamelCase or that a declared type has."""
    if not re.fullmatch(r"[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)*", name):
        raise Refused(f"{name} is no name of a type: CamelCase is, such as ReportPrinted.")
    declared = re.compile(r"\b(?:struct|enum|class|protocol|typealias) %s\b" % name)
    for floor in ("Shared", "Services"):
        for path in tree.paths(floor, deep=True):
            if declared.search(tree.read(path)):
                raise Refused(f"{name} is declared already, in {path}.")


def camel(name):
    """ReportPrinted: reportPrinted"""
    return name[0].lower() + name[1:]


def snake(name):
    """ReportPrinted: report_printed"""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def spoken(name):
    """ReportPrinted: report printed"""
    return snake(name).replace("_", " ")
