package import HTTPServer

/// Problems of the keys that sign tokens.
extension ProblemCode {
    package static let signingKeyMissing = ProblemCode(
        "signing-key-missing", 503, "Nobody can sign in just now",
        "Try the same request again in a minute.")

    /// All of them.
    package static let signingKeys: [ProblemCode] = [
        signingKeyMissing
    ]
}
