"""Accounts by the public Python SDK of Supabase, against the running stack."""
import os
import subprocess

from support import places, tools
from support.stack import data_of
from support.waiting import wait

CALLS = "Tests/system/end-to-end/supabase_auth_calls.py"


def keys(stack, *words):
    exit_code, out, notes = stack.command("keys", *words, "--json", "--bin", stack.programs.folder)
    assert exit_code == 0, notes
    return data_of(out)


def test_the_public_sdk_signs_up_in_and_out_and_administers(stack):
    python = tools.python_with("Tests/system/end-to-end/supabase.txt", "Supabase's Python SDK")
    for made in (keys(stack), keys(stack, "make", "--opaque")):
        told = subprocess.run(
            [python, "-B", CALLS, stack.url, made["anonKey"], made["serviceKey"], os.path.join(stack.state, "mail")],
            cwd=places.ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=600)
        assert (told.returncode, told.stdout.strip()) == (0, "all"), told.stdout + told.stderr


def test_a_key_that_is_revoked_shuts_its_clients_out_and_stays_revoked(stack):
    made = keys(stack)
    settings = ["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "-H", f"apikey: {made['anonKey']}",
                f"{stack.url}/auth/v1/settings"]

    def status():
        return subprocess.run(settings, capture_output=True, text=True, check=True).stdout
    assert status() == "200"
    assert keys(stack, "revoke", made["anonKeyId"][:-2], "--yes")["revoked"], "the first digits are enough"
    wait("the key opens nothing", lambda: status() == "401")
    listed = {key["id"]: key["revoked"] for key in keys(stack, "api")["apiKeys"]}
    assert (listed[made["anonKeyId"]], listed[made["serviceKeyId"]]) == (True, False)
    everywhere = "select bool_and(revoked) from {}.api_keys where id = '" + made["anonKeyId"] + "'"
    for service in ("sessions", "quota", "analysis", "reporting"):
        wait(f"{service} has heard of it", lambda: stack.psql(everywhere.format(service)).strip() == "t")
