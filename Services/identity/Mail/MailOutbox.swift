package import EventStore
import JSON
package import Observability
import Postgres
package import Primitives
package import Runtime
import ServiceKit

/// The outbox of mails: one row per mail, written by the append that decides it and deleted once the mail is sent.
///
/// A row holds the owner and the kind of a mail, never its content: that is composed when the mail is sent, so nothing
/// here is personal and an erasure leaves nothing to send. Mails are sent at least once: after a crash between sending
/// and deleting the row, a mail is sent again, with the same Message-ID.
@Loop package final class MailOutbox {
    /// A mail to send.
    package struct Entry: Sendable {
        package let id: UUID
        package let owner: UUID
        package let kind: String
        /// The login session that asked for it, if its code counts for that one alone.
        package let session: UUID?

        /// For the append that opens the code of the mail: refuses it with `code-opened` when the mail was sent, or tried,
        /// before. So a code that was used or is over stays so, however often its mail goes out.
        package var opensCode: RowCall { MailRows.openCode(id) }
    }

    /// Composes a mail; nil if there is no longer anything to send.
    package typealias Compose = @Loop (Entry) async throws -> MailMessage?

    /// The kind of row that removes an erased owner's mails from the folder.
    private nonisolated static let forgetting = "forget"
    /// How soon rows of other instances, or left by a crash, are found.
    private static let pollInterval = Duration.seconds(5)

    private let store: EventStore
    private let settings: MailSettings
    private let log: Logger
    private let compose: Compose
    private let wakeup = Wakeup()

    package init(_ store: EventStore, _ settings: MailSettings, log: Logger, compose: @escaping Compose) {
        self.store = store
        self.settings = settings
        self.log = log
        self.compose = compose
    }

    /// The row of a mail, for the append that decides it; call ``wake()`` afterwards to send it without delay.
    package nonisolated static func queueing(_ kind: String, to owner: UUID, id: UUID = .v7()) -> RowCall {
        MailRows.queue(id, owner, kind)
    }

    /// For the append that erases an owner: removes waiting mails, and soon those in a folder.
    package nonisolated static func forgetting(_ owner: UUID) -> [RowCall] {
        [MailRows.drop(owner), queueing(forgetting, to: owner, id: .v5(namespace: owner, name: forgetting))]
    }

    /// Queues a mail on its own, without an append. Takes the same effort whether or not the owner exists.
    ///
    /// - Parameter session: the login session that the code in it is to count for; nil for any.
    /// - Throws: `PostgresError`.
    package func queue(_ kind: String, to owner: UUID, for session: UUID? = nil) async throws {
        _ = try await store.pool.query(
            "insert into mail_outbox (id, owner_id, kind, session) values ($1, $2, $3, $4)",
            [.uuid(.v7()), .uuid(owner), .text(kind), .optional(session, PostgresValue.uuid)])
        wake()
    }

    /// Makes ``run()`` look for mails now.
    package func wake() {
        wakeup.wake()
    }

    /// Sends due mails until the task is cancelled.
    package func run() async {
        await RepeatedWork(log, orElse: "the outbox cannot be read").run(
            pausing: { try await wakeup.wait(atMost: Self.pollInterval) }
        ) {
            while try await sendNext() {}
            try await measure()
        }
    }

    /// Makes all parked mails due again.
    ///
    /// - Returns: how many there are.
    /// - Throws: `PostgresError`.
    package static func releaseParked(_ store: EventStore) async throws -> Int {
        try await store.pool.query(
            "update mail_outbox set parked = null, attempts = 0, due_at = clock_timestamp() where parked is not null"
        ).affected
    }

    /// Sends the first due mail.
    ///
    /// - Returns: whether there was one.
    /// - Throws: `PostgresError`.
    package func sendNext() async throws -> Bool {
        // Taking a row schedules the next attempt, so a crash loses nothing and needs no cleanup.
        let taken = try await store.pool.query(
            "select id, owner_id, kind, attempts, session from take_mail($1 * interval '1 microsecond')",
            [.double(Double(settings.retry.microseconds))])
        guard let row = taken.first else { return false }
        let entry = Entry(
            id: row.uuid(0), owner: row.uuid(1), kind: row.text(2), session: row.optional(4, PostgresRow.uuid))
        do {
            try await send(entry)
        } catch let error as MailError {
            try await failed(entry, error, attempts: Int(row.int(3)))
            return true
        } catch let error where !(error is CancellationError || error is PostgresError || error is AppendError) {
            let sentence = "It cannot be composed (\(error)); fix that and release the parked mails."
            try await failed(entry, MailError(.unreadable, sentence), attempts: Int(row.int(3)))
            return true
        }
        CrashPoint.reached("mail.after-send")
        let removed = try await store.pool.query("delete from mail_outbox where id = $1", [.uuid(entry.id)])
        // The row disappeared while the mail was being sent: its owner has been erased.
        if removed.affected == 0 { try? await settings.transport.forget(entry.owner) }
        return true
    }

    private func send(_ entry: Entry) async throws {
        if entry.kind == Self.forgetting { return try await settings.transport.forget(entry.owner) }
        guard let message = try await compose(entry) else { return }
        let mail = OutgoingMail(id: entry.id, owner: entry.owner, from: settings.sender, message, at: .now())
        try await settings.transport.send(mail)
    }

    private func failed(_ entry: Entry, _ error: MailError, attempts: Int) async throws {
        let fields: JSONObject = [
            "mail": .uuid(entry.id), "kind": .string(entry.kind), "code": .string(error.code.rawValue),
            "reason": .string(error.description), "attempts": .int(Int64(attempts)),
        ]
        guard error.isFinal || attempts >= settings.attempts else {
            log.warning("a mail could not be sent; it will be retried", fields)
            return
        }
        _ = try await store.pool.query(
            "update mail_outbox set parked = $2 where id = $1", [.uuid(entry.id), .text(error.code.rawValue)])
        log.error("a mail is parked", fields)
    }

    private func measure() async throws {
        let row = try await store.pool.query(
            "select count(*) - count(parked), count(parked) from mail_outbox"
        ).rows[0]
        Metrics.shared.gauge("mail_waiting", help: "Mails waiting to be sent.").set(Double(row.int(0)))
        Metrics.shared.gauge("mail_parked", help: "Mails that are no longer tried.").set(Double(row.int(1)))
    }
}
