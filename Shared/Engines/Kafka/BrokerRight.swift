import CKafka

/// One thing that somebody may do, in the brokers' words.
struct BrokerRight: Sendable, Equatable, CustomStringConvertible {
    let principal: String
    let type: rd_kafka_ResourceType_t
    let name: String
    let pattern: rd_kafka_ResourcePatternType_t
    let host: String
    let operation: rd_kafka_AclOperation_t

    /// As it is granted here: over one thing by its name, from anywhere.
    init(_ grant: KafkaGrant) {
        principal = Self.principal(of: grant.client)
        (type, name, operation) = grant.right.native
        pattern = RD_KAFKA_RESOURCE_PATTERN_LITERAL
        host = "*"
    }

    /// As brokers say that it is held.
    init(_ binding: OpaquePointer) {
        func text(_ native: UnsafePointer<CChar>?) -> String { native.map { String(cString: $0) } ?? "" }
        principal = text(rd_kafka_AclBinding_principal(binding))
        type = rd_kafka_AclBinding_restype(binding)
        name = text(rd_kafka_AclBinding_name(binding))
        pattern = rd_kafka_AclBinding_resource_pattern_type(binding)
        host = text(rd_kafka_AclBinding_host(binding))
        operation = rd_kafka_AclBinding_operation(binding)
    }

    /// What brokers call a client of this name.
    static func principal(of client: String) -> String { "User:\(client)" }

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

extension KafkaGrant.Right {
    /// The kind of thing, its name, and what is done with it, in librdkafka's words.
    fileprivate var native: (rd_kafka_ResourceType_t, String, rd_kafka_AclOperation_t) {
        switch self {
        case .read(let topic): (RD_KAFKA_RESOURCE_TOPIC, topic, RD_KAFKA_ACL_OPERATION_READ)
        case .write(let topic): (RD_KAFKA_RESOURCE_TOPIC, topic, RD_KAFKA_ACL_OPERATION_WRITE)
        case .join(let group): (RD_KAFKA_RESOURCE_GROUP, group, RD_KAFKA_ACL_OPERATION_READ)
        }
    }
}
