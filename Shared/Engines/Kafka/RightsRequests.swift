import CKafka

/// Requests of the admin API about rights, made on a thread that may block.
enum RightsRequests {
    /// Grants rights; one that is granted already is not an error.
    static func create(
        _ client: OpaquePointer, _ rights: [BrokerRight], _ milliseconds: Int32
    ) -> Result<Void, KafkaError> {
        withNative(rights, rd_kafka_AclBinding_new) { bindings in
            TopicRequests.perform(client, RD_KAFKA_ADMIN_OP_CREATEACLS, milliseconds) { options, queue in
                rd_kafka_CreateAcls(client, &bindings, bindings.count, options, queue)
            } read: { event in
                firstError(rd_kafka_acl_result_error) {
                    rd_kafka_CreateAcls_result_acls(rd_kafka_event_CreateAcls_result(event), &$0)
                }
            }
        }
    }

    /// What a client is allowed; over one topic, or everything.
    static func held(
        _ client: OpaquePointer, _ name: String, _ topic: String?, _ milliseconds: Int32
    ) -> Result<[BrokerRight], KafkaError> {
        let (made, message) = withErrorText {
            rd_kafka_AclBindingFilter_new(
                topic == nil ? RD_KAFKA_RESOURCE_ANY : RD_KAFKA_RESOURCE_TOPIC, topic,
                RD_KAFKA_RESOURCE_PATTERN_ANY, BrokerRight.principal(of: name), nil, RD_KAFKA_ACL_OPERATION_ANY,
                RD_KAFKA_ACL_PERMISSION_TYPE_ALLOW, $0, $1)
        }
        guard let filter = made else { return .failure(KafkaError(.configuration, detail: message)) }
        defer { rd_kafka_AclBinding_destroy(filter) }
        return TopicRequests.perform(client, RD_KAFKA_ADMIN_OP_DESCRIBEACLS, milliseconds) { options, queue in
            rd_kafka_DescribeAcls(client, filter, options, queue)
        } read: { event in
            var count = 0
            let bindings = rd_kafka_DescribeAcls_result_acls(rd_kafka_event_DescribeAcls_result(event), &count)
            return .success((0..<count).compactMap { bindings?[$0] }.map { BrokerRight($0) })
        }
    }

    /// Takes rights away.
    static func delete(
        _ client: OpaquePointer, _ rights: [BrokerRight], _ milliseconds: Int32
    ) -> Result<Void, KafkaError> {
        withNative(rights, rd_kafka_AclBindingFilter_new) { filters in
            TopicRequests.perform(client, RD_KAFKA_ADMIN_OP_DELETEACLS, milliseconds) { options, queue in
                rd_kafka_DeleteAcls(client, &filters, filters.count, options, queue)
            } read: { event in
                firstError(rd_kafka_DeleteAcls_result_response_error) {
                    rd_kafka_DeleteAcls_result_responses(rd_kafka_event_DeleteAcls_result(event), &$0)
                }
            }
        }
    }

    /// What librdkafka makes of a right: a binding, or a filter that fits this one alone. Both are destroyed alike.
    private typealias Make = (
        rd_kafka_ResourceType_t, UnsafePointer<CChar>?, rd_kafka_ResourcePatternType_t, UnsafePointer<CChar>?,
        UnsafePointer<CChar>?, rd_kafka_AclOperation_t, rd_kafka_AclPermissionType_t, UnsafeMutablePointer<CChar>?, Int
    ) -> OpaquePointer?

    /// Lends what librdkafka makes of each right.
    private static func withNative(
        _ rights: [BrokerRight], _ make: Make, _ request: (inout [OpaquePointer?]) -> Result<Void, KafkaError>
    ) -> Result<Void, KafkaError> {
        var natives: [OpaquePointer?] = []
        defer { for native in natives { rd_kafka_AclBinding_destroy(native) } }
        for right in rights {
            let (made, message) = withErrorText {
                make(
                    right.type, right.name, right.pattern, right.principal, right.host, right.operation,
                    RD_KAFKA_ACL_PERMISSION_TYPE_ALLOW, $0, $1)
            }
            guard let made else { return .failure(KafkaError(.configuration, detail: message)) }
            natives.append(made)
        }
        return request(&natives)
    }

    private static func firstError(
        _ error: (_ result: OpaquePointer?) -> OpaquePointer?,
        _ results: (_ count: inout Int) -> UnsafeMutablePointer<OpaquePointer?>?
    ) -> Result<Void, KafkaError> {
        TopicRequests.firstError(in: results) { result in
            guard let error = error(result) else { return nil }
            let message = rd_kafka_error_string(error).map { String(cString: $0) } ?? ""
            return KafkaError(native: rd_kafka_error_code(error), detail: message)
        }
    }
}
