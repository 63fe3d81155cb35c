import Access
import EventStore
import Mail
import Primitives
import Runtime

extension AccountMails {
    /// What an old address is told of a change that waits or has come; the raw value is durable, and the purpose of the code in the mail.
    enum ChangeNotice: String, Sendable, CaseIterable {
        /// Asks whether the new address is to be the account's.
        case oldAddress = "old-address"
        /// Reminds that the new address will soon be the account's.
        case addressWaits = "address-waits"
        /// Tells that the new address is the account's.
        case addressChanged = "address-changed"

        /// - Parameter id: the mail's, by which the change knows it.
        func queueing(to user: UUID, id: UUID) -> RowCall { MailOutbox.queueing(rawValue, to: user, id: id) }
    }

    /// The mail; nil when the change is over.
    ///
    /// - Throws: as ``compose(_:)``.
    func compose(_ notice: ChangeNotice, _ entry: MailOutbox.Entry) async throws -> MailMessage? {
        switch notice {
        case .oldAddress:
            // It lets nobody in, and agrees to this one change alone.
            guard try await open(notice.rawValue, entry, lasting: changeWait) else { return nil }
        case .addressWaits, .addressChanged: break
        }
        guard let change = try await changes.notice(entry.id, of: entry.owner) else { return nil }
        return try message(to: change.address, text(notice, entry.id, change))
    }

    /// Each of these mails has the code that keeps the account, too.
    private func text(
        _ notice: ChangeNotice, _ id: UUID, _ change: EmailChanges.Notice
    ) -> (subject: String, text: String) {
        let keep = way(Kind.keepAddress.rawValue, change.keep)
        let time = Self.moment(change.takesEffectAt)
        let keeping = """
            If this was not you, keep the account: that signs everybody out and disables the password, and you will get \
            another mail to choose a new one. \(keep)

            It can be used once, until \(Self.moment(change.keepsUntil)).
            """
        return switch notice {
        case .oldAddress:
            (
                "Confirm the change of your address",
                """
                The new address of your MirrorMate account is confirmed. Please confirm, while you are signed in to the account, \
                that it should replace your current address. \(way(notice.rawValue, id))

                If you do not answer, the change takes effect anyway on \(time).

                \(keeping)
                """
            )
        case .addressWaits:
            (
                "Your account will soon have another address",
                """
                On \(time), another address will replace your current address in your MirrorMate account, because somebody who \
                is signed in asked for that. The new address is confirmed; this one has not answered. If this was you, you do \
                not have to do anything.

                \(keeping)
                """
            )
        case .addressChanged:
            (
                "Your account has another address",
                """
                The address of your MirrorMate account was changed from this one to another on \(time). If this was you, you do \
                not have to do anything.

                \(keeping)
                """
            )
        }
    }

    /// A moment as mails name it, to the minute.
    private static func moment(_ moment: Timestamp) -> String {
        "\("\(moment)".prefix(16).replacing("T", with: " ")) UTC"
    }
}
