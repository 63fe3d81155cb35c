// librdkafka for Swift: its headers, eventfd(2) that tells of its events, and the calls that Swift cannot make itself
// (variadic functions).
#ifndef MIRRORMATE_CKAFKA_SHIM_H
#define MIRRORMATE_CKAFKA_SHIM_H

#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>
#include <sys/eventfd.h>

// Queues one record for an explicit partition, copying key and value. A null key or value stays null; an empty one needs a
// pointer that is not null. The headers are taken over on success and still the caller's on failure.
static inline rd_kafka_resp_err_t ckafka_produce(
    rd_kafka_t *client, const char *topic, int32_t partition, const void *key, size_t key_size, const void *value,
    size_t value_size, rd_kafka_headers_t *headers, uintptr_t opaque) {
    if (headers) {
        return rd_kafka_producev(
            client, RD_KAFKA_V_TOPIC(topic), RD_KAFKA_V_PARTITION(partition), RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY),
            RD_KAFKA_V_KEY(key, key_size), RD_KAFKA_V_VALUE((void *)value, value_size), RD_KAFKA_V_HEADERS(headers),
            RD_KAFKA_V_OPAQUE((void *)opaque), RD_KAFKA_V_END);
    }
    return rd_kafka_producev(
        client, RD_KAFKA_V_TOPIC(topic), RD_KAFKA_V_PARTITION(partition), RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY),
        RD_KAFKA_V_KEY(key, key_size), RD_KAFKA_V_VALUE((void *)value, value_size),
        RD_KAFKA_V_OPAQUE((void *)opaque), RD_KAFKA_V_END);
}

#endif
