extension UUID {
    /// The namespace for domain names (RFC 9562, section 6.6).
    package static let dnsNamespace = UUID(high: 0x6ba7_b810_9dad_11d1, low: 0x80b4_00c0_4fd4_30c8)
    /// The namespace for URLs (RFC 9562, section 6.6).
    package static let urlNamespace = UUID(high: 0x6ba7_b811_9dad_11d1, low: 0x80b4_00c0_4fd4_30c8)

    /// The identifier that a name always has within a namespace (RFC 9562, section 5.5).
    package static func v5(namespace: UUID, name: [UInt8]) -> UUID {
        let digest = SHA1.digest(namespace.bytes + name)
        var high: UInt64 = 0
        var low: UInt64 = 0
        for index in 0..<8 {
            high = high << 8 | UInt64(digest[index])
            low = low << 8 | UInt64(digest[index + 8])
        }
        return stamped(high: high, low: low, version: 5)
    }

    /// The identifier that a name, as UTF-8, always has within a namespace (RFC 9562, section 5.5).
    package static func v5(namespace: UUID, name: String) -> UUID {
        v5(namespace: namespace, name: Array(name.utf8))
    }

    /// An identifier of a form of its own (RFC 9562, section 5.8): sixteen bytes, of which six bits become version and variant.
    package static func v8(_ bytes: some Collection<UInt8>) -> UUID? {
        UUID(bytes: bytes).map { stamped(high: $0.high, low: $0.low, version: 8) }
    }
}
