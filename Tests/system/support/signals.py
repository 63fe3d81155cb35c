"""Signals as a test needs them, however it was started."""
import signal

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def interrupted(number, _):
    raise KeyboardInterrupt(signal.Signals(number).name)


def restore():
    """Ends the tests in order on any of these signals.

    A shell gives its background jobs an ignored SIGINT, which children inherit. Whatever has a handler here starts with
    the default in a child, so a command that is told to stop by Ctrl-C does.
    """
    for number in ENDING:
        signal.signal(number, interrupted)


def ignore():
    """A second Ctrl-C must not keep the first one from stopping what was started."""
    for number in ENDING:
        signal.signal(number, signal.SIG_IGN)
