"""A client that does not give up: what fails for a passing reason is asked again, with the same key."""
import io
import time
import uuid
import zipfile

from support.api import FINAL, Refused, Unreachable, User, send

PASSING = (500, 502, 503, 504)


class PatientUser:
    """Signs up, sends one video and waits for its end, whatever dies meanwhile."""

    def __init__(self, url, deadline):
        self.user = User(url)
        self.deadline = deadline
        self.sessions = []
        # Statuses that a passing fault should not have: told, not hidden.
        self.faults = []
        self.is_erased = False
        self.deleted = []

    def insist(self, what, ask, wanted):
        """Repeats a request until its status is wanted."""
        last = None
        while not self.deadline.is_over:
            try:
                last = ask()
                if last.status in wanted:
                    return last
                if last.status == 500:
                    self.faults.append(f"{what}: {last!r}")
                # Somebody's turn that died with its service is over soon.
                if last.status not in PASSING and last.status != 401 and last.code != "upload-in-progress":
                    raise Refused(what, last)
            except Unreachable as error:
                last = error
            time.sleep(0.1)
        raise Unreachable(f"{what} was not answered in time; last: {last!r}")

    def begin(self):
        """Signs up; an answer that was lost may have worked, and then the address is taken."""
        def attempt():
            try:
                return self.user.sign_up()
            except Refused as refusal:
                return refusal.answer

        answer = self.insist("sign-up", attempt, (201, 409))
        if answer.status == 409:
            self.enter()

    def enter(self):
        """Signs in."""
        def attempt():
            try:
                return self.user.sign_in()
            except Refused as refusal:
                return refusal.answer

        self.insist("sign-in", attempt, (200,))

    def create(self, media, **more):
        """A session that is admitted."""
        key = str(uuid.uuid4())
        answer = self.insist("creation", lambda: self.user.create(media, key=key, **more), (201, 202))
        identity = answer.json["id"]
        self.sessions.append(identity)

        def admitted():
            now = self.user.call("GET", f"/v1/sessions/{identity}")
            if now.status == 200 and now.json["status"] == "queued":
                now.status = 503
            return now

        return self.insist("admission", admitted, (200,)).json

    def send(self, media, **more):
        """Uploads and finalizes; a session that is finalized already is fine."""
        identity = self.create(media, **more)["id"]

        def fresh():
            now = self.user.session(identity)
            if "upload" not in now:
                raise Refused("upload", now)
            return self.user.upload(now, media)

        self.insist("upload", lambda: self._quietly(fresh), (200,))
        self.insist("finalize", lambda: self.user.finalize(identity), (200, 202))
        return identity

    @staticmethod
    def _quietly(ask):
        try:
            return ask()
        except Refused as refusal:
            if hasattr(refusal.answer, "status"):
                return refusal.answer
            raise

    def finish(self, identity):
        """Follows the events, taken up again whenever they break; gives the last state."""
        last, seen = None, 0.0
        while not self.deadline.is_over:
            try:
                for number, name, state in self.user.follow(identity, within=30, last=last):
                    if name != "session":
                        continue
                    last = number
                    if state["progress"] < seen:
                        self.faults.append(f"progress went back from {seen} to {state['progress']}")
                    seen = state["progress"]
                    if state["status"] in FINAL:
                        return state
            except Unreachable:
                pass
            except Refused as refusal:
                if refusal.answer.status not in PASSING:
                    raise
            time.sleep(0.1)
        raise Unreachable(f"session {identity} did not end in time")

    def report(self, identity):
        return self.insist("report", lambda: self.user.call("GET", f"/v1/reports/{identity}"), (200,)).json

    def delete(self, identity):
        """Deletes a session; one that is gone already is fine."""
        self.deleted.append(identity)
        self.insist("deletion", lambda: self.user.call("DELETE", f"/v1/sessions/{identity}"), (204, 404))

    def export(self):
        """Has everything exported, and looks whether the archive is whole."""
        # An export is for whoever has just shown who they are.
        self.enter()
        key = str(uuid.uuid4())
        asked = self.insist("export", lambda: self.user.call("POST", "/v1/exports", {}, key=key), (202,))

        def ended():
            now = self.user.call("GET", f"/v1/exports/{asked.json['id']}")
            if now.status == 200 and now.json["state"] == "open":
                now.status = 503
            return now

        found = self.insist("the export's end", ended, (200,)).json
        if found["state"] != "ready":
            self.faults.append(f"an export failed: {found}")
            return
        answer = self.insist("the archive", lambda: send(self.user.url, "GET", found["archive"]["url"]), (200,))
        with zipfile.ZipFile(io.BytesIO(answer.body)) as archive:
            names = archive.namelist()
            parts = {name.split("/")[0] for name in names if "/" in name}
            if archive.testzip() or parts != {"identity", "sessions", "quota", "reporting"} or len(set(names)) < len(names):
                self.faults.append(f"an archive is not whole: {names}")

    def erase(self):
        """Erases the user, and waits until every service has confirmed it."""
        self.is_erased = True
        self.insist("erasure", self.user.erase, (200, 202))

        def confirmed():
            now = self.user.call("GET", "/v1/me/erasure")
            if now.status == 202:
                now.status = 503
            return now

        self.insist("the erasure's end", confirmed, (200,))
