"""Tests by the names that a person says: a folder, a file, or words of the test's own name."""
import difflib
import os
import random
import re


def folder(item):
    return item.path.parent.name


def file(item):
    return item.path.stem.removeprefix("test_").replace("_", "-")


def sentence(item):
    """The test's name as a person would say it."""
    name, _, case = item.name.partition("[")
    words = name.removeprefix("test_").replace("_", " ")
    return f"{words}: {case[:-1]}" if case else words


def chosen(items, names):
    """The tests that the names mean, in the order of collection; a name that means none is a ValueError.

    A folder's name wins over a file's, and that over words of tests. What runs by name alone is left out unless its file
    or words of its own were named.
    """
    wanted = set()
    for name in names:
        said = name.replace("_", "-")
        whole = {item for item in items if said == folder(item)}
        found = {item for item in whole if not item.get_closest_marker("by_name")}
        found = found or whole or {item for item in items if said == file(item)}
        found = found or {item for item in items if has_words(sentence(item), name)}
        if not found:
            raise ValueError(f"There is no test called {name}. {hint(items, name)}")
        wanted |= found
    return [item for item in items if item in wanted]


def shuffled(items, seed):
    """The tests in another order, but those of a file beside each other, because they share what is dear."""
    chance, files = random.Random(seed), {}
    for item in items:
        files.setdefault(item.path, []).append(item)
    groups = list(files.values())
    chance.shuffle(groups)
    return [item for group in groups for item in chance.sample(group, len(group))]


def has_words(text, name):
    """Whether the words stand in the text, each at the beginning of a word."""
    return all(re.search(rf"\b{re.escape(word)}", text, re.IGNORECASE) for word in name.replace("_", " ").split())


def hint(items, name):
    known = sorted({folder(item) for item in items} | {file(item) for item in items})
    near = difflib.get_close_matches(name, known, 1)
    return f"Did you mean {near[0]}?" if near else f"There are {', '.join(known)}; or words of a test's name: --list."


def listing(items):
    """Lines with every test under its folder and file."""
    before = None
    for item in items:
        here = (folder(item), file(item))
        if here != before:
            yield f"\n{here[0]} · {here[1]}" + ("   (by name alone)" if item.get_closest_marker("by_name") else "")
            before = here
        yield f"  {sentence(item)}"


def skips(reports):
    """Lines with each reason for skipping, how many tests it concerns, and in which files they are."""
    reasons = {}
    for report in reports:
        reason = report.longrepr[2].removeprefix("Skipped: ")
        reasons.setdefault(reason, []).append(path_name(report.nodeid.partition("::")[0]))
    for reason, places in reasons.items():
        yield f"{len(places)} SKIPPED, {reason}: {', '.join(dict.fromkeys(places))}"


def path_name(path):
    return f"{os.path.dirname(path)} · {os.path.basename(path).removeprefix('test_').removesuffix('.py').replace('_', '-')}"


def table(seconds):
    """Lines with how long the tests of each file took, from a mapping of paths to seconds."""
    for path, took in sorted(seconds.items(), key=lambda entry: -entry[1]):
        yield f"{took:8.1f} s  {path_name(path)}"
    yield f"{sum(seconds.values()):8.1f} s  in all"
