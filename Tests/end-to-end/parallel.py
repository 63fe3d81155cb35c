"""Part 2: one hundred creations at once for one unit."""
import collections
import threading

from api import small_video
from flow import new_user
from checks import wait


def run(checks, stack, count=100):
    user = new_user(stack)
    media = small_video()
    answers = [None] * count
    begin = threading.Barrier(count)

    def one(index):
        begin.wait()
        try:
            answers[index] = user.create(media)
        except Exception as error:  # noqa: BLE001 - counted below as no answer
            answers[index] = error

    threads = [threading.Thread(daemon=True, target=one, args=(index,)) for index in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    kinds = collections.Counter(
        (answer.status, answer.code) if hasattr(answer, "status") else repr(answer) for answer in answers)
    checks.say(f"        {dict(kinds)}")
    admitted = [answer for answer in answers if getattr(answer, "status", None) == 201]
    checks.equal(len(admitted), 1, f"of {count} parallel creations exactly one is admitted")
    # 202: quota's answer took longer than the creation waits; the session says later what became of it.
    allowed = {(201, None), (202, None), (409, "session-open"), (429, "quota-exceeded")}
    checks.equal(set(kinds) - allowed, set(), "the others answer 409 session-open or 429, and nothing 5xx")

    def decided():
        rows = stack.sql(f"select status, count(*) from sessions.session_list where owner_id = '{user.id}' group by 1")
        rows = {row["status"]: row["count"] for row in rows}
        return rows if sum(rows.values()) == count and "queued" not in rows else None

    rows = wait("every creation is decided", decided)
    checks.equal(rows, {"awaitingUpload": 1, "refused": count - 1}, "in the end one is open and all others are refused")
    quota = user.quota()
    checks.equal((quota["used"], quota["reserved"]), (0, 1), "quota holds exactly one unit")
    reserved = stack.events("quota", f"type = 'QuotaReserved' and stream = 'allowance-{user.id}'")
    checks.equal(len(reserved), 1, "and was asked for exactly one")
