import Access
import EventStore
import Mail
import Primitives
import Runtime
import ServiceKit

/// What becomes of a change of address when its owner puts other login sessions out: one that another of them asked for is somebody
/// else's, perhaps, and goes with it.
@Loop struct EmailChangeEviction {
    /// What goes into the append that ends the login sessions.
    struct Outcome {
        var decisions: [Decision] = []
        var calls: [RowCall]

        /// Whether a change is given up.
        var isWithdrawn: Bool { !decisions.isEmpty }
    }

    private let users: CommandHandler<User>
    private let changes: EmailChanges

    init(_ store: EventStore, _ settings: AccessSettings) {
        users = CommandHandler(store)
        changes = EmailChanges(store, settings)
    }

    /// - Parameter session: the owner's, whose change stays; nil when none is the owner's for certain.
    /// - Throws: `UserRefusal` when the user is gone, `PostgresError` or `EventDecodingError`.
    func outcome(for user: UUID, but session: UUID?) async throws -> Outcome {
        // Looked at once more when it is committed, or a change that is confirmed right now would stay.
        var outcome = Outcome(calls: [changes.noneWaits(of: user, askedOutside: session)])
        guard try await changes.waits(of: user, askedOutside: session) else { return outcome }
        outcome.decisions = [try await users.load(User.stream(user)).decide(.withdrawEmailChange)]
        outcome.calls.append(AccountMails.Kind.changeWithdrawn.queueing(to: user))
        return outcome
    }
}
