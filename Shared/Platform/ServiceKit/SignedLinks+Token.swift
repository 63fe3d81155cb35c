package import HTTPServer
package import Primitives

/// The same right as one text, for clients whose addresses have a single parameter `token`: seconds, a dot, signature.
extension SignedLinks {
    /// The token for a method and a path, good until a moment.
    package func token(_ method: String, _ path: String, until end: Timestamp) -> String {
        "\(end.seconds).\(signature(method, path, end.seconds))"
    }

    /// Checks that a token was made here for a method and a path and still holds.
    ///
    /// - Returns: for how long it still does.
    /// - Throws: the problem for an address that was not made here, or that is over.
    @discardableResult
    package func checkToken(
        _ token: String, _ method: String, _ path: String, now: Timestamp = .now()
    ) throws(Problem) -> Duration {
        let parts = token.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        return try check(
            expires: parts.first.flatMap { Int64($0) }, signature: parts.count == 2 ? String(parts[1]) : nil, method,
            path,
            now: now)
    }
}
