"""Something dear that the tests of a file share, as long as they pass."""
import contextlib

import pytest

from support.stack import Stack

FAILED = pytest.StashKey[bool]()
# Of a test, the fixtures that no later one of its file asks for.
LAST_OF = pytest.StashKey[set]()


class Kept:
    """Made when the first test wants it. After a failed test it is ended, so that no test meets what another one broke; and
    after one that has used it up."""

    def __init__(self, make, end):
        self._make = make
        self._end = end
        self._thing = None

    @contextlib.contextmanager
    def lent(self, test, is_last=False):
        if self._thing is None:
            self._thing = self._make()
        try:
            yield self._thing
        finally:
            if is_last or test.stash.get(FAILED, False) or getattr(self._thing, "is_used_up", False):
                self.end()

    def lent_in_file(self, request):
        """For a fixture that the tests of one file share: it is ended with the last of them that asks for it. Even a stack that
        nobody uses takes a quarter of a processor."""
        return self.lent(request.node, request.fixturename in request.node.stash[LAST_OF])

    def end(self):
        thing, self._thing = self._thing, None
        if thing is not None:
            self._end(thing)


def kept_stacks(prepare, instances=None):
    """The body of a fixture: stacks that the tests of a file share, started as `prepare` gives them. One that does not start is
    taken down."""

    def started():
        stack = prepare()
        try:
            stack.up(instances)
        except BaseException:
            stack.down()
            raise
        return stack

    kept = Kept(started, Stack.down)
    yield kept
    kept.end()
