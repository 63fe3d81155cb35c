"""Not one byte leaves without consent: a stack in a network namespace whose only way out is recorded, packet by packet."""
import json
import os
import socket
import subprocess
import uuid

import pytest

from support import sealed
from support.api import send, small_video
from support.gemini import Gemini, generated
from support.name_server import NameServer
from support.object_server import wanted
from support.provider import Provider, seen, sentences
from support.stack import Stack
from support.users import ended, new_user
from support.waiting import wait

AGREED = {"provider": "openai", "purpose": "transcription", "version": "1", "locale": "en"}
WORDED = {**AGREED, "purpose": "wording"}
SEEN = {**AGREED, "purpose": "vision"}
SHOWN = {**AGREED, "provider": "gemini", "purpose": "video"}


@pytest.fixture
def namespace():
    """This test and what it starts, in a namespace of their own."""
    reason = sealed.missing()
    if reason:
        pytest.skip(reason)
    if wanted():
        pytest.skip("the S3 server of this run is in another namespace")
    with sealed.Sealed() as namespace:
        yield namespace


@pytest.fixture
def stack(namespace, ground):
    """A stack in it, not yet started."""
    stack = Stack.recorded()
    yield stack
    stack.down()


def written(stack, name, text):
    """A file that every service can read."""
    path = os.path.join(stack.folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, 0o644)
    return path


def start(stack, provider, members=None, **analysis):
    """With a provider that is named, offered and keyed; with more members of its own, and more settings of analysis."""
    texts = [{**AGREED, "dataClasses": ["audio"], "texts": {"en": "Sound goes to OpenAI."}},
             {**WORDED, "dataClasses": ["measures", "transcript"], "texts": {"en": "Measures and transcript go to OpenAI."}},
             {**SEEN, "dataClasses": ["pictures"], "texts": {"en": "Some pictures go to OpenAI."}},
             {**SHOWN, "dataClasses": ["recording"], "texts": {"en": "Your recordings go to Google as a whole."}}]
    for text in texts:
        del text["locale"]
    named = {"name": "openai", "protocol": "openai", "url": provider.url, "keyFile": written(stack, "key", "sk-a-key-of-the-tests\n"), **(members or {})}
    if named["protocol"] == "openai":
        named["transcription"] = {"model": "whisper-1"}
    stack.environment |= {
        "CONSENTS_FILE": written(stack, "consents.json", json.dumps({"version": 1, "consents": texts})),
        "PROVIDERS_FILE": written(stack, "providers.json", json.dumps({"version": 1, "providers": [named]}))}
    stack.programs.set("analysis", JOB_LEASE="3s", **analysis)
    stack.up()


def engine(user, task="asr"):
    """Records; gives who heard the words, or who did another task; None where nobody did."""
    session = user.send_video(small_video())
    assert ended(user, session)["status"] == "complete"
    answer = user.call("GET", f"/v1/reports/{session}")
    assert answer.status == 200, answer
    return answer.json["engines"].get(task)


def may_record_twice(stack, user):
    code, _, notes = stack.command("quota", "grant", user.email, "--units", "1")
    assert code == 0, notes


def agree(stack, user, *given):
    """Says what providers may have, and waits until both services that ask some have heard it."""
    answer = user.call("PUT", "/v1/consents", {"given": list(given)})
    assert answer.status == 200 and len(answer.json["given"]) == len(given), answer
    purposes = [{"purpose": purpose} for purpose in sorted(one["purpose"] for one in given)]
    for service in ("analysis", "reporting"):
        wait(f"{service} has heard it", lambda: stack.sql(
            f"select purpose from {service}.consents where owner_id = '{user.id}' and data_classes <> '{{}}' order by purpose") == purposes)


def look_export_and_erase(user):
    """What somebody does who has a report, to the end."""
    for path in ("/v1/progress", "/v1/reports", "/v1/quota", "/v1/consents", "/v1/me"):
        assert user.call("GET", path).status == 200, path
    asked = user.call("POST", "/v1/exports", {})
    assert asked.status == 202, asked

    def ready():
        state = user.call("GET", f"/v1/exports/{asked.json['id']}").json
        return state if state.get("state") == "ready" else None
    archive = send(user.url, "GET", wait("the export is ready", ready, within=60)["archive"]["url"])
    assert archive.status == 200 and archive.body.startswith(b"PK"), archive
    assert user.erase().status in (200, 202)
    wait("the receipt is complete", lambda: user.call("GET", "/v1/me/erasure").status == 200)


def test_the_recorder_sees_whatever_is_sent(namespace):
    """Else its silence would prove nothing."""
    assert namespace.packets() == []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.sendto(b"x", ("198.51.100.7", 9))
    assert namespace.packets() == [("udp", "198.51.100.7", 9, 29)]
    # A program's, too, that is started: of a connection that nobody takes the first packet.
    subprocess.run(["bash", "-c", "(exec 3<>/dev/tcp/203.0.113.10/81) 2>/dev/null"], check=False, timeout=30)
    assert {packet[:3] for packet in namespace.packets()} == {("tcp", sealed.STAND_IN, 81)}
    with socket.create_server(("127.0.0.1", 0)) as listener:
        socket.create_connection(listener.getsockname()).close()
    assert namespace.packets() == [], "what stays on this machine is not seen"


def test_no_packet_leaves_without_consent_and_with_it_they_go_to_the_provider_alone(namespace, stack):
    with namespace.outside():
        provider = Provider(sealed.STAND_IN)
    with provider:
        start(stack, provider)
        nobody = new_user(stack)
        assert engine(nobody) == "moonshine"
        taken_back = new_user(stack)
        agree(stack, taken_back, AGREED)
        agree(stack, taken_back)
        assert engine(taken_back) == "moonshine"
        for user in (nobody, taken_back):
            look_export_and_erase(user)
        assert namespace.packets() == [], "not one byte left, to nobody, and nobody's name was asked for"
        assert provider.asked == []

        somebody = new_user(stack)
        may_record_twice(stack, somebody)
        agree(stack, somebody, AGREED)
        assert engine(somebody) == "openai"
        sent = namespace.packets()
        assert {packet.target for packet in sent} == {sealed.STAND_IN} and {packet.protocol for packet in sent} == {"tcp"}
        assert sum(packet.size for packet in sent) > len(provider.asked[0].body) > 0 and len(provider.asked) == 1

        agree(stack, somebody)
        # What was kept open for the next call may be closed meanwhile.
        namespace.packets()
        assert engine(somebody) == "moonshine"
        look_export_and_erase(somebody)
        assert [packet for packet in namespace.packets() if packet.size > 100] == [] and len(provider.asked) == 1


def test_no_packet_of_a_report_leaves_without_consent_and_with_it_they_go_to_the_provider_alone(namespace, stack):
    with namespace.outside():
        provider = Provider(sealed.STAND_IN)
    provider.answer = sentences
    with provider:
        start(stack, provider, {"chat": {"model": "gpt-4o-mini"}})
        nobody = new_user(stack)
        assert engine(nobody, "text") == "catalogue"
        taken_back = new_user(stack)
        agree(stack, taken_back, WORDED)
        agree(stack, taken_back)
        assert engine(taken_back, "text") == "catalogue"
        assert namespace.packets() == [] and provider.asked == []

        somebody = new_user(stack)
        may_record_twice(stack, somebody)
        agree(stack, somebody, WORDED)
        assert engine(somebody, "text") == "openai/gpt-4o-mini"
        sent = namespace.packets()
        assert {packet.target for packet in sent} == {sealed.STAND_IN} and {packet.protocol for packet in sent} == {"tcp"}
        assert [asked.path for asked in provider.asked] == ["/v1/chat/completions"]
        agree(stack, somebody)
        namespace.packets()
        assert engine(somebody, "text") == "catalogue"
        assert [packet for packet in namespace.packets() if packet.size > 100] == [] and len(provider.asked) == 1


def test_no_picture_leaves_without_consent_and_with_it_they_go_to_the_provider_alone(namespace, stack):
    with namespace.outside():
        provider = Provider(sealed.STAND_IN)
    provider.answer = seen(0.8, 0.5, 0.5)
    with provider:
        start(stack, provider, {"vision": {"model": "gpt-4o"}})
        nobody = new_user(stack)
        assert engine(nobody, "vision") is None
        taken_back = new_user(stack)
        agree(stack, taken_back, SEEN)
        agree(stack, taken_back)
        assert engine(taken_back, "vision") is None
        assert namespace.packets() == [] and provider.asked == []

        somebody = new_user(stack)
        may_record_twice(stack, somebody)
        agree(stack, somebody, SEEN)
        assert engine(somebody, "vision") == "openai/gpt-4o"
        sent = namespace.packets()
        assert {packet.target for packet in sent} == {sealed.STAND_IN} and {packet.protocol for packet in sent} == {"tcp"}
        assert [asked.path for asked in provider.asked] == ["/v1/chat/completions"], "the sound stays here"
        agree(stack, somebody)
        namespace.packets()
        assert engine(somebody, "vision") is None
        assert [packet for packet in namespace.packets() if packet.size > 100] == [] and len(provider.asked) == 1


def test_no_recording_leaves_without_consent_and_with_it_goes_to_the_provider_alone_and_back(namespace, stack):
    with namespace.outside():
        gemini = Gemini(sealed.STAND_IN)
    part = {"value": 0.8, "reason": None}
    gemini.answer = generated(json.dumps({"posture": part, "gestures": part, "expression": part}))
    with gemini:
        start(stack, gemini, {"name": "gemini", "protocol": "gemini", "video": {"model": "gemini-2.5-flash"}})
        nobody = new_user(stack)
        assert engine(nobody, "video") is None
        taken_back = new_user(stack)
        agree(stack, taken_back, SHOWN)
        agree(stack, taken_back)
        assert engine(taken_back, "video") is None
        # What lets somebody have pictures, or the sound, is no consent to all of it.
        other = new_user(stack)
        agree(stack, other, AGREED, SEEN)
        assert engine(other, "video") is None
        assert namespace.packets() == [] and gemini.asked == []

        somebody = new_user(stack)
        may_record_twice(stack, somebody)
        agree(stack, somebody, SHOWN)
        assert engine(somebody, "video") == "gemini/gemini-2.5-flash"
        sent = namespace.packets()
        assert {packet.target for packet in sent} == {sealed.STAND_IN} and {packet.protocol for packet in sent} == {"tcp"}
        assert gemini.asked[-1].method == "DELETE" and gemini.files == {}
        agree(stack, somebody)
        count = len(gemini.asked)
        namespace.packets()
        assert engine(somebody, "video") is None
        assert [packet for packet in namespace.packets() if packet.size > 100] == [] and len(gemini.asked) == count


def test_a_provider_that_is_off_gets_nothing_of_those_who_agreed(namespace, stack):
    with namespace.outside():
        provider = Provider(sealed.STAND_IN)
    with provider:
        start(stack, provider, {"off": True})
        user = new_user(stack)
        agree(stack, user, AGREED)
        assert engine(user) == "moonshine"
        assert namespace.packets() == [] and provider.asked == []


def test_without_its_proxy_a_service_asks_nobody(namespace, stack):
    with namespace.outside():
        provider = Provider(sealed.STAND_IN)
    with provider:
        # Nobody listens there.
        start(stack, provider, https_proxy="http://127.0.0.1:1", no_proxy="*")
        user = new_user(stack)
        agree(stack, user, AGREED)
        assert engine(user) == "moonshine"
        assert namespace.packets() == [] and provider.asked == []
        calls = stack.sql("select data ->> 'code' as code from analysis.events where type = 'ProviderCalled'")
        assert calls == [{"code": "unreachable"}], "it was meant to be asked"


def test_a_provider_of_ones_own_network_is_reached_without_the_proxy(namespace, stack):
    with namespace.outside():
        provider = Provider(sealed.STAND_IN)
    with provider:
        start(stack, provider, {"direct": True}, https_proxy="http://127.0.0.1:1")
        user = new_user(stack)
        agree(stack, user, AGREED)
        assert namespace.packets() == []
        assert engine(user) == "openai" and len(provider.asked) == 1
        assert {packet.target for packet in namespace.packets()} == {sealed.STAND_IN}


def certificate_of(stack, address, *names):
    """Of a server at an address, and perhaps by names: the path of the certificate, and of a file that has its key too."""
    path = os.path.join(stack.folder, "certificate.pem")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
         "/CN=stand-in", "-addext", "subjectAltName=" + ",".join([f"IP:{address}", *(f"DNS:{name}" for name in names)]), "-keyout", f"{path}.key", "-out", path],
        check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60)
    os.chmod(path, 0o644)
    text = ""
    for part in (path, f"{path}.key"):
        with open(part, encoding="utf-8") as file:
            text += file.read()
    return path, written(stack, "both.pem", text)


# What a name server may say of hosts that are in the settings.
NAMES = {
    "public.example.org": [[sealed.STAND_IN]], "private.example.org": [["10.9.9.9"]], "here.example.org": [["127.0.0.1"]],
    "both.example.org": [[sealed.STAND_IN, "192.168.9.9"]], "cloud.example.org": [["169.254.169.254"]],
    "turning.example.org": [[sealed.STAND_IN], ["10.9.9.9"]]}


@pytest.mark.skipif(not os.path.exists("/usr/sbin/squid"), reason="squid is not installed")
def test_the_way_out_of_a_local_stack_lets_through_what_is_named_and_nothing_else(namespace, stack):
    certificate, both = certificate_of(stack, sealed.STAND_IN)
    stack.environment |= {"WAY_OUT": "true", "WAY_OUT_HOSTS": ",".join(NAMES), "WAY_OUT_NAME_SERVERS": sealed.STAND_IN}
    with namespace.outside():
        provider = Provider(sealed.STAND_IN, 443, both)
        names = NameServer(sealed.STAND_IN, NAMES)
    with provider, names:
        start(stack, provider, SSL_CERT_FILE=certificate)
        user = new_user(stack)
        agree(stack, user, AGREED)
        assert namespace.packets() == []
        assert engine(user) == "openai" and len(provider.asked) == 1
        assert {packet[:3] for packet in namespace.packets()} == {("tcp", sealed.STAND_IN, 443)}
        assert "https_proxy" not in stack.environment_of("sessions")

        proxy = int(stack.environment_of("analysis")["https_proxy"].rpartition(":")[2])

        def answer(line):
            with socket.create_connection(("127.0.0.1", proxy), 30) as one:
                one.sendall(f"{line} HTTP/1.1\r\nHost: somewhere\r\n\r\n".encode())
                return int(one.recv(4096).split(b" ")[1])
        assert answer("CONNECT public.example.org:443") == answer("CONNECT turning.example.org:443") == 200
        names.asked.clear()
        assert answer("CONNECT turning.example.org:443") == 200 and names.asked == [], "what was looked at is what counts"
        refused = [*(f"CONNECT {name}:443" for name in ("private.example.org", "here.example.org", "both.example.org", "cloud.example.org")),
                   f"CONNECT {sealed.STAND_IN}:8443", "CONNECT 203.0.113.1:443", "CONNECT 127.0.0.1:443", "CONNECT unnamed.example.org:443",
                   f"GET http://{sealed.STAND_IN}/", f"GET https://{sealed.STAND_IN}/"]
        assert {line: answer(line) for line in refused} == dict.fromkeys(refused, 403)
        assert "unnamed.example.org" not in names.asked, "nobody is told of what is not in the settings"
        assert {packet[:3] for packet in namespace.packets()} == {("tcp", sealed.STAND_IN, 443), ("udp", sealed.STAND_IN, 53)}


@pytest.mark.skipif(not os.path.exists("/usr/sbin/squid"), reason="squid is not installed")
def test_purchases_and_webhooks_take_the_same_way_out(namespace, stack):
    hosts = {"shop.example.org": [[sealed.STAND_IN]], "hook.example.org": [[sealed.STAND_IN]]}
    certificate, both = certificate_of(stack, sealed.STAND_IN, *hosts)
    # The shop's host is let through because it is asked for payments, that of a webhook because it is named.
    stack.environment |= {
        "WAY_OUT": "true", "WAY_OUT_HOSTS": "hook.example.org", "WAY_OUT_NAME_SERVERS": sealed.STAND_IN,
        "STRIPE_API_URL": "https://shop.example.org", "STRIPE_SECRET_KEY_FILE": written(stack, "stripe-key", "rk_test_of_the_tests\n"),
        "STRIPE_WEBHOOK_SECRETS_FILE": written(stack, "stripe-webhook", "whsec_5f2d1c9b8a7e6f4d3c2b1a09\n"),
        "STRIPE_PRICES": "price_1=premium", "STRIPE_CHECKOUT_PRICES": "price_1"}
    for service in ("quota", "notifications"):
        stack.programs.set(service, SSL_CERT_FILE=certificate)
    with namespace.outside():
        provider = Provider(sealed.STAND_IN, 443, both)
        names = NameServer(sealed.STAND_IN, hosts)
    with provider, names:
        stack.up()
        user = new_user(stack)
        told = user.call("POST", "/v1/webhooks/endpoints", {"url": "https://hook.example.org/in", "kinds": ["report.ready"]})
        assert told.status == 201, told
        assert namespace.packets() == [], "nobody is told before there is something to tell"
        # What it answers is no page of Stripe's, so nobody is sent there; that it was asked is what this is about.
        answer = user.call("POST", "/v1/purchases/checkout", {}, key=str(uuid.uuid4()))
        assert answer.status >= 500, answer
        assert engine(user) == "moonshine"
        wait("its owner is told", lambda: "/in" in [asked.path for asked in provider.asked])
        assert {asked.path for asked in provider.asked} == {"/v1/checkout/sessions", "/in"}
        assert {packet[:3] for packet in namespace.packets()} == {("tcp", sealed.STAND_IN, 443), ("udp", sealed.STAND_IN, 53)}
        proxies = {service: stack.environment_of(service).get("https_proxy") for service in ("quota", "notifications", "analysis", "sessions")}
        assert proxies["quota"] == proxies["notifications"] == proxies["analysis"] and proxies["sessions"] is None, proxies
