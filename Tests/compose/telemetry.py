"""What the stack tells of itself: metrics on every admin port, one trace from the request to the report, log levels."""
import secrets

from api import User
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
    trace = secrets.token_hex(16)
    user = User(stack.url)
    user.sign_up()
    parent = {"traceparent": f"00-{trace}-{secrets.token_hex(8)}-01"}
    session = submit(user, stack.demo, **parent)
    wait("complete", lambda: user.session(session)["status"] == "complete", within=180)
    for service in SERVICES[1:]:
        found = stack.sql(f"select count(*) from {service}.events where metadata->>'traceparent' like '00-{trace}-%'")
        checks.expect(int(found) > 0, f"the trace of the request is in the events of {service}", found)

    def lag():
        return "consumer_lag_records" in admin(stack, "sessions", "GET", "/metrics")
    wait("the first look at the broker", lag, within=30, every=2)
    for service in SERVICES:
        text = admin(stack, service, "GET", "/metrics")
        missing = [name for name in METRICS if name not in text]
        if service in ("analysis",):
            missing = [name for name in missing if not name.startswith("http_")]
        checks.equal(missing, [], f"the metrics of {service} are all there")
    projections = admin(stack, "sessions", "GET", "/metrics")
    checks.expect('projection_lag_events{model="session_list"}' in projections, "read models tell how far they are")
    decided = admin(stack, "quota", "GET", "/metrics")
    checks.expect('events_appended_total{type="QuotaReserved"}' in decided, "quota's decisions are counted")

    checks.expect(" 204" in admin(stack, "quota", "PUT", "/log-level", '{"level":"debug"}'), "the log level changes")
    checks.expect(" 400" in admin(stack, "quota", "PUT", "/log-level", '{"level":"loud"}'), "an unknown level is refused")
    admin(stack, "quota", "PUT", "/log-level", '{"level":"info"}')
    rotations(checks, stack, user)


def rotations(checks, stack, user):
    """Passwords and keys change while users are at work."""
    connected = "select count(*) from pg_stat_activity where usename = 'quota'"
    stack.run("infra/rotate-password", "quota")
    checks.expect(user.quota()["used"] == 1, "quota answers with a new database password")
    stack.sql("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'quota'")
    wait("quota answers over new connections", lambda: user.quota()["used"] == 1, within=30)
    checks.expect(int(stack.sql(connected)) > 0, "new connections use the new password without a restart")
    before = stack.sql("select count(*) from identity.signing_private_keys")
    stack.compose("exec", "-T", "identity", "service", "rotate-keys")
    checks.equal(
        stack.sql("select count(*) from identity.signing_private_keys"), str(int(before) + 1), "a new signing key is there")
    checks.equal(user.call("GET", "/v1/me").status, 200, "tokens of before are still accepted")
    for service in SERVICES[1:]:
        wait(f"{service} knows it", lambda s=service: int(stack.sql(
            f"select count(*) from {s}.signing_keys")) >= int(before) + 1, within=30)
    checks.expect(True, "every service knows the new key before it is used")
