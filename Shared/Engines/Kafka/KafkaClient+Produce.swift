import CKafka

extension KafkaClient {
    /// Hands a record to the library, which copies it; never waits.
    func produce(_ record: OutgoingRecord, opaque: UInt) -> rd_kafka_resp_err_t {
        let headers = nativeHeaders(record.headers)
        let native = record.key.withBytes { key in
            record.value.withBytes { value in
                ckafka_produce(
                    pointer, record.topic, record.partition, key.start, key.count, value.start, value.count, headers,
                    opaque)
            }
        }
        // The library owns the headers only when it took the record.
        if native != RD_KAFKA_RESP_ERR_NO_ERROR, let headers { rd_kafka_headers_destroy(headers) }
        return native
    }

    private func nativeHeaders(_ headers: RecordHeaders) -> OpaquePointer? {
        if headers.count == 0 { return nil }
        let native: OpaquePointer = rd_kafka_headers_new(headers.count)
        // It fails only for names and values that are too long for the protocol's 32-bit lengths.
        headers.withEach { name, value, size in _ = rd_kafka_header_add(native, name, -1, value, size) }
        return native
    }
}

extension [UInt8]? {
    /// Lends the bytes: a null pointer for nil, and one that is not null for no bytes.
    fileprivate func withBytes<T>(_ body: ((start: UnsafeRawPointer?, count: Int)) -> T) -> T {
        guard let bytes = self else { return body((nil, 0)) }
        if bytes.isEmpty {
            return withUnsafeBytes(of: UInt8(0)) { body(($0.baseAddress, 0)) }
        }
        return bytes.withUnsafeBytes { body(($0.baseAddress, $0.count)) }
    }
}
