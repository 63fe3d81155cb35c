"""What must hold after any crash: one report, one charge, nothing stuck."""
import collections
import os

from support.programs import SERVICES
from support.waiting import NotInTime, wait

OPEN = "('queued', 'awaitingUpload', 'processing')"
ENDINGS = ("SessionCompleted", "SessionFailed", "SessionCancelled", "SessionExpired", "SessionRefused")


def searches():
    """One query for each way of not being settled; each row says what is wrong."""
    yield f"select format('session %s is %s', key, status) from sessions.session_list where status in {OPEN}"
    yield "select format('job %s is %s', key, state) from analysis.job_queue where state <> 'done'"
    yield ("select format('allowance %s holds %s', key, reserved + extra_reserved) from quota.allowances "
           "where reserved + extra_reserved <> 0")
    for service in SERVICES:
        head = f"(select coalesce(max(position), 0) from {service}.events)"
        yield (f"select format('the relay of {service} is at %s of %s', cursor, {head}) from {service}.relay "
               f"where cursor <> {head}")
        yield f"select format('{service} refuses appends: %s', refused) from {service}.head where refused is not null"
        yield (f"select format('{service}.%s is at %s of %s', name, position, {head}) from {service}.projections "
               f"where position <> {head}")
        yield (f"select format('{service} has parked %s of %s: %s', type, topic, reason) "
               f"from {service}.parked_messages")
        yield (f"select format('{service} misses messages in %s/%s: %s', topic, partition, alarm) "
               f"from {service}.consumer_partitions where alarm is not null")


def unrest(stack):
    """Whatever is not settled yet, as text; empty when all is at rest."""
    return [row["what"] for row in stack.sql(f"select what from ({' union all '.join(searches())}) as w (what)")]


def at_rest(stack, within=180):
    """Waits until nothing moves any more; gives what still does."""
    found = []

    def calm():
        nonlocal found
        found = unrest(stack)
        return not found

    try:
        wait("all is at rest", calm, within=within, every=0.25)
    except NotInTime as error:
        return found or [str(error)]
    return []


def broken(stack, sessions, deleted=frozenset(), erased=frozenset()):
    """Sessions that break a rule, with the rule. `sessions` is None for all; of those that are deleted, or erased with their
    owner, no report may be left."""
    only = "true" if sessions is None else f"data->>'sessionId' in ({', '.join(map(repr, sessions)) or 'null'})"
    counts = collections.defaultdict(collections.Counter)
    logs = " union all ".join(
        f"select '{service}.' || type as name, data->>'sessionId' as session from {service}.events "
        f"where data->>'sessionId' is not null and {only}" for service in SERVICES if service != "identity")
    for row in stack.sql(f"select session, name, count(*) n from ({logs}) l group by 1, 2"):
        counts[row["session"]][row["name"]] = row["n"]
    rows = stack.sql("select session_id::text s, count(*) n from reporting.reports group by 1")
    reports = {row["s"]: row["n"] for row in rows}
    found = []
    for session in sessions if sessions is not None else counts:
        count = counts[session]
        endings = {name: count[f"sessions.{name}"] for name in ENDINGS if count[f"sessions.{name}"]}
        complete = "SessionCompleted" in endings
        reserved = count["quota.QuotaReserved"]
        rules = {
            "is created once": count["sessions.SessionCreated"] == 1,
            "ends exactly once": sum(endings.values()) == 1,
            "is decided once by quota": reserved + count["quota.QuotaRefused"] + count["quota.EndingNoted"] == 1,
            "is reserved when complete": not complete or reserved == 1,
            # Who erases themselves soon enough is not charged any more.
            "is charged once when complete, else never": count["quota.QuotaCommitted"] == (1 if complete else 0)
            or session in erased and count["quota.QuotaCommitted"] == 0,
            "gives its unit back unless complete": count["quota.QuotaReleased"] == (0 if complete else reserved),
            "has one report when complete, none when it is gone": not complete or count["reporting.ReportWritten"] == 1
            and reports.get(session, 0) == (0 if session in deleted | erased else 1),
            "has one analysis when complete": not complete or count["analysis.JobCompleted"] == 1,
            "has no second report": count["reporting.ReportWritten"] <= 1,
        }
        found += [f"{session}: not so: it {rule} ({dict(count)})" for rule, holds in rules.items() if not holds]
    return found


def stray_objects(stack):
    """Objects that nobody has announced, and announced ones in use that are missing; where they lie in a folder.

    The folder is looked at before the rows and after them: what the sweeper removes in between, bytes first and then the row,
    is no stray.
    """
    folder = os.path.join(stack.state, "objects")
    if not os.path.isdir(folder):
        return []

    def listed():
        return {os.path.relpath(os.path.join(place, name), folder) for place, _, names in os.walk(folder) for name in names}

    before = listed()
    rows = stack.sql(" union all ".join(
        f"select object_key k, not unwanted and deadline is null as used from {service}.object_intents"
        for service in ("identity", "sessions", "quota", "analysis", "reporting")))
    after = listed()
    return [f"nobody knows {key}" for key in before & after - {row["k"] for row in rows}] + [
        f"{row['k']} is missing" for row in rows if row["used"] and row["k"] not in before | after]


def gapless(stack):
    """Logs with a hole, and private events that were consumed twice."""
    logs = " union all ".join(
        f"select '{service}' as service, count(*) as events, coalesce(max(position), 0) as head, "
        f"coalesce(min(position), 1) as first, count(distinct id) as ids from {service}.events" for service in SERVICES)
    return stack.sql(f"select * from ({logs}) l where not (events = head and ids = head and first = 1)")
