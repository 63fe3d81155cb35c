import Contracts
import EventSourcing
import EventStore
import JSON
import Observability
import Postgres
import Primitives
import Runtime
import SigningKeys

/// At the first start with an announcement key, says from when on it signs, and announces everything again that still
/// matters: living keys, retirements, erasures. What was announced before may then be forgotten by everybody.
@Loop struct Announcer {
    let store: EventStore
    /// The announcement key's id.
    let key: String
    private let log = Logger(label: "announcements")

    init(_ store: EventStore, key: String) {
        self.store = store
        self.key = key
    }

    /// Begins with the key, unless that is done: the beginning, living keys and retirements stand or fall together, so that
    /// no reader finds itself without keys.
    ///
    /// - Throws: `AppendError`, `PostgresError`, or `EventDecodingError`.
    func begin() async throws {
        let handler = CommandHandler<Announcing>(store)
        let stream = Announcing.stream(key)
        guard try await handler.load(stream).state == .absent else { return }
        try await store.append {
            var decisions = [try await handler.load(stream).decide(.begin(key: self.key))]
            for kid in try await self.signingKeys() {
                let loaded = try await CommandHandler<SigningKey>(self.store).load(SigningKey.stream(kid))
                if loaded.state != .absent { decisions.append(try loaded.decide(.announce)) }
            }
            let id = self.id(of: "begin")
            return Append(id: id, requestHash: id.bytes, metadata: self.metadata(of: nil), decisions: decisions)
        }
        log.notice("announcements are signed with a new key", ["key": .string(key)])
    }

    /// Announces erasures again until all are; goes on where it ended before.
    func run() async {
        var pause = Duration.milliseconds(200)
        while !Task.isCancelled {
            do {
                return try await repeatErasures()
            } catch {
                if Task.isCancelled { return }
                log.warning("erasures are not announced again yet", ["reason": .string("\(error)")])
            }
            try? await Loop.sleep(for: pause)
            pause = min(pause * 2, .seconds(5))
        }
    }

    /// Announces every erased user again, unless that is done.
    ///
    /// - Throws: `AppendError`, `PostgresError`, or `EventDecodingError`.
    func repeatErasures() async throws {
        let handler = CommandHandler<Announcing>(store)
        let stream = Announcing.stream(key)
        guard try await handler.load(stream).state == .begun else { return }
        let users = try await store.pool.query("select subject from erased_subjects order by subject").rows
        for row in users {
            let user = row.uuid(0)
            let id = id(of: user.description)
            _ = try await CommandHandler<User>(store).handle(
                .announceErasure, on: User.stream(user), id: id, requestHash: id.bytes, metadata: metadata(of: user),
                thoughErased: true)
        }
        let id = id(of: "complete")
        _ = try await handler.handle(
            .complete(key: key), on: stream, id: id, requestHash: id.bytes, metadata: metadata(of: nil))
        log.notice("erasures are announced again", ["count": .int(Int64(users.count))])
    }

    /// The keys of which something still matters: those that live, and those that were retired.
    private func signingKeys() async throws -> [UUID] {
        try await store.pool.query(
            "select kid from signing_keys where retired_at is not null or expires_at > now() order by not_before, kid"
        ).rows.compactMap { UUID($0.text(0)) }
    }

    private func id(of step: String) -> UUID { .v5(namespace: Announcing.id(of: key), name: step) }

    private func metadata(of owner: UUID?) -> EventMetadata {
        EventMetadata(owner: owner, correlation: .v7(), actor: ServiceName.identity.rawValue)
    }
}
