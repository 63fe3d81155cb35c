package import Access
import Crypto
package import EventStore
import JSON
package import Observability
import Postgres
import Primitives
package import Runtime
import ServiceKit

/// Refresh tokens that Apple gave with a code, in the table `provider_tokens`, sealed. They are kept only to be revoked when
/// their user is erased or unlinks the identity, as Apple asks of apps; each until Apple has said so.
@Loop package final class ProviderTokens {
    private static let pollInterval = Duration.seconds(5)
    private static let retry = Duration.seconds(60)
    /// About five days, with waits that grow to an hour.
    private static let attempts: Int64 = 120

    private let store: EventStore
    private let sealing: SealingKeys
    private let client: ProviderClient
    private let log: Logger
    private let wakeup = Wakeup()

    package init(_ store: EventStore, _ settings: FederationSettings, _ secrets: AccessSecrets, _ log: Logger) {
        self.store = store
        sealing = secrets.providerTokens
        client = ProviderClient(settings, log)
        self.log = log
    }

    /// The row of a token, for the append that lets its user in.
    ///
    /// - Throws: `CryptoError`.
    func keeping(_ token: String, of client: String, for user: UUID) throws -> RowCall {
        let id = UUID.v7()
        let sealed = try sealing.seal(Array(token.utf8), associatedData: id.bytes)
        return FederationRows.putToken(id, user, client, Hex.encode(sealed))
    }

    /// Keeps a token that belongs to nobody here until the provider has taken it back. What cannot be kept is lost, which the log
    /// says: whoever is let in nowhere must not wait for it.
    func giveBack(_ token: String, of client: String) async {
        do {
            let id = UUID.v7()
            let sealed = try sealing.seal(Array(token.utf8), associatedData: id.bytes)
            _ = try await store.pool.query(
                "select give_back_provider_token($1, $2, $3)", [.uuid(id), .text(client), .bytes(sealed)])
            wake()
        } catch {
            log.error("a token that lets nobody in could not be kept to be revoked", ["reason": .string("\(error)")])
        }
    }

    /// Makes ``run()`` look for revocations now.
    package func wake() {
        wakeup.wake()
    }

    /// Revokes what is due until the task is cancelled.
    package func run() async {
        await RepeatedWork(log, orElse: "revocations cannot be read").run(
            pausing: { try await wakeup.wait(atMost: Self.pollInterval) }
        ) {
            while try await revokeNext() {}
        }
    }

    /// Revokes the first token that is due.
    ///
    /// - Returns: whether there was one.
    /// - Throws: `PostgresError` or `CancellationError`.
    package func revokeNext() async throws -> Bool {
        // Taking a row schedules the next attempt, so a crash loses nothing and needs no cleanup.
        let taken = try await store.pool.query(
            "select id, client_id, sealed, attempts from take_revocation($1 * interval '1 microsecond')",
            [.double(Double(Self.retry.microseconds))]
        ).first
        guard let row = taken else { return false }
        let id = row.uuid(0)
        let outcome: ProviderClient.Revocation
        if let bytes = try? sealing.open(row.bytes(2), associatedData: id.bytes) {
            outcome = try await client.revoke(String(decoding: bytes, as: UTF8.self), of: row.text(1))
        } else {
            outcome = .failed("not-authentic")
        }
        switch outcome {
        case .done:
            _ = try await store.pool.query("delete from provider_tokens where id = $1", [.uuid(id)])
        case .failed(let reason) where row.int(3) < Self.attempts:
            log.warning(
                "a token could not be revoked; it will be tried again",
                ["token": .uuid(id), "reason": .string(reason), "attempts": .int(row.int(3))])
        case .failed(let reason), .refused(let reason):
            _ = try await store.pool.query(
                "update provider_tokens set parked = $2 where id = $1", [.uuid(id), .text(reason)])
            log.error("the revocation of a token is parked", ["token": .uuid(id), "reason": .string(reason)])
        }
        return true
    }
}
