"""Many requests at once."""
import threading


def at_once(count, ask):
    """The answers of so many requests that begin together; what failed is an exception."""
    answers = [None] * count
    begin = threading.Barrier(count)

    def one(index):
        begin.wait()
        try:
            answers[index] = ask(index)
        except Exception as error:  # noqa: BLE001 - counted as no answer
            answers[index] = error

    threads = [threading.Thread(daemon=True, target=one, args=(index,)) for index in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers
