"""Kafka's own console programs with somebody's certificate: whether a broker lets them write, read and join."""
import subprocess


def configuration(certificate, authority):
    """The settings of a client with a certificate, or with None."""
    text = (f"security.protocol=SSL\nssl.truststore.type=PEM\nssl.truststore.location={authority}\nlinger.ms=0\n"
            "request.timeout.ms=60000\ndelivery.timeout.ms=61000\nmax.block.ms=60000\ndefault.api.timeout.ms=60000\n")
    return text + (f"ssl.keystore.type=PEM\nssl.keystore.location={certificate}\n" if certificate else "")


class Attacker:
    """Runs the programs by `words(name)`, with the file of a `configuration`."""

    def __init__(self, words, address, file, **process):
        self.words, self.address, self.file, self.process = words, address, file, process

    def _run(self, program, *options):
        done = subprocess.run([*self.words(program), "--bootstrap-server", self.address, "--command-config", self.file, *options],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300, check=False,
                              **self.process)
        return done.stdout

    def write(self, topic):
        """What is said of a record of ten random bytes: "1 records sent" when it is taken."""
        # The console producer says in its log alone why a record is refused.
        return self._run("kafka-producer-perf-test.sh", "--topic", topic, "--num-records", "1", "--record-size", "10", "--throughput", "-1")

    def read(self, topic, group=None):
        """What is said while a record of the topic is read; without a group, none is joined."""
        more = ["--group", group, "--from-beginning"] if group else ["--partition", "0", "--offset", "earliest"]
        return self._run("kafka-console-consumer.sh", "--topic", topic, "--timeout-ms", "20000", "--max-messages", "1", *more)
