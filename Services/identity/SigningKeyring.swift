import Configuration
import Contracts
import Crypto
import EventSourcing
import EventStore
import JSON
import Observability
import Postgres
import Primitives
import Runtime

/// The keys that sign access tokens: made before they are needed, published, used, and retired once the last token that
/// they signed has expired. The rows are shared by all instances; this is one instance's view of them.
@Loop final class SigningKeyring {
    private struct Entry {
        let kid: UUID
        let key: ES256PrivateKey
        let notBefore: Timestamp
        let expiresAt: Timestamp
    }

    /// The time between two looks at the rows.
    private static let interval = Duration.seconds(60)

    private let store: EventStore
    private let settings: IdentitySettings
    private let log: Logger
    private var entries: [Entry] = []

    init(_ store: EventStore, _ settings: IdentitySettings, _ log: Logger) {
        self.store = store
        self.settings = settings
        self.log = log
    }

    /// Signs an access token's claims.
    ///
    /// - Throws: a problem 503 while there is no usable key, or `CryptoError`.
    func sign(_ claims: AccessTokenClaims, at now: Timestamp) throws -> String {
        guard let entry = usable(at: now) else { throw Problems.noSigningKey }
        return try AccessToken.issue(claims, key: entry.key, keyID: entry.kid.description)
    }

    /// Looks after the keys until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            do {
                try await Loop.sleep(for: Self.interval)
                try await step(at: .now())
            } catch is CancellationError {
                return
            } catch {
                log.error("signing keys could not be looked after", ["reason": .string("\(error)")])
            }
        }
    }

    /// Makes a key when the newest one ends soon, retires those that are over, and reads what other instances did.
    ///
    /// - Throws: `ConfigurationError` when the stored keys are sealed with another key, `AppendError`, `PostgresError`.
    func step(at now: Timestamp) async throws {
        try await read()
        if !entries.contains(where: { $0.expiresAt > now + settings.signingKeyOverlap }) {
            try await make(at: now, unlessOneLastsUntil: now + settings.signingKeyOverlap)
        }
        for entry in entries where now >= end(of: entry) { try await retire(entry, at: now) }
        try await read()
    }

    /// Makes a new key now; the old ones are retired by the running instances once what they signed has expired.
    ///
    /// - Throws: as ``step(at:)``.
    func rotate(at now: Timestamp) async throws {
        try await read()
        try await make(at: now, unlessOneLastsUntil: Timestamp(microseconds: 253_402_300_799_000_000))
    }

    private func usable(at now: Timestamp) -> Entry? {
        entries.last { $0.notBefore <= now && $0.expiresAt >= now + settings.accessTokenLifetime }
    }

    /// When nothing that the key signed is accepted any more: at its own end, or once a successor has long signed instead.
    private func end(of entry: Entry) -> Timestamp {
        guard let next = entries.first(where: { $0.notBefore > entry.notBefore }) else { return entry.expiresAt }
        // Another instance may see the successor one look later.
        return min(entry.expiresAt, next.notBefore + settings.accessTokenLifetime + Self.interval * 2)
    }

    private func read() async throws {
        let rows = try await store.pool.query(
            "select kid, sealed, not_before, expires_at from signing_private_keys order by not_before, kid"
        ).rows
        entries = try rows.map { row in
            let kid = row.uuid(0)
            do {
                let bytes = try AESGCM.open(row.bytes(1), key: settings.secrets.sealing, associatedData: kid.bytes)
                return Entry(
                    kid: kid, key: try ES256PrivateKey(pkcs8: bytes), notBefore: row.time(2), expiresAt: row.time(3))
            } catch {
                throw ConfigurationError(problems: [
                    "KEY_ENCRYPTION_KEY is not the one that the signing keys are sealed with; set that one."
                ])
            }
        }
    }

    private func make(at now: Timestamp, unlessOneLastsUntil limit: Timestamp) async throws {
        // Others need a moment to learn it, unless there is nothing else to sign with.
        let notBefore = usable(at: now) == nil ? now : now + settings.signingKeyLead
        let key = try ES256PrivateKey.generate()
        let material = SigningKeyMaterial(
            kid: .v4(), x: key.publicKey.jwkX, y: key.publicKey.jwkY, notBefore: notBefore,
            expiresAt: notBefore + settings.signingKeyLifetime)
        let sealed = try AESGCM.seal(
            try key.pkcs8(), key: settings.secrets.sealing, associatedData: material.kid.bytes)
        do {
            _ = try await CommandHandler<SigningKey>(store).handle(
                .publish(material), on: SigningKey.stream(material.kid), id: .v7(), requestHash: material.kid.bytes,
                metadata: Self.metadata()
            ) { _, _ in
                [
                    RowCall(
                        "put_private_key",
                        [
                            "kid": .uuid(material.kid), "sealed": .string(Hex.encode(sealed)),
                            "notBefore": .time(notBefore), "expiresAt": .time(material.expiresAt),
                            "unlessOneLastsUntil": .time(limit),
                        ]),
                    RowCall("learn_key", material.json),
                ]
            }
            log.notice("signing key made", ["kid": .string(material.kid.description)])
        } catch AppendError.guarded("signing-key-exists") {
            // Another instance was faster; its key is read next.
        }
    }

    private func retire(_ entry: Entry, at now: Timestamp) async throws {
        guard try await Self.retire(entry.kid, at: now, store) else { return }
        log.notice("signing key retired", ["kid": .string(entry.kid.description)])
    }

    /// Ends a key: from the moment on nothing that it signed is accepted.
    ///
    /// - Returns: whether it was still in use.
    /// - Throws: `SigningKeyRefusal` for an unknown key, `AppendError`, `PostgresError`.
    static func retire(_ kid: UUID, at moment: Timestamp, _ store: EventStore) async throws -> Bool {
        let message = SigningKeyRetired(kid: kid.description, retiredAt: moment)
        let outcome = try await CommandHandler<SigningKey>(store).handle(
            .retire(at: moment), on: SigningKey.stream(kid), id: .v5(namespace: kid, name: "retire"),
            requestHash: kid.bytes, metadata: Self.metadata()
        ) { _, _ in [RowCall("retire_key", message.json), RowCall("drop_private_key", ["kid": .uuid(kid)])] }
        return !outcome.events.isEmpty
    }

    private static func metadata() -> EventMetadata {
        EventMetadata(owner: nil, correlation: .v7(), actor: ServiceName.identity.rawValue)
    }
}
