import Crypto
package import EventSourcing
package import EventStore
import HTTPServer
import Postgres
package import Primitives
package import Runtime
import ServiceKit

/// What shows for five minutes, once, that somebody came through the first factor of an account that asks for more, its password
/// or a linked identity: the id of a row, since when that opens the account, and an HMAC over both and the purpose. It opens nothing by itself.
@Loop package struct SignInTickets {
    /// What it is for; the raw value is durable.
    package enum Purpose: String, Sendable {
        /// The account has a second factor.
        case secondFactor = "second-factor"
        /// The account must have one, and has none yet.
        case enrolment = "second-factor-enrolment"
    }

    /// A ticket that can still be used.
    package struct Ticket {
        package let id: UUID
        /// What was shown to get it.
        package let factor: FirstFactor
        package let purpose: Purpose

        package var user: UUID { factor.user }

        /// For the append that the ticket allows without using it up: refuses it as `FirstFactor.stands` does.
        package var stands: RowCall { factor.stands }

        /// For the append that the ticket allows: uses up all of the user's, or refuses with `code-invalid`, and as
        /// `FirstFactor.stands` does.
        package var use: [RowCall] {
            [stands, AccessRows.useCode(id, user, SignInTickets.text(purpose, factor.proof))]
        }
    }

    /// How long one may be used, in seconds: longer where an app has to be set up first.
    package nonisolated static func lifetimeSeconds(_ purpose: Purpose) -> Int64 {
        switch purpose {
        case .secondFactor: 300
        case .enrolment: 900
        }
    }

    private static let macLength = 32

    private let store: EventStore
    private let keys: AuthenticationKeys

    package init(_ store: EventStore, _ settings: AccessSettings) {
        self.store = store
        keys = settings.secrets.tickets
    }

    /// Gives one to somebody who has shown the first factor.
    ///
    /// - Parameter proven: rows of the same append, such as what the first factor uses up.
    /// - Throws: a problem 401 when the user is erased meanwhile, `AppendError` or `PostgresError`.
    package func issue(
        for purpose: Purpose, to factor: FirstFactor, _ metadata: EventMetadata, if proven: [RowCall] = []
    ) async throws -> String {
        let id = UUID.v4()
        let end = Timestamp.now() + .seconds(Self.lifetimeSeconds(purpose))
        let row = AccessRows.openCode(id, factor.user, Self.text(purpose, factor.proof), end, nil)
        do {
            try await store.append(
                Append(id: .v7(), requestHash: [], metadata: metadata, writes: [], calls: proven + [row]))
        } catch AppendError.erased, AppendError.data("one_time_codes_user_id_fkey") {
            throw Problem(.credentialsInvalid)
        }
        return text(id, factor, purpose)
    }

    /// The ticket of a text, for one of some purposes.
    ///
    /// - Throws: as ``check(_:for:)``.
    package func check(_ text: String, forOneOf purposes: [Purpose]) async throws -> Ticket {
        for purpose in purposes.dropLast() {
            do {
                return try await check(text, for: purpose)
            } catch is Problem {
                continue
            }
        }
        guard let last = purposes.last else { throw Problem(.ticketInvalid) }
        return try await check(text, for: last)
    }

    /// The ticket of a text.
    ///
    /// - Throws: a problem 401 when it is none for this purpose that can still be used, or `PostgresError`.
    package func check(_ text: String, for purpose: Purpose) async throws -> Ticket {
        guard text.utf8.count <= 128, let bytes = Base64URL.decode(text), bytes.count == 24 + Self.macLength,
            let proof = FirstFactor.proofs.first(where: { proof in
                keys.contains {
                    ConstantTime.equal(
                        Array(bytes.dropFirst(24)), Self.mac(Array(bytes.prefix(24)), purpose, proof, $0))
                }
            }), let id = UUID(bytes: bytes.prefix(16)),
            let row = try await store.pool.query(
                "select user_id from one_time_codes where id = $1 and purpose = $2 and expires_at > now()",
                [.uuid(id), .text(Self.text(purpose, proof))]
            ).first
        else { throw Problem(.ticketInvalid) }
        let since = bytes[16..<24].reduce(Int64(0)) { $0 << 8 | Int64($1) }
        return Ticket(
            id: id, factor: FirstFactor(row.uuid(0), proof, since: Timestamp(microseconds: since)), purpose: purpose)
    }

    private func text(_ id: UUID, _ factor: FirstFactor, _ purpose: Purpose) -> String {
        let content = id.bytes + withUnsafeBytes(of: factor.since.microseconds.bigEndian) { Array($0) }
        return Base64URL.encode(content + Self.mac(content, purpose, factor.proof, keys.present))
    }

    private static func mac(_ content: [UInt8], _ purpose: Purpose, _ proof: Proof, _ key: [UInt8]) -> [UInt8] {
        HMACSHA256.authenticate(Array("\(text(purpose, proof)) ".utf8) + content, key: key)
    }

    /// The purpose of a row; durable, like its parts. After a password it is the purpose alone.
    private nonisolated static func text(_ purpose: Purpose, _ proof: Proof) -> String {
        proof == .password ? purpose.rawValue : "\(purpose.rawValue)-\(proof.rawValue)"
    }
}
