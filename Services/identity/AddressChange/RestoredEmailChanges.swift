import Access
import EventSourcing
import EventStore
import Primitives
import Runtime
import ServiceKit

/// The changes of address that a backup brings back while they wait. Whether their owners stopped them since nobody is told, so none of
/// them goes on: who still wants the address asks for it again.
@Loop enum RestoredEmailChanges {
    /// Gives all of them up, and tells their owners.
    ///
    /// - Returns: how many there were.
    /// - Throws: `AppendError`, `PostgresError` or `EventDecodingError`.
    static func withdraw(_ store: EventStore) async throws -> Int {
        var count = 0
        for user in try await EmailChanges.waitingUsers(store) {
            do {
                let outcome = try await CommandHandler<User>(store).handle(
                    .withdrawEmailChange, on: User.stream(user), id: .v7(), requestHash: user.bytes,
                    metadata: EventMetadata(owner: user, correlation: .v7(), actor: "restore")
                ) { _, events in events.isEmpty ? [] : [AccountMails.Kind.changeWithdrawn.queueing(to: user)] }
                if !outcome.events.isEmpty { count += 1 }
            } catch is UserRefusal {
                // It was erased.
            } catch AppendError.erased {
                // It was erased meanwhile.
            }
        }
        return count
    }
}
