import CKafka

/// One thing that somebody may do at brokers which refuse all that is not granted. Describing a topic comes with reading or
/// writing it.
package struct KafkaGrant: Sendable, Equatable {
    package enum Right: Sendable, Equatable {
        case read(topic: String)
        case write(topic: String)
        /// Join a consumer group and commit its offsets.
        case join(group: String)
    }

    /// The client's name, as the brokers take it from its certificate.
    package let client: String
    package let right: Right

    package init(_ client: String, may right: Right) {
        self.client = client
        self.right = right
    }
}

extension KafkaAdmin {
    /// Grants; what is granted already stays so.
    ///
    /// - Throws: ``KafkaError``: `unsupported` on the development broker, that of brokers without an authorizer, and others.
    package func grant(_ grants: [KafkaGrant], within limit: Duration = .seconds(30)) async throws(KafkaError) {
        try await request(limit) { AccessRequests.create($0, grants, $1) }
    }
}

/// Requests of the admin API about access, made on a thread that may block.
private enum AccessRequests {
    static func create(
        _ client: OpaquePointer, _ grants: [KafkaGrant], _ milliseconds: Int32
    ) -> Result<Void, KafkaError> {
        var bindings: [OpaquePointer?] = []
        defer { for binding in bindings { rd_kafka_AclBinding_destroy(binding) } }
        for grant in grants {
            let (type, name, operation) = grant.right.native
            let (made, message) = withErrorText {
                rd_kafka_AclBinding_new(
                    type, name, RD_KAFKA_RESOURCE_PATTERN_LITERAL, "User:\(grant.client)", "*", operation,
                    RD_KAFKA_ACL_PERMISSION_TYPE_ALLOW, $0, $1)
            }
            guard let made else { return .failure(KafkaError(.configuration, detail: message)) }
            bindings.append(made)
        }
        return TopicRequests.perform(client, RD_KAFKA_ADMIN_OP_CREATEACLS, milliseconds) { options, queue in
            rd_kafka_CreateAcls(client, &bindings, bindings.count, options, queue)
        } read: { event in
            var count = 0
            let results = rd_kafka_CreateAcls_result_acls(rd_kafka_event_CreateAcls_result(event), &count)
            for index in 0..<count {
                guard let error = rd_kafka_acl_result_error(results?[index]) else { continue }
                let native = rd_kafka_error_code(error)
                let message = rd_kafka_error_string(error).map { String(cString: $0) } ?? ""
                return .failure(KafkaError(native: native, detail: message))
            }
            return .success(())
        }
    }
}

extension KafkaGrant.Right {
    /// The kind of thing, its name, and what is done with it, in librdkafka's words.
    var native: (rd_kafka_ResourceType_t, String, rd_kafka_AclOperation_t) {
        switch self {
        case .read(let topic): (RD_KAFKA_RESOURCE_TOPIC, topic, RD_KAFKA_ACL_OPERATION_READ)
        case .write(let topic): (RD_KAFKA_RESOURCE_TOPIC, topic, RD_KAFKA_ACL_OPERATION_WRITE)
        case .join(let group): (RD_KAFKA_RESOURCE_GROUP, group, RD_KAFKA_ACL_OPERATION_READ)
        }
    }
}
