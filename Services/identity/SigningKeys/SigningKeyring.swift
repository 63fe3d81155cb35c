import Configuration
import Contracts
package import Crypto
import EventSourcing
package import EventStore
import HTTPServer
import JSON
package import Observability
import Postgres
package import Primitives
package import Runtime
import ServiceKit

/// The keys that sign access tokens: created before they are needed, published, used, and retired once the last token they
/// signed has expired. All instances share the rows; this is one instance's view of them.
@Loop package final class SigningKeyring {
    private struct Entry {
        let kid: UUID
        let key: ES256PrivateKey
        let notBefore: Timestamp
        let expiresAt: Timestamp
    }

    /// The time between two reads of the rows.
    private static let interval = Duration.seconds(15)

    private let store: EventStore
    private let settings: SigningKeySettings
    private let actor: String
    private let log: Logger
    private var entries: [Entry] = []

    /// - Parameter actor: recorded in events as the one who created and retired keys.
    package init(_ store: EventStore, _ settings: SigningKeySettings, actor: String, _ log: Logger) {
        self.store = store
        self.settings = settings
        self.actor = actor
        self.log = log
    }

    /// Signs an access token's claims.
    ///
    /// - Throws: a problem 503 while there is no usable key, or `CryptoError`.
    package func sign(_ claims: AccessTokenClaims, at now: Timestamp) throws -> String {
        guard let entry = usable(at: now) else { throw Problem(.signingKeyMissing, headers: ["Retry-After": "60"]) }
        return try AccessToken.issue(claims, key: entry.key, keyID: entry.kid.description)
    }

    /// Signs the claims of an access token of the compatible surface.
    ///
    /// - Throws: as ``sign(_:at:)-(AccessTokenClaims,_)``.
    package func sign(_ claims: CompatibleTokenClaims, at now: Timestamp) throws -> String {
        guard let entry = usable(at: now) else { throw Problem(.signingKeyMissing, headers: ["Retry-After": "60"]) }
        return try CompatibleAccessToken.issue(claims, key: entry.key, keyID: entry.kid.description)
    }

    /// Maintains the keys until the task is cancelled.
    package func run() async {
        try? await Loop.sleep(for: Self.interval)
        await RepeatedWork(log, orElse: "signing keys could not be maintained", as: .error)
            .run(every: Self.interval) { try await step(at: .now()) }
    }

    /// Creates a key if the newest one ends soon, retires expired ones, and reads what other instances did.
    ///
    /// - Throws: `ConfigurationError` if the stored keys are sealed with another key, `AppendError`, `PostgresError`.
    package func step(at now: Timestamp) async throws {
        try await read()
        if !entries.contains(where: { $0.expiresAt > now + settings.overlap }) {
            // Others need a moment to learn about it, unless there is no other key to sign with.
            let notBefore = usable(at: now) == nil ? now : now + settings.lead
            try await make(from: notBefore, unlessOneLastsUntil: now + settings.overlap)
        }
        for entry in entries where now >= end(of: entry) { try await retire(entry, at: now) }
        try await read()
    }

    /// Creates a new key although the newest one is still valid; old ones are retired once what they signed has expired.
    ///
    /// - Parameter revoking: whether old keys are retired at once, as after a theft. What they signed is refused as soon
    ///   as the other services learn about it, and everybody has to refresh.
    /// - Throws: as ``step(at:)``.
    package func rotate(at now: Timestamp, revoking: Bool) async throws {
        try await read()
        let old = entries
        try await make(from: revoking ? now : now + settings.lead, unlessOneLastsUntil: nil)
        if revoking { for entry in old { try await retire(entry, at: now) } }
        try await read()
    }

    private func usable(at now: Timestamp) -> Entry? {
        entries.last { $0.notBefore <= now && $0.expiresAt >= now + settings.tokenLifetime }
    }

    /// When no token signed by the key can be valid any longer: at its own end, or a token's lifetime after a successor has
    /// taken over.
    private func end(of entry: Entry) -> Timestamp {
        guard let next = entries.first(where: { $0.notBefore > entry.notBefore }) else { return entry.expiresAt }
        // Another instance may see the successor one interval later.
        return min(entry.expiresAt, next.notBefore + settings.tokenLifetime + Self.interval * 2)
    }

    private func read() async throws {
        let rows = try await store.pool.query(
            "select kid, sealed, not_before, expires_at from signing_private_keys order by not_before, kid"
        ).rows
        entries = try rows.map { row in
            let kid = row.uuid(0)
            do {
                let bytes = try settings.sealing.open(row.bytes(1), associatedData: kid.bytes)
                return Entry(
                    kid: kid, key: try ES256PrivateKey(pkcs8: bytes), notBefore: row.time(2), expiresAt: row.time(3))
            } catch {
                throw ConfigurationError(problems: [
                    "KEY_ENCRYPTION_KEY is not the key that the signing keys are sealed with; set that one, or add it."
                ])
            }
        }
    }

    private func make(from notBefore: Timestamp, unlessOneLastsUntil limit: Timestamp?) async throws {
        let key = try ES256PrivateKey.generate()
        let material = SigningKeyMaterial(
            kid: .v4(), x: key.publicKey.jwkX, y: key.publicKey.jwkY, notBefore: notBefore,
            expiresAt: notBefore + settings.lifetime)
        let sealed = try settings.sealing.seal(try key.pkcs8(), associatedData: material.kid.bytes)
        do {
            _ = try await CommandHandler<SigningKey>(store).handle(
                .publish(material), on: SigningKey.stream(material.kid), id: .v7(), requestHash: material.kid.bytes,
                metadata: metadata()
            ) { _, _ in
                [
                    SigningKeyRows.putPrivateKey(
                        material.kid, Hex.encode(sealed), notBefore, material.expiresAt, limit)
                ]
            }
            log.notice("signing key made", ["kid": .string(material.kid.description)])
        } catch AppendError.guarded(.signingKeyExists) {
            // Another instance was faster; its key is read next.
        }
    }

    /// Retires a key: from that moment on, nothing that it signed is accepted.
    private func retire(_ entry: Entry, at now: Timestamp) async throws {
        let outcome = try await CommandHandler<SigningKey>(store).handle(
            .retire(at: now), on: SigningKey.stream(entry.kid), id: .v5(namespace: entry.kid, name: "retire"),
            requestHash: entry.kid.bytes, metadata: metadata())
        if outcome.events.isEmpty { return }
        log.notice("signing key retired", ["kid": .string(entry.kid.description)])
    }

    private func metadata() -> EventMetadata { EventMetadata(owner: nil, correlation: .v7(), actor: actor) }
}
