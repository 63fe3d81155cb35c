"""By what a verdict is kept: all that a test target is made of, and the change.

The sources of other targets may change without a change being judged again. What a test reads besides them cannot be seen here, so all
that is no Swift source, and lies with no target that it has nothing to do with, counts for tests that know where the checkout is.
"""
import hashlib
import json
import re
import subprocess

FOLDERS = ("Shared/", "Services/", "Tests/")
# A test that looks for the checkout reads files from it.
READS = re.compile(rb"\bCheckout\b|#filePath")
READS_SWIFT = re.compile(rb'\.swift"')


def package(folder, swift):
    """The targets of a package: the folder of each, and the names of those that it needs."""
    done = subprocess.run([swift, "package", "dump-package"], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          check=False)
    if done.returncode != 0:
        raise SystemExit(f"Package.swift cannot be read: {done.stderr.strip()}")
    return {target["name"]: (target["path"].rstrip("/") + "/", [needed(one) for one in target["dependencies"]])
            for target in json.loads(done.stdout)["targets"]}


def needed(dependency):
    """The name in a dependency as `dump-package` writes it: {"byName": ["JSON", null]}."""
    return next(iter(dependency.values()))[0]


def digest(parts):
    found = hashlib.sha256()
    for part in parts:
        found.update(len(part).to_bytes(8, "big") + part)
    return found.hexdigest()


class Keys:
    """What each test target is made of, in these files.

    - files: the contents by path, without any change.
    - targets: as `package` gives them.
    """

    def __init__(self, files, targets):
        self.files = files
        self.targets = targets
        self.known = {}
        self.listed = {}

    def closure(self, target):
        """A target with all that it needs."""
        found, waiting = set(), [target]
        while waiting:
            name = waiting.pop()
            if name in self.targets and name not in found:
                found.add(name)
                waiting += self.targets[name][1]
        return found

    def of_target(self, target):
        """Of all that decides on what the target's tests say."""
        if target not in self.known:
            self.known[target] = digest(part for name in self.names(target) for part in (name.encode(), self.files[name]))
        return self.known[target]

    def names(self, target):
        """The files of which the target's tests are made, and which they may read."""
        if target not in self.listed:
            self.listed[target] = self._names(target)
        return self.listed[target]

    def _names(self, target):
        folders = tuple(self.targets[name][0] for name in self.closure(target))
        own = b"".join(content for name, content in self.files.items()
                       if name.startswith(self.targets[target][0]) and name.endswith(".swift"))
        if READS_SWIFT.search(own):
            return sorted(self.files)
        reads = bool(READS.search(own))
        return sorted(name for name in self.files
                      if name.startswith(folders) or name == "Package.swift" or name.startswith("infra/")
                      or reads and not name.startswith(FOLDERS))

    def sees(self, target, file):
        """Whether a change of the file can reach the target's tests."""
        return file.startswith(tuple(self.targets[name][0] for name in self.closure(target)))

    def of_change(self, change):
        name, file, old, new, by = change
        return digest(part.encode() for part in
                      [file, old, new, *by, *(self.of_target(part.split("/")[0]) for part in by)])
