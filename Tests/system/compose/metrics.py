"""The profile `metrics`: Prometheus finds every instance, takes the alert rules, and can answer what the dashboards ask."""
import json
import pathlib
import re
import urllib.parse

from api import send
from checks import wait
from deployment import SERVICES

IMAGE = "prom/prometheus:v3.5.0"
# Words of the query language, and labels; what else has an underscore in a query is a metric.
NO_METRICS = {"histogram_quantile", "increase", "group_left"}


def metrics(checks, stack):
    provide_image(checks, stack)
    stack.up("--profile", "metrics")
    said = stack.compose(
        "--profile", "metrics", "exec", "-T", "prometheus", "promtool", "check", "config",
        "/etc/prometheus/prometheus.yml", ok=())
    checks.expect("SUCCESS" in said and "FAILED" not in said, "promtool finds no fault in settings and rules", said)
    stack.prometheus = f"http://127.0.0.1:{stack.environment['METRICS_PORT']}"
    wait("every service is scraped", lambda: scraped(stack) == SERVICES, within=90, every=2)
    checks.expect(True, "Prometheus scrapes every service")
    rules = wait("the rules were evaluated", lambda: evaluated(stack), within=90, every=2)
    checks.equal([rule["name"] for rule in rules if rule["health"] != "ok"], [], f"all {len(rules)} rules can be evaluated")
    firing = [alert["labels"]["alertname"] for alert in ask(stack, "alerts")["alerts"] if alert["state"] == "firing"]
    checks.equal(firing, [], "no alert fires on a sound stack")
    dashboards(checks, stack)
    stack.compose("stop", "quota")
    wait("an alert is raised", lambda: raised(stack, "ServiceDown", "quota"), within=120, every=2)
    checks.expect(True, "a service that is gone raises an alert")
    stack.compose("start", "quota")
    wait("the alert ends", lambda: not raised(stack, "ServiceDown", "quota"), within=120, every=2)
    checks.expect(True, "the alert ends when it is back")
    stack.compose("--profile", "metrics", "rm", "-sf", "prometheus")


def provide_image(checks, stack):
    """The official image; where no registry can be reached, a stand-in under its name."""
    if "Error" not in stack.docker("image", "inspect", "--format", "there", IMAGE, ok=()):
        return
    if stack.docker("pull", "-q", IMAGE, ok=()).strip().endswith(IMAGE):
        return
    stack.docker("build", "-q", "-t", IMAGE, "Tests/system/compose/prometheus", within=600)
    checks.say(f"  {IMAGE} cannot be pulled here; Debian's Prometheus stands in for it")


def ask(stack, what, **parameters):
    answer = send(stack.prometheus, "GET", f"/api/v1/{what}?{urllib.parse.urlencode(parameters)}")
    return answer.json["data"] if answer.status == 200 and answer.json["status"] == "success" else None


def scraped(stack):
    targets = ask(stack, "targets")["activeTargets"]
    return sorted({one["labels"]["service"] for one in targets if one["health"] == "up"}, key=SERVICES.index)


def evaluated(stack):
    rules = [rule for group in ask(stack, "rules")["groups"] for rule in group["rules"]]
    return rules if rules and all(rule["health"] != "unknown" for rule in rules) else None


def raised(stack, name, service):
    return any(
        alert["labels"]["alertname"] == name and alert["labels"].get("service") == service
        for alert in ask(stack, "alerts")["alerts"])


def dashboards(checks, stack):
    def unknown(query):
        return names(query) - set(ask(stack, "label/__name__/values")) - NO_METRICS

    queries = 0
    for path in sorted(pathlib.Path(stack.folder, "infra/metrics/dashboards").glob("*.json")):
        for panel in json.loads(path.read_text())["panels"]:
            for target in panel.get("targets", []):
                queries += 1
                query = target["expr"]
                place = f"{path.stem}: {panel['title']}"
                if ask(stack, "query", query=query) is None:
                    checks.expect(False, f"{place} can be asked", query)
                wait(f"{place}: {query}", lambda query=query: not unknown(query), within=60, every=2)
    checks.expect(queries > 10, f"the dashboards' {queries} queries can be asked, and all their metrics are there")


def names(query):
    """The metrics that a query names."""
    without_labels = re.sub(r"\{[^}]*\}|\b(?:by|without|on)\s*\([^)]*\)", " ", query)
    return {word for word in re.findall(r"[a-z][a-z0-9_:]*", without_labels) if "_" in word}
