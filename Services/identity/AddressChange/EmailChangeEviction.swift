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
        /// What adds a second factor, by which all others are put out, in the place of ``decisions``.
        var addingSecondFactor: UserCommand { isWithdrawn ? .addSecondFactorGivingUpChange : .addSecondFactor }
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
        try await outcome(
            for: user, if: try await changes.waits(of: user, askedOutside: session),
            changes.noneWaits(of: user, askedOutside: session))
    }

    /// The same where one login session alone is put out.
    ///
    /// - Throws: as ``outcome(for:but:)``.
    func outcome(for user: UUID, of session: UUID) async throws -> Outcome {
        try await outcome(
            for: user, if: try await changes.waits(of: user, askedIn: session),
            changes.noneWaits(of: user, askedIn: session))
    }

    private func outcome(for user: UUID, if waits: Bool, _ noneWaits: RowCall) async throws -> Outcome {
        // Looked at once more when it is committed, or a change that is confirmed right now would stay.
        var outcome = Outcome(calls: [noneWaits])
        guard waits else { return outcome }
        let decision = try await users.load(User.stream(user)).decide(.withdrawEmailChange)
        // It came about meanwhile: nobody is told that it was withdrawn.
        guard !decision.isEmpty else { return outcome }
        outcome.decisions = [decision]
        outcome.calls.append(AccountMails.Kind.changeWithdrawn.queueing(to: user))
        return outcome
    }
}
