"""What must hold after any crash: one report, one charge, nothing stuck."""
import collections

from checks import wait
from programs import SERVICES

OPEN = "('queued', 'awaitingUpload', 'processing')"
ENDINGS = ("SessionCompleted", "SessionFailed", "SessionCancelled", "SessionExpired", "SessionRefused")


def consumers(stack):
    return " union all ".join(
        f"select '{service}' service, topic, partition, next_offset, seen, alarm from {service}.consumer_partitions"
        for service in SERVICES)


def unrest(stack):
    """Whatever is not settled yet, as text; empty when all is at rest."""
    found = []
    rows = stack.sql(f"select key, status from sessions.session_list where status in {OPEN}")
    found += [f"session {row['key']} is {row['status']}" for row in rows]
    rows = stack.sql("select key, state from analysis.job_queue where state <> 'done'")
    found += [f"job {row['key']} is {row['state']}" for row in rows]
    rows = stack.sql("select key, reserved, extra_reserved from quota.allowances where reserved + extra_reserved <> 0")
    found += [f"allowance {row['key']} holds {row['reserved'] + row['extra_reserved']}" for row in rows]
    for service in SERVICES:
        row = stack.sql(
            f"select (select coalesce(max(position), 0) from {service}.events) as head, cursor, "
            f"(select refused from {service}.head) as refused from {service}.relay")[0]
        if row["cursor"] != row["head"]:
            found.append(f"the relay of {service} is at {row['cursor']} of {row['head']}")
        if row["refused"]:
            found.append(f"{service} refuses appends: {row['refused']}")
        rows = stack.sql(f"select name, position from {service}.projections where position <> "
                         f"(select coalesce(max(position), 0) from {service}.events)")
        found += [f"{service}.{row['name']} is at {row['position']} of its log" for row in rows]
        rows = stack.sql(f"select topic, type, reason from {service}.parked_messages")
        found += [f"{service} has parked {row['type']} of {row['topic']}: {row['reason']}" for row in rows]
    rows = stack.sql(f"select * from ({consumers(stack)}) c where alarm is not null")
    found += [f"{row['service']} misses messages in {row['topic']}/{row['partition']}: {row['alarm']}" for row in rows]
    return found


def at_rest(stack, within=90):
    """Waits until nothing moves any more; gives what still does."""
    found = []

    def calm():
        nonlocal found
        found = unrest(stack)
        return not found

    try:
        wait("all is at rest", calm, within=within, every=0.25)
    except AssertionError:
        raise
    except Exception as error:  # noqa: BLE001 - what is left is the answer
        return found or [str(error)]
    return []


def broken(stack, sessions):
    """Sessions that break a rule, with the rule. `sessions` is None for all."""
    only = "true" if sessions is None else f"data->>'sessionId' in ({', '.join(map(repr, sessions)) or 'null'})"
    counts = collections.defaultdict(collections.Counter)
    for service in ("sessions", "quota", "analysis", "reporting"):
        for row in stack.sql(f"select data->>'sessionId' s, type t, count(*) n from {service}.events "
                             f"where data->>'sessionId' is not null and {only} group by 1, 2"):
            counts[row["s"]][f"{service}.{row['t']}"] = row["n"]
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
            "is charged once when complete, else never": count["quota.QuotaCommitted"] == (1 if complete else 0),
            "gives its unit back unless complete": count["quota.QuotaReleased"] == (0 if complete else reserved),
            "has one report when complete": not complete or count["reporting.ReportWritten"] == 1
            and reports.get(session) == 1,
            "has one analysis when complete": not complete or count["analysis.JobCompleted"] == 1,
            "has no second report": count["reporting.ReportWritten"] <= 1,
        }
        found += [f"{session}: not so: it {rule} ({dict(count)})" for rule, holds in rules.items() if not holds]
    return found


def gapless(stack):
    """Logs with a hole, and private events that were consumed twice."""
    found = []
    for service in SERVICES:
        row = stack.sql(f"select count(*) n, coalesce(max(position), 0) m, coalesce(min(position), 1) l, "
                        f"count(distinct id) i from {service}.events")[0]
        if not (row["n"] == row["m"] == row["i"] and row["l"] == 1):
            found.append(f"{service}: {row}")
    return found
