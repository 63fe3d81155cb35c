#include "producer.h"

#include <librdkafka/rdkafka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
    char *name;
    void *value;
    size_t size;
} header;

typedef struct {
    int32_t partition;
    void *key, *value;
    size_t key_size, value_size, header_count;
    header headers[24];
} record;

struct producer_records {
    record *items;
    size_t count, capacity;
};

static void *copy(const void *bytes, size_t size) {
    void *result = malloc(size + 1);
    if (size > 0) memcpy(result, bytes, size);
    return result;
}

producer_records *producer_records_new(void) { return calloc(1, sizeof(producer_records)); }

void producer_records_free(producer_records *records) {
    for (size_t index = 0; index < records->count; index++) {
        record *item = &records->items[index];
        for (size_t each = 0; each < item->header_count; each++) {
            free(item->headers[each].name);
            free(item->headers[each].value);
        }
        free(item->key);
        free(item->value);
    }
    free(records->items);
    free(records);
}

void producer_records_add(
    producer_records *records, int32_t partition, const void *key, size_t key_size, const void *value,
    size_t value_size) {
    if (records->count == records->capacity) {
        records->capacity = records->capacity ? records->capacity * 2 : 1024;
        records->items = realloc(records->items, records->capacity * sizeof(record));
    }
    record *item = &records->items[records->count++];
    item->partition = partition;
    item->key = copy(key, key_size);
    item->key_size = key_size;
    item->value = copy(value, value_size);
    item->value_size = value_size;
    item->header_count = 0;
}

void producer_records_header(producer_records *records, const char *name, const void *value, size_t size) {
    record *item = &records->items[records->count - 1];
    if (item->header_count == sizeof(item->headers) / sizeof(item->headers[0])) return;
    item->headers[item->header_count++] = (header){strdup(name), copy(value, size), size};
}

typedef struct {
    size_t acknowledged;
    rd_kafka_resp_err_t failure;
} progress;

static void settled(rd_kafka_t *client, const rd_kafka_message_t *message, void *opaque) {
    (void)client;
    progress *state = opaque;
    if (message->err) state->failure = message->err;
    state->acknowledged++;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static rd_kafka_resp_err_t produce(rd_kafka_t *client, const char *topic, const record *item) {
    rd_kafka_headers_t *headers = rd_kafka_headers_new(item->header_count);
    for (size_t each = 0; each < item->header_count; each++) {
        const header *one = &item->headers[each];
        rd_kafka_header_add(headers, one->name, -1, one->value, (ssize_t)one->size);
    }
    for (;;) {
        rd_kafka_resp_err_t outcome = rd_kafka_producev(
            client, RD_KAFKA_V_TOPIC(topic), RD_KAFKA_V_PARTITION(item->partition),
            RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY), RD_KAFKA_V_KEY(item->key, item->key_size),
            RD_KAFKA_V_VALUE(item->value, item->value_size), RD_KAFKA_V_HEADERS(headers), RD_KAFKA_V_END);
        if (outcome != RD_KAFKA_RESP_ERR__QUEUE_FULL) return outcome;
        rd_kafka_poll(client, 10);
    }
}

static rd_kafka_t *connect_to(const char *bootstrap, progress *state, char *error, size_t error_size) {
    static const char *const options[][2] = {{"enable.idempotence", "true"}, {"acks", "all"}};
    rd_kafka_conf_t *settings = rd_kafka_conf_new();
    rd_kafka_conf_set(settings, "bootstrap.servers", bootstrap, error, error_size);
    for (size_t index = 0; index < 2; index++) {
        rd_kafka_conf_set(settings, options[index][0], options[index][1], error, error_size);
    }
    rd_kafka_conf_set_dr_msg_cb(settings, settled);
    rd_kafka_conf_set_opaque(settings, state);
    return rd_kafka_new(RD_KAFKA_PRODUCER, settings, error, error_size);
}

double producer_records_send(
    const producer_records *records, const char *bootstrap, const char *topic, char *error, size_t error_size) {
    progress state = {0, RD_KAFKA_RESP_ERR_NO_ERROR};
    rd_kafka_t *client = connect_to(bootstrap, &state, error, error_size);
    if (!client) return -1;
    double seconds = -1;
    rd_kafka_resp_err_t outcome = produce(client, topic, &records->items[0]);
    if (!outcome) outcome = rd_kafka_flush(client, 30000);
    double start = now();
    for (size_t index = 0; index < records->count && !outcome && !state.failure; index++) {
        outcome = produce(client, topic, &records->items[index]);
        rd_kafka_poll(client, 0);
    }
    if (!outcome) outcome = rd_kafka_flush(client, 120000);
    if (!outcome) outcome = state.failure;
    if (!outcome && state.acknowledged == records->count + 1) {
        seconds = now() - start;
    } else {
        snprintf(error, error_size, "%s", rd_kafka_err2str(outcome));
    }
    rd_kafka_destroy(client);
    return seconds;
}
