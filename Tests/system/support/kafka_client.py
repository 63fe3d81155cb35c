"""A Kafka client with somebody's certificate: whether a broker lets them write, read and join."""
import confluent_kafka
from confluent_kafka import KafkaError

# What comes when nothing was refused. A busy machine may need long; what is refused, is at once.
PATIENCE = 60


class Client:
    """Somebody at a broker's TLS listener; without a certificate when that is None."""

    def __init__(self, address, authority, certificate):
        self.settings = {"bootstrap.servers": address, "security.protocol": "ssl", "ssl.ca.location": authority,
                         "log_level": 0, "message.timeout.ms": PATIENCE * 1000}
        if certificate:
            self.settings |= {"ssl.certificate.location": certificate, "ssl.key.location": certificate}

    def write(self, topic):
        """The name of the error when a record of ten bytes is not taken, `_SSL` when there is no connection; None when it is taken."""
        seen, done = [], []
        producer = confluent_kafka.Producer({**self.settings, "error_cb": lambda error: seen.append(error.str())})
        producer.produce(topic, b"0123456789", partition=0, on_delivery=lambda error, _: done.append(error and error.name()))
        for _ in range(PATIENCE * 10):
            producer.poll(0.1)
            if done:
                return done[0]
            if any("SSL alert" in text for text in seen):
                producer.purge()
                return "_SSL"
        return "not in time"

    def read(self, topic, group=None):
        """The name of the error when a topic is not read, `_PARTITION_EOF` at its end; None for a record. With a group it is joined."""
        consumer = confluent_kafka.Consumer({
            **{name: value for name, value in self.settings.items() if name != "message.timeout.ms"},
            "group.id": group or "mirrormate.none", "enable.auto.commit": False, "enable.partition.eof": True,
            "auto.offset.reset": "earliest"})
        passing = [KafkaError._ALL_BROKERS_DOWN, KafkaError._TRANSPORT]
        try:
            # Who may not read a topic hears it when they ask about it.
            about = consumer.list_topics(topic, PATIENCE).topics[topic].error
            if about:
                return about.name()
            if group:
                consumer.subscribe([topic])
            else:
                # A client must name one, though none is joined.
                passing.append(KafkaError.GROUP_AUTHORIZATION_FAILED)
                consumer.assign([confluent_kafka.TopicPartition(topic, 0, 0)])
            while message := consumer.poll(PATIENCE):
                error = message.error()
                if not error or error.code() not in passing:
                    return error and error.name()
            return "not in time"
        finally:
            consumer.close()
