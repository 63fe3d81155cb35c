package import Configuration

/// A bucket of an S3 server, and our credentials.
package struct S3Settings: Sendable, Equatable {
    /// Where the bucket's name goes in URLs.
    package enum Addressing: String, Sendable, CaseIterable {
        /// `https://server/bucket/key`: understood by every server.
        case path
        /// `https://bucket.server/key`: what Amazon requires for new buckets.
        case host
    }

    package var bucket: String
    /// Prepended to every key: empty, or ending in a slash.
    package var prefix: String
    /// Scheme, host and port, without a slash at the end.
    package var endpoint: String
    package var region: String
    package var addressing: Addressing
    package var accessKey: String
    package var secretKey: Secret

    package init(
        bucket: String, prefix: String = "", endpoint: String, region: String = "us-east-1",
        addressing: Addressing = .path, accessKey: String, secretKey: Secret
    ) {
        self.bucket = bucket
        self.prefix = prefix
        self.endpoint = endpoint
        self.region = region
        self.addressing = addressing
        self.accessKey = accessKey
        self.secretKey = secretKey
    }

    /// - Parameter place: what follows `s3://`.
    init(place: Substring, _ environment: Environment) {
        let parts = place.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        bucket = String(parts.first ?? "")
        if !Self.isBucket(bucket) {
            environment.refuse(
                "OBJECT_STORE", "must name a bucket of 3 to 63 lower-case letters, digits, hyphens and dots.")
        }
        prefix = parts.count == 2 ? String(parts[1]) : ""
        if !prefix.isEmpty, !prefix.hasSuffix("/") { prefix += "/" }
        if !prefix.isEmpty, (try? ObjectKey.check(prefix)) == nil {
            environment.refuse("OBJECT_STORE", "has a prefix with other than lower-case letters, digits and hyphens.")
        }
        region = environment.string("S3_REGION", default: "us-east-1")
        let own = environment.optional("S3_ENDPOINT")
        endpoint = own ?? "https://s3.\(region).amazonaws.com"
        while endpoint.hasSuffix("/") { endpoint.removeLast() }
        if !Self.isOrigin(endpoint) {
            environment.refuse("S3_ENDPOINT", "must be http:// or https:// with a host and no path.")
        }
        if !Self.isWord(region) { environment.refuse("S3_REGION", "must be a name such as eu-central-1.") }
        addressing = environment.choice("S3_ADDRESSING", default: own == nil ? .host : .path)
        accessKey = environment.string("S3_ACCESS_KEY")
        secretKey = environment.secret("S3_SECRET_KEY")
    }

    /// The URL of the bucket, without a slash at the end.
    var bucketURL: String {
        switch addressing {
        case .path: return "\(endpoint)/\(bucket)"
        case .host:
            let parts = endpoint.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
            return "\(parts[0])//\(bucket).\(parts[2])"
        }
    }

    private static func isBucket(_ name: String) -> Bool {
        (3...63).contains(name.utf8.count)
            && name.utf8.allSatisfy {
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x2E
            } && !name.hasPrefix("-") && !name.hasPrefix(".")
    }

    private static func isWord(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
    }

    private static func isOrigin(_ text: String) -> Bool {
        for scheme in ["http://", "https://"] where text.hasPrefix(scheme) {
            let host = text.dropFirst(scheme.count)
            return !host.isEmpty && !host.contains { "/?#@ ".contains($0) }
        }
        return false
    }
}
