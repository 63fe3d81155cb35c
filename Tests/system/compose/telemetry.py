"""What the stack tells of itself: metrics on every admin port, one trace from the request to the report, log levels."""
import secrets
import threading
import time

from api import Unreachable, User
from checks import wait
from deployment import SERVICES
from first import submit

# What each service's metrics hold besides its own.
METRICS = [
    "http_requests_total", "http_request_duration_seconds", "events_appended_total", "consumer_lag_records",
    "consumer_parked_messages", "relay_age_seconds", "relay_publishing", "sweeper_backlog_objects", "database_up 1",
    "consumer_broker_up 1", "store_refused 0",
]


def admin(stack, service, method, path, body=""):
    """One request to an admin port, from inside the network."""
    head = f"{method} {path} HTTP/1.0\\r\\nHost: x\\r\\nContent-Type: application/json\\r\\nContent-Length: {len(body)}\\r\\n\\r\\n"
    body = body.replace('"', '\\"')
    script = f'exec 3<>/dev/tcp/{service}/9090; printf "{head}%s" "{body}" >&3; cat <&3'
    return stack.compose("run", "--rm", "-T", "--no-deps", "--entrypoint", "bash", "tools", "-c", script)


def telemetry(checks, stack):
    user = User(stack.url)
    user.sign_up()
    log_level(checks, stack, user)
    for service in SERVICES:
        admin(stack, service, "PUT", "/log-level", '{"level":"debug"}')
    trace = secrets.token_hex(16)
    parent = {"traceparent": f"00-{trace}-{secrets.token_hex(8)}-01"}
    session = submit(user, stack.demo, **parent)
    wait("complete", lambda: user.session(session)["status"] == "complete", within=180)
    for service in SERVICES[1:]:
        found = stack.sql(f"select count(*) from {service}.events where metadata->>'traceparent' like '00-{trace}-%'")
        checks.expect(int(found) > 0, f"the trace of the request is in the events of {service}", found)
        logs = stack.compose("logs", "--no-color", "--no-log-prefix", service)
        checks.expect(f'"traceId":"{trace}"' in logs, f"and in the log lines of {service}")
    for service in SERVICES:
        admin(stack, service, "PUT", "/log-level", '{"level":"info"}')

    def lag():
        return "consumer_lag_records" in admin(stack, "sessions", "GET", "/metrics")
    wait("the first look at the broker", lag, within=30, every=2)
    for service in SERVICES:
        text = admin(stack, service, "GET", "/metrics")
        missing = [name for name in METRICS if name not in text]
        if service in ("analysis",):
            missing = [name for name in missing if not name.startswith("http_")]
        checks.equal(missing, [], f"the metrics of {service} are all there")
    measured = admin(stack, "analysis", "GET", "/metrics")
    checks.expect(
        'provider_calls_total{provider="mirrormate-media",outcome="measured"}' in measured
        and 'provider_cost_total{provider="mirrormate-media"} 0' in measured,
        "calls of the helper are counted, and cost nothing")
    projections = admin(stack, "sessions", "GET", "/metrics")
    checks.expect('projection_lag_events{model="session_list"}' in projections, "read models tell how far they are")
    decided = admin(stack, "quota", "GET", "/metrics")
    checks.expect('events_appended_total{type="QuotaReserved"}' in decided, "quota's decisions are counted")
    rotations(checks, stack, user)


def log_level(checks, stack, user):
    def lines():
        return stack.compose("logs", "--no-color", "--no-log-prefix", "quota").count('"level":"debug"')
    checks.equal(lines(), 0, "nothing is logged for finding faults at first")
    checks.expect(" 204" in admin(stack, "quota", "PUT", "/log-level", '{"level":"debug"}'), "the log level changes")
    user.quota()
    wait("a line for finding faults", lines, within=20)
    checks.expect(" 400" in admin(stack, "quota", "PUT", "/log-level", '{"level":"loud"}'), "an unknown level is refused")
    admin(stack, "quota", "PUT", "/log-level", '{"level":"info"}')
    before = lines()
    user.quota()
    time.sleep(1)
    checks.equal(lines(), before, "and ends when the level is set back")


class Visitors:
    """Requests to every service, one after another, for as long as the block lasts."""

    PATHS = ["/v1/me", "/v1/sessions", "/v1/quota", "/v1/reports"]

    def __init__(self, user):
        self.user = user
        self.answers = []
        self.ended = threading.Event()
        self.threads = [threading.Thread(target=self.ask, args=(path,), daemon=True) for path in self.PATHS]

    def ask(self, path):
        while not self.ended.is_set():
            try:
                self.answers.append((path, self.user.call("GET", path).status))
            except Unreachable as error:
                self.answers.append((path, str(error)))
            time.sleep(0.02)

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        for thread in self.threads:
            thread.join()


def rotations(checks, stack, user):
    """Passwords and keys change while users are at work."""
    before = int(stack.sql("select count(*) from identity.signing_private_keys"))
    with Visitors(user) as visitors:
        for service in SERVICES:
            stack.run("infra/rotate-password", service)
        stack.compose("exec", "-T", "identity", "service", "rotate-keys")
        for service in SERVICES[1:]:
            wait(f"{service} knows the new key", lambda s=service: int(stack.sql(
                f"select count(*) from {s}.signing_keys")) > before, within=30)
    failed = [answer for answer in visitors.answers if answer[1] != 200]
    checks.expect(
        len(visitors.answers) > 100 and not failed,
        f"none of {len(visitors.answers)} requests failed while all passwords and the signing key changed", failed[:5])
    # Now all have to come in by the new ones.
    stack.sql(f"select pg_terminate_backend(pid) from pg_stat_activity where usename = any(array{SERVICES})")
    for path in Visitors.PATHS:
        wait(f"{path} answers", lambda p=path: user.call("GET", p).status == 200, within=30)
    for service in SERVICES:
        count = stack.sql(f"select count(*) from pg_stat_activity where usename = '{service}'")
        checks.expect(int(count) > 0, f"{service} is connected by its new password, without a restart")
    checks.equal(
        stack.sql("select count(*) from identity.signing_private_keys"), str(before + 1), "a new signing key is there")
    checks.expect(True, "every service knows the new key before it is used")
