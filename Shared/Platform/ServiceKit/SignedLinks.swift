import Crypto
package import HTTPServer
package import Primitives

/// Addresses that let whoever has them do one thing for a while, without a token.
package struct SignedLinks: Sendable {
    private let keys: @Sendable () -> [[UInt8]]
    private let publicURL: String
    private let invalid: ProblemCode
    private let expired: ProblemCode

    /// - Parameters:
    ///   - key: at least 16 bytes that nobody else knows, for these addresses alone.
    ///   - publicURL: the only address that clients see.
    ///   - invalid: the problem of an address that was not made here.
    ///   - expired: the problem of one that is over.
    package init(key: [UInt8], publicURL: String, invalid: ProblemCode, expired: ProblemCode) {
        self.init(keys: { [key] }, publicURL: publicURL, invalid: invalid, expired: expired)
    }

    /// - Parameters:
    ///   - keys: as `key`, the one first with which addresses are made; what the others have made is believed.
    ///   - publicURL: the only address that clients see.
    ///   - invalid: the problem of an address that was not made here.
    ///   - expired: the problem of one that is over.
    package init(
        keys: @escaping @Sendable () -> [[UInt8]], publicURL: String, invalid: ProblemCode, expired: ProblemCode
    ) {
        self.keys = keys
        self.publicURL = publicURL
        self.invalid = invalid
        self.expired = expired
    }

    /// The address of a path, good for a method until a moment.
    package func url(_ method: String, _ path: String, until end: Timestamp) -> String {
        "\(publicURL)\(path)?expires=\(end.seconds)&signature=\(signature(method, path, end.seconds))"
    }

    /// Checks that a request for a path came by an address that was made here and still holds.
    ///
    /// - Parameter method: the method that the address is good for; by default only the request's own.
    /// - Returns: for how long it still does.
    /// - Throws: the problem for an address that was not made here, or that is over.
    @discardableResult
    package func check(
        _ request: Request, path: String, as method: String? = nil, now: Timestamp = .now()
    ) throws(Problem) -> Duration {
        try check(
            expires: request.query("expires").flatMap { Int64($0) }, signature: request.query("signature"),
            method ?? request.method, path, now: now)
    }

    /// As ``check(_:path:as:now:)``, of an end and a signature as they were sent.
    func check(
        expires: Int64?, signature given: String?, _ method: String, _ path: String, now: Timestamp
    ) throws(Problem) -> Duration {
        guard let expires, let given,
            keys().contains(where: { key in
                ConstantTime.equal(
                    Array(given.utf8), Array(Self.signature(method, path, expires, key).utf8))
            })
        else { throw Problem(invalid) }
        guard now.seconds < expires else { throw Problem(expired) }
        return Timestamp(seconds: expires) - now
    }

    /// The signature of what is made now.
    func signature(_ method: String, _ path: String, _ expires: Int64) -> String {
        Self.signature(method, path, expires, keys().first ?? [])
    }

    private static func signature(_ method: String, _ path: String, _ expires: Int64, _ key: [UInt8]) -> String {
        Base64URL.encode(HMACSHA256.authenticate(Array("\(method) \(path) \(expires)".utf8), key: key))
    }
}
