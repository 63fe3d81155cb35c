"""The folder of executables that a stack is started from: small scripts that become the real ones.

So a test can give one service settings of its own and replace the media helper by a recorded one, although
`mirrormate up` passes nothing on. A service's number stays the same, because exec keeps it.
"""
import os
import shlex

from support.places import ROOT
from support.reach import reachable

SERVICES = ("identity", "sessions", "quota", "analysis", "reporting", "notifications")
RECORDED = os.path.join(ROOT, "Tests", "system", "end-to-end", "recorded-media")


class Programs:
    def __init__(self, folder, real):
        self.folder = folder
        self._settings = os.path.join(folder, "settings")
        os.makedirs(self._settings)
        self._recorded = os.path.join(self._settings, "recorded")
        self._real = real
        for name in SERVICES:
            self._write_service(name)
        recorded = os.path.join(reachable(os.path.dirname(RECORDED)), os.path.basename(RECORDED))
        # Where root starts the stack, the client is what analysis starts, and the server measures. Photos are always made.
        for name in ("mirrormate-media", "mirrormate-media-client"):
            self._write(name,
                        f"if [ -e {shlex.quote(self._recorded)} ] && [ \"$1\" != serve ] && [ \"$1\" != reach ] "
                        '&& [ "$1" != photo ]; '
                        f"then exec {shlex.quote(recorded)} \"$@\"; fi\n"
                        f'exec {shlex.quote(reachable(os.path.join(real, name)))} "$@"\n')

    def _write_service(self, name, first=""):
        self._write(name, f"{first}settings={shlex.quote(os.path.join(self._settings, name))}\n"
                    'if [ -r "$settings" ]; then . "$settings"; fi\n'
                    f'exec {shlex.quote(reachable(os.path.join(self._real, name)))} "$@"\n')

    def hold(self, service):
        """Keeps a service from serving, until it is released."""
        self._write_service(service, 'if [ "$1" = serve ]; then exit 1; fi\n')

    def release(self, service):
        self._write_service(service)

    def own(self, name, text):
        """A program of a test's own, which a setting may name; gives its path."""
        self._write(name, text)
        return os.path.join(self.folder, name)

    def _write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n" + text)
        os.chmod(path, 0o755)

    def set(self, service, **variables):
        """Settings for the next start of a service, instead of the earlier ones."""
        path = os.path.join(self._settings, service)
        lines = [f"export {name}={shlex.quote(str(value))}\n" for name, value in variables.items()]
        with open(path + ".new", "w", encoding="utf-8") as file:
            file.writelines(lines)
        os.replace(path + ".new", path)

    def use_recorded_media(self, yes):
        if yes:
            open(self._recorded, "w", encoding="utf-8").close()
        elif os.path.exists(self._recorded):
            os.unlink(self._recorded)
