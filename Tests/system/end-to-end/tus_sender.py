"""Sends a file with tuspy, run by the Python that has it: goes on where it was cut, and can be killed at any time.

  tus_sender.py PLACE FILE CHUNK [BEGINNING TOKEN]

PLACE is a file with the upload's address; what is not begun yet is begun at BEGINNING, and the address is written there. Each
line that is printed is an offset.
"""
import os
import sys
import time

from tusclient.client import TusClient
from tusclient.exceptions import TusCommunicationError, TusUploadFailed


def patiently(do, within=120):
    """What do gives; it is tried again as long as somebody is away, or another request of ours is not over yet."""
    end = time.monotonic() + within
    while True:
        try:
            return do()
        except (TusCommunicationError, TusUploadFailed) as error:
            if time.monotonic() > end or error.status_code in (400, 403, 404, 410, 413, 415, 422):
                raise
            print(f"# {error.status_code} {str(error)[:120]}", flush=True)
            time.sleep(0.25)


def begin(place, file, url, token):
    """The upload's address, which is written down before anything is sent."""
    client = TusClient(url, headers={"Authorization": f"Bearer {token}"})
    address = patiently(lambda: client.uploader(file).create_url())
    with open(place + ".new", "w", encoding="utf-8") as out:
        out.write(address)
    os.rename(place + ".new", place)
    return address


def main(place, file, chunk, *beginning):
    if os.path.exists(place):
        with open(place, encoding="utf-8") as known:
            address = known.read()
    else:
        address = begin(place, file, *beginning)
    # Asks where it goes on.
    uploader = patiently(lambda: TusClient("").uploader(file, url=address, chunk_size=int(chunk), upload_checksum="CHECKSUM" in os.environ))
    while uploader.offset < uploader.get_file_size():
        def send():
            try:
                uploader.upload_chunk()
            except (TusCommunicationError, TusUploadFailed):
                uploader.offset = patiently(uploader.get_offset)
                raise
        patiently(send)
        print(uploader.offset, flush=True)


main(*sys.argv[1:])
