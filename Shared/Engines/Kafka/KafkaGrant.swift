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
        try await request(limit) { RightsRequests.create($0, grants.map { BrokerRight($0) }, $1) }
    }

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
        let declared = grants.filter { $0.client == client }.map { BrokerRight($0) }
        let held = try await request(limit) { RightsRequests.held($0, client, topic, $1) }
        let undeclared = held.filter { !declared.contains($0) && $0.isOfKnownKind }
        if undeclared.isEmpty { return [] }
        try await request(limit) { RightsRequests.delete($0, undeclared, $1) }
        return undeclared.map(\.description)
    }
}
