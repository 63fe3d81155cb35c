"""The S3 server of a run with SYSTEM_TEST_S3=1: the program that S3_TEST_SERVER names, in a folder of its own."""
import os
import secrets
import shutil
import socket
import subprocess
import tempfile

from support import deaths
from support.waiting import wait


def wanted():
    return bool(os.environ.get("SYSTEM_TEST_S3") and os.environ.get("S3_TEST_SERVER"))


def described():
    """Where objects lie in this run, for the head of its output."""
    if wanted():
        return "an S3 server"
    if os.environ.get("SYSTEM_TEST_S3"):
        return "a folder, NOT an S3 server: SYSTEM_TEST_S3 needs S3_TEST_SERVER, the program versitygw"
    return "a folder"


def start():
    """Starts it and lets every stack use it; gives what stop() wants, or None when it is not wanted."""
    program = os.environ.get("S3_TEST_SERVER")
    if not wanted():
        return None
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folder = tempfile.mkdtemp(prefix="mirrormate-s3-")
    secret = secrets.token_hex(20)
    environment = {"PATH": os.environ["PATH"], "ROOT_ACCESS_KEY": "end-to-end", "ROOT_SECRET_KEY": secret}
    running = subprocess.Popen([program, "--quiet", "--port", f"127.0.0.1:{port}", "posix", folder], env=environment,
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               start_new_session=True)
    deaths.waited_for.add(running.pid)
    try:
        wait("the S3 server answers", lambda: socket.create_connection(("127.0.0.1", port), 1).close() or True)
    except BaseException:
        stop((running, folder))
        raise
    os.environ.update(OBJECT_STORE="s3://end-to-end", S3_ENDPOINT=f"http://127.0.0.1:{port}", S3_ACCESS_KEY="end-to-end",
                      S3_SECRET_KEY=secret)
    return running, folder


def stop(server):
    if server:
        running, folder = server
        running.kill()
        running.wait()
        shutil.rmtree(folder, ignore_errors=True)
