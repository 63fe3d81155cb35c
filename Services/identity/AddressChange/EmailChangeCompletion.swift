import Access
import Contracts
import EventSourcing
import EventStore
import JSON
import Mail
import Observability
import Primitives
import Runtime
import ServiceKit

/// What happens to changes of address by itself: the old address is reminded of one that waits, and one that has waited long enough
/// takes effect, which the old address hears. Silence counts only of an address that was told: while one of the mails has not left,
/// because the mail server is away or refuses it or nobody ran this, the change is put off. So somebody who has lost the old mailbox
/// gets to the new one all the same, and somebody who still reads it has all of that time to object.
@Loop struct EmailChangeCompletion {
    private static let actor = "email-change"

    private let users: CommandHandler<User>
    private let store: EventStore
    private let changes: EmailChanges
    private let outbox: MailOutbox
    private let security: SecurityLog
    private let log = Logger(label: "email-change")

    init(_ context: ServiceContext, _ settings: AccessSettings, _ outbox: MailOutbox) {
        users = CommandHandler(context.store)
        store = context.store
        changes = EmailChanges(context.store, settings)
        self.outbox = outbox
        security = context.security
    }

    /// Looks once a minute until the task is cancelled. A failure is logged once and tried again.
    func run() async {
        await RepeatedWork(log, orElse: "a change of address could not be looked after").run(every: .seconds(60)) {
            try await look()
        }
    }

    /// Reminds of what comes soon, and completes what is due: one that fails holds up no other.
    ///
    /// - Throws: `AppendError` or `PostgresError`, the last failure, after the others had their turn.
    func look() async throws {
        var failure: (any Error)?
        // First, so that a reminder that comes late says when the change comes then.
        try await each(changes.untold) { change in
            do { try await tell(change) } catch { failure = error }
        }
        try await each(changes.soon) { change in
            do { try await remind(change) } catch { failure = error }
        }
        try await each(changes.overdue) { change in
            do { try await complete(change) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// Gives each change that is found its turn, and none of them another in this round: as many as are found at a time may stay as
    /// they are.
    private func each(
        _ find: @Loop ([UUID]) async throws -> [EmailChanges.Due], _ work: @Loop (EmailChanges.Due) async throws -> Void
    ) async throws {
        var seen: [UUID] = []
        while true {
            let found = try await find(seen)
            for change in found { try await work(change) }
            if found.count < EmailChanges.most { return }
            seen += found.map(\.id)
        }
    }

    private func remind(_ change: EmailChanges.Due) async throws {
        do {
            try await store.append(
                Append(
                    id: .v7(), requestHash: [], metadata: metadata(change), writes: [],
                    calls: [
                        changes.reminding(of: change.id),
                        AccountMails.ChangeNotice.addressWaits.queueing(to: change.user, id: change.remind),
                    ]))
            outbox.wake()
        } catch AppendError.erased, AppendError.guarded(.codeInvalid) {
            // It went with its user, or another instance was quicker.
        }
    }

    private func tell(_ change: EmailChanges.Due) async throws {
        do {
            try await store.append(
                Append(
                    id: .v7(), requestHash: [], metadata: metadata(change), writes: [],
                    calls: [changes.telling(of: change.id)]))
        } catch AppendError.erased, AppendError.guarded(.codeInvalid) {
            // It went with its user, or another instance was quicker.
        }
    }

    private func complete(_ change: EmailChanges.Due) async throws {
        do {
            try await put(
                .completeEmailChange(change.id, at: .now()), change,
                [
                    changes.changing(change.id, of: change.user), changes.forgettingAsked(of: change.user),
                    AccountMails.ChangeNotice.addressChanged.queueing(to: change.user, id: change.tell),
                ])
            outbox.wake()
            log.notice("an address was changed after its wait")
            security.note(.emailChanged, of: change.user, nil, ["by": EmailChangeGround.wait.json])
        } catch AppendError.guarded(.emailTaken) {
            log.warning("a change of address was given up", ["reason": "email-taken"])
            try await put(.withdrawEmailChange, change, [])
            security.note(.emailChangeWithdrawn, of: change.user, nil, ["code": "email-taken"])
        } catch AppendError.erased, AppendError.guarded(.codeInvalid) {
            // It went with its user, or somebody was quicker.
        } catch is UserRefusal {
            // It was confirmed, stopped or withdrawn meanwhile.
        }
    }

    private func put(_ command: UserCommand, _ change: EmailChanges.Due, _ rows: [RowCall]) async throws {
        _ = try await users.handle(
            command, on: User.stream(change.user), id: .v7(), requestHash: change.id.bytes, metadata: metadata(change)
        ) { _, _ in rows }
    }

    private func metadata(_ change: EmailChanges.Due) -> EventMetadata {
        EventMetadata(owner: change.user, correlation: change.id, actor: Self.actor)
    }
}
