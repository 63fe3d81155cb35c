package import EventStore
package import Primitives

/// The row functions of signing in with another provider.
package enum FederationRows {
    static let useNonce = RowFunction(
        "use_nonce", .uuid("id"), .time("expiresAt"), refusals: [.nonceUsed])
    static let putToken = RowFunction(
        "put_provider_token", .uuid("id"), .uuid("userId"), .string("clientId"), .string("sealed"))
    /// Has the token that a provider gave for a user revoked, if there is one.
    package static let revokeToken = RowFunction("revoke_provider_token", .uuid("userId"))

    package static let all = [useNonce.declaration, putToken.declaration, revokeToken.declaration]
}

extension RowRefusal {
    /// The nonce was used before.
    package static let nonceUsed = RowRefusal("nonce-used")
}
