// librdkafka's own C producer, which the relay is compared with.
#ifndef MIRRORMATE_BENCH_PRODUCER_H
#define MIRRORMATE_BENCH_PRODUCER_H

#include <stddef.h>
#include <stdint.h>

// Records in memory, with headers, in the order in which they are produced. Not thread-safe.
typedef struct producer_records producer_records;

producer_records *producer_records_new(void);
void producer_records_free(producer_records *records);

// Adds a record; the bytes are copied.
void producer_records_add(
    producer_records *records, int32_t partition, const void *key, size_t key_size, const void *value,
    size_t value_size);
// Adds a header to the last added record; name and value are copied.
void producer_records_header(producer_records *records, const char *name, const void *value, size_t size);

// Produces all records (idempotent, acks=all, librdkafka's default batching) and waits for the acknowledgements.
// Connecting is not counted: one extra record is acknowledged before the clock starts. Returns the seconds, or a negative
// number with the reason in `error`.
double producer_records_send(
    const producer_records *records, const char *bootstrap, const char *topic, char *error, size_t error_size);

#endif
