import Crypto
import EventSourcing
package import EventStore
import HTTPServer
import Postgres
package import Primitives
package import Runtime
import ServiceKit

/// Codes that are mailed and can be used once: a code's id and an HMAC over id and purpose. So nothing in the database
/// lets anybody make one, and it holds neither codes nor hashes of them.
@Loop package struct OneTimeCodes {
    /// A code that was made here for a purpose and can still be used.
    package struct Code {
        package let id: UUID
        package let user: UUID
        fileprivate let purpose: String

        /// For the append that the code allows: uses it up, or refuses the append with the code `code-invalid`. Other
        /// codes of the user for the same purpose go too.
        package var use: RowCall { AccessRows.useCode(id, user, purpose) }
    }

    private static let macLength = 16

    private let store: EventStore
    private let keys: AuthenticationKeys

    package init(_ store: EventStore, _ settings: AccessSettings) {
        self.store = store
        keys = settings.secrets.codes
    }

    /// Makes a code that can be used from now on, once; a repeat neither makes its life longer nor gives it another one.
    ///
    /// - Parameters:
    ///   - lifetime: how long it can be used.
    ///   - session: the login session that it counts for; nil for wherever it comes back.
    ///   - first: the row that refuses whoever has opened it before, with `refusal`.
    /// - Returns: whether it can be used: not when it was used, is over or the user is gone.
    /// - Throws: `AppendError` or `PostgresError`.
    package func open(
        _ id: UUID, of user: UUID, for purpose: String, lasting lifetime: Duration, in session: UUID?,
        if first: RowCall, orElse refusal: RowRefusal
    ) async throws -> Bool {
        let end = Timestamp.now() + lifetime
        let opening = Append(
            id: id, requestHash: [], metadata: EventMetadata(owner: user, correlation: id, actor: "mail"), writes: [],
            calls: [first, AccessRows.openCode(id, user, purpose, end, session)])
        do {
            try await store.append(opening)
        } catch AppendError.erased, AppendError.data("one_time_codes_user_id_fkey") {
            return false
        } catch {
            // Of one that was opened before, what is left of it is what counts.
            guard error == .guarded(refusal) else { throw error }
        }
        return try await store.pool.query(
            "select from one_time_codes where id = $1 and expires_at > now()", [.uuid(id)]
        ).count > 0
    }

    /// The code as its owner gets it.
    package func text(_ id: UUID, for purpose: String) -> String {
        Base64URL.encode(id.bytes + Self.mac(id, purpose, keys.present))
    }

    /// The code of a text.
    ///
    /// - Parameter session: the login session in which it comes back; nil for a code that counts wherever it does.
    /// - Throws: a problem 401 when it is not a code for this purpose that can still be used, or `PostgresError`.
    package func check(_ text: String, for purpose: String, in session: UUID? = nil) async throws -> Code {
        guard text.utf8.count <= 128, let bytes = Base64URL.decode(text), bytes.count == 16 + Self.macLength,
            let id = UUID(bytes: bytes.prefix(16)),
            keys.contains(where: { ConstantTime.equal(Array(bytes.dropFirst(16)), Self.mac(id, purpose, $0)) }),
            let row = try await store.pool.query(
                """
                select user_id from one_time_codes where id = $1 and purpose = $2 and expires_at > now()
                    and session is not distinct from $3
                """, [.uuid(id), .text(purpose), .optional(session, PostgresValue.uuid)]
            ).first
        else { throw Problem(.codeInvalid) }
        return Code(id: id, user: row.uuid(0), purpose: purpose)
    }

    /// Removes the codes that are over, but those that count again once a change of address that waits takes effect.
    ///
    /// - Throws: `PostgresError`.
    package func sweep() async throws {
        _ = try await store.pool.query(
            """
            delete from one_time_codes where expires_at < now() and not exists (
                select from email_changes c where c.keep_id = one_time_codes.id and c.changed_at is null
                    and c.due_at is not null)
            """)
    }

    private static func mac(_ id: UUID, _ purpose: String, _ key: [UInt8]) -> [UInt8] {
        Array(HMACSHA256.authenticate(Array("\(purpose) \(id)".utf8), key: key).prefix(macLength))
    }
}
