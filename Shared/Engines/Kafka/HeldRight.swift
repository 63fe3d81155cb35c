import CKafka

extension KafkaAdmin {
    /// Takes from a client what it may do beyond `grants`, whoever granted it and in whatever form. What somebody is denied stays so,
    /// and so do rights over other things than topics, groups and the cluster, which allow nothing without these.
    ///
    /// - Parameter topic: looks at this topic alone; nil for all that the client may do.
    /// - Returns: what was taken, in words.
    /// - Throws: ``KafkaError``, as ``grant(_:within:)`` does.
    package func withdraw(
        from client: String, beyond grants: [KafkaGrant], over topic: String? = nil,
        within limit: Duration = .seconds(30)
    ) async throws(KafkaError) -> [String] {
        let declared = grants.filter { $0.client == client }.map { HeldRight($0.right) }
        let held = try await request(limit) { RightsRequests.held($0, client, topic, $1) }
        let undeclared = held.filter { !declared.contains($0) && $0.isOfKnownKind }
        if undeclared.isEmpty { return [] }
        try await request(limit) { RightsRequests.delete($0, undeclared, of: client, $1) }
        return undeclared.map(\.description)
    }
}

/// One thing that brokers say somebody may do.
private struct HeldRight: Sendable, Equatable, CustomStringConvertible {
    let type: rd_kafka_ResourceType_t
    let name: String
    let pattern: rd_kafka_ResourcePatternType_t
    let host: String
    let operation: rd_kafka_AclOperation_t

    /// As it is granted here: over one thing by its name, from anywhere.
    init(_ right: KafkaGrant.Right) {
        (type, name, operation) = right.native
        pattern = RD_KAFKA_RESOURCE_PATTERN_LITERAL
        host = "*"
    }

    init(_ binding: OpaquePointer) {
        func text(_ native: UnsafePointer<CChar>?) -> String { native.map { String(cString: $0) } ?? "" }
        type = rd_kafka_AclBinding_restype(binding)
        name = text(rd_kafka_AclBinding_name(binding))
        pattern = rd_kafka_AclBinding_resource_pattern_type(binding)
        host = text(rd_kafka_AclBinding_host(binding))
        operation = rd_kafka_AclBinding_operation(binding)
    }

    /// Whether librdkafka knows what it is over; it cannot delete another one alone.
    var isOfKnownKind: Bool {
        type != RD_KAFKA_RESOURCE_UNKNOWN && pattern != RD_KAFKA_RESOURCE_PATTERN_UNKNOWN
            && operation != RD_KAFKA_ACL_OPERATION_UNKNOWN
    }

    var description: String {
        let kind = rd_kafka_ResourceType_name(type).map { String(cString: $0) } ?? "?"
        let form = rd_kafka_ResourcePatternType_name(pattern).map { String(cString: $0) } ?? "?"
        let use = rd_kafka_AclOperation_name(operation).map { String(cString: $0) } ?? "?"
        return "\(use) \(kind) \(name) (\(form), from \(host))"
    }
}

/// Requests of the admin API about rights that are held, made on a thread that may block.
private enum RightsRequests {
    /// What a client is allowed; over one topic, or everything.
    static func held(
        _ client: OpaquePointer, _ name: String, _ topic: String?, _ milliseconds: Int32
    ) -> Result<[HeldRight], KafkaError> {
        let (made, message) = withErrorText {
            rd_kafka_AclBindingFilter_new(
                topic == nil ? RD_KAFKA_RESOURCE_ANY : RD_KAFKA_RESOURCE_TOPIC, topic,
                RD_KAFKA_RESOURCE_PATTERN_ANY, "User:\(name)", nil, RD_KAFKA_ACL_OPERATION_ANY,
                RD_KAFKA_ACL_PERMISSION_TYPE_ALLOW, $0, $1)
        }
        guard let filter = made else { return .failure(KafkaError(.configuration, detail: message)) }
        defer { rd_kafka_AclBinding_destroy(filter) }
        return TopicRequests.perform(client, RD_KAFKA_ADMIN_OP_DESCRIBEACLS, milliseconds) { options, queue in
            rd_kafka_DescribeAcls(client, filter, options, queue)
        } read: { event in
            var count = 0
            let bindings = rd_kafka_DescribeAcls_result_acls(rd_kafka_event_DescribeAcls_result(event), &count)
            return .success((0..<count).compactMap { bindings?[$0] }.map { HeldRight($0) })
        }
    }

    static func delete(
        _ client: OpaquePointer, _ rights: [HeldRight], of name: String, _ milliseconds: Int32
    ) -> Result<Void, KafkaError> {
        var filters: [OpaquePointer?] = []
        defer { for filter in filters { rd_kafka_AclBinding_destroy(filter) } }
        for right in rights {
            let (made, message) = withErrorText {
                rd_kafka_AclBindingFilter_new(
                    right.type, right.name, right.pattern, "User:\(name)", right.host, right.operation,
                    RD_KAFKA_ACL_PERMISSION_TYPE_ALLOW, $0, $1)
            }
            guard let made else { return .failure(KafkaError(.configuration, detail: message)) }
            filters.append(made)
        }
        return TopicRequests.perform(client, RD_KAFKA_ADMIN_OP_DELETEACLS, milliseconds) { options, queue in
            rd_kafka_DeleteAcls(client, &filters, filters.count, options, queue)
        } read: { event in
            var count = 0
            let results = rd_kafka_DeleteAcls_result_responses(rd_kafka_event_DeleteAcls_result(event), &count)
            for index in 0..<count {
                guard let error = rd_kafka_DeleteAcls_result_response_error(results?[index]) else { continue }
                let message = rd_kafka_error_string(error).map { String(cString: $0) } ?? ""
                return .failure(KafkaError(native: rd_kafka_error_code(error), detail: message))
            }
            return .success(())
        }
    }
}
