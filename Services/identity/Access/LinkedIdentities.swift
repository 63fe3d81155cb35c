import Crypto
package import EventStore
import Postgres
package import Primitives
package import Runtime

/// The identities at Google and Apple that let somebody in to an account, in the table `linked_identities`, which hangs on
/// the service's table `profiles`: by a keyed hash of the subject that the provider knows them by, never by an address.
@Loop package struct LinkedIdentities {
    /// An identity as its owner sees it.
    package struct Entry {
        package let provider: IdentityProvider
        package let linkedAt: Timestamp
    }

    private let store: EventStore
    private let key: [UInt8]

    package init(_ store: EventStore, _ settings: AccessSettings) {
        self.store = store
        key = settings.secrets.identities
    }

    /// The account that an identity opens; nil for one that is linked to none.
    ///
    /// - Throws: `PostgresError`.
    package func account(of provider: IdentityProvider, _ subject: String) async throws -> FirstFactor? {
        let row = try await store.pool.query(
            "select user_id, linked_at from linked_identities where provider = $1 and subject_hash = $2",
            [.text(provider.rawValue), .bytes(hash(provider, subject))]
        ).first
        return row.map { FirstFactor($0.uuid(0), provider.proof, since: $0.time(1)) }
    }

    /// A user's identities, by the providers' names.
    ///
    /// - Throws: `PostgresError`.
    package func list(of user: UUID) async throws -> [Entry] {
        try await store.pool.query(
            "select provider, linked_at from linked_identities where user_id = $1 order by provider", [.uuid(user)]
        ).rows.compactMap { row in
            IdentityProvider(rawValue: row.text(0)).map { Entry(provider: $0, linkedAt: row.time(1)) }
        }
    }

    /// Links an identity to a user. Refused with `identity-linked` when it belongs to another one, with `provider-linked`
    /// when the user has another one of this provider; one that is linked already stays as it is.
    package func linking(_ provider: IdentityProvider, _ subject: String, to user: UUID) -> RowCall {
        AccessRows.putIdentity(user, provider.rawValue, Hex.encode(hash(provider, subject)))
    }

    private func hash(_ provider: IdentityProvider, _ subject: String) -> [UInt8] {
        HMACSHA256.authenticate(Array("\(provider.rawValue) \(subject)".utf8), key: key)
    }
}
