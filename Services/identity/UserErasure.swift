import Contracts
import EventSourcing
import EventStore
import JSON
import Mail
import Postgres
import Primitives
import Runtime

/// Erases a user here; everyone else follows the message.
@Loop struct UserErasure {
    private let store: EventStore

    init(_ store: EventStore) { self.store = store }

    /// Erases; once erased, nothing changes.
    ///
    /// - Returns: whether the user was there to be erased.
    /// - Throws: `UserRefusal` for an unknown user, `AppendError` or `PostgresError`.
    @discardableResult
    func erase(_ user: UUID, metadata: EventMetadata) async throws -> Bool {
        let rows = try await store.pool.query("select rows_of_user($1)", [.uuid(user)]).rows[0].int(0)
        let outcome = try await CommandHandler<User>(store).handle(
            .erase(here: SubjectErased.Removed(rows: rows, objects: 0)), on: User.stream(user), id: .v7(),
            requestHash: user.bytes, metadata: metadata, thoughErased: true
        ) { _, events in
            guard !events.isEmpty else { return [] }
            return [
                RowCall("erase_subject", ["subject": .uuid(user)]), RowCall("forget_user", ["userId": .uuid(user)]),
            ] + MailOutbox.forgetting(user)
        }
        return !outcome.events.isEmpty
    }
}
