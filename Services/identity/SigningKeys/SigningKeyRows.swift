package import EventStore
import Primitives

/// The row functions of the private halves of signing keys.
package enum SigningKeyRows {
    /// Keeps a sealed private key; refused while another one lasts until `unlessOneLastsUntil`.
    static let putPrivateKey = RowFunction(
        "put_private_key", .uuid("kid"), .string("sealed"), .time("notBefore"), .time("expiresAt"),
        .optionalTime("unlessOneLastsUntil"), refusals: [.signingKeyExists])
    static let dropPrivateKey = RowFunction("drop_private_key", .uuid("kid"))

    package static let all = [putPrivateKey.declaration, dropPrivateKey.declaration]
}

extension RowRefusal {
    /// Another instance was faster.
    package static let signingKeyExists = RowRefusal("signing-key-exists")
}
