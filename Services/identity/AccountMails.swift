import Access
import EventStore
import Mail
import Postgres
import Primitives
import Runtime

/// The mails that accounts get, put together when they are sent.
@Loop struct AccountMails {
    /// Why somebody is written to; the raw value is durable, and the purpose of the code in the mail.
    enum Kind: String, Sendable, CaseIterable {
        case passwordReset = "password-reset"
        case verifyEmail = "verify-email"
        case confirm
        case passwordChanged = "password-changed"
        case secondFactorAdded = "second-factor-added"
        case secondFactorRemoved = "second-factor-removed"
        case signUpAttempted = "sign-up-attempted"
        case newAddress = "new-address"
        case keepAddress = "keep-address"
        /// Asks the old address whether the new one is to be the account's.
        case oldAddress = "old-address"
        /// Reminds the old address that the new one will soon be the account's.
        case addressWaits = "address-waits"
        /// Tells the old address that the new one is the account's.
        case addressChanged = "address-changed"
        case newDevice = "new-device"
        case refreshTokenReused = "refresh-token-reused"
        case identityLinked = "identity-linked"
        case identityUnlinked = "identity-unlinked"
        case exportRequested = "export-requested"
        /// What a new address is told instead when it belongs to another account; never queued.
        case addressTaken = "address-taken"

        /// Whether the mail carries a code.
        var hasCode: Bool {
            switch self {
            case .passwordReset, .verifyEmail, .confirm, .newAddress, .keepAddress, .oldAddress: true
            case .passwordChanged, .secondFactorAdded, .secondFactorRemoved, .signUpAttempted, .addressTaken,
                .addressWaits, .addressChanged,
                .newDevice, .refreshTokenReused, .identityLinked, .identityUnlinked, .exportRequested:
                false
            }
        }

        func queueing(to user: UUID) -> RowCall { MailOutbox.queueing(rawValue, to: user) }
    }

    private let recipients: MailRecipients
    private let codes: OneTimeCodes
    private let codeLifetime: Duration
    private let keepLifetime: Duration
    private let changeWait: Duration
    private let links: [Kind: String]

    init(_ store: EventStore, _ settings: AccessSettings, links: [Kind: String]) {
        recipients = MailRecipients(store, settings)
        codes = OneTimeCodes(store, settings)
        codeLifetime = settings.codeLifetime
        keepLifetime = settings.emailKeepLifetime
        changeWait = settings.emailChangeWait
        self.links = links
    }

    /// The mail; nil if the user is gone or never existed, or its code has expired.
    ///
    /// - Throws: `MailError`, `PostgresError` or `AppendError`.
    func compose(_ entry: MailOutbox.Entry) async throws -> MailMessage? {
        guard let queued = Kind(rawValue: entry.kind) else {
            throw MailError(.unreadable, "This build knows no mail of this kind; start the one that queued it.")
        }
        if queued.hasCode {
            // Under the mail's own id, and once: a mail that is sent again tells the same code, and makes its life no longer.
            // Before the address is read: a change of address takes away what counts by then, so a code that goes to the old
            // one is void.
            guard try await open(queued, entry) else { return nil }
        }
        guard let recipient = try await recipients.recipient(of: queued, entry) else { return nil }
        // Without the display name: whoever signed up may have entered somebody else's address, and a text of their own.
        guard let address = MailAddress(recipient.address) else {
            throw MailError(.address, "The account's address cannot be used for mail.")
        }
        let (subject, text) =
            if let notice = recipient.notice { text(recipient.kind, entry.id, notice) } else {
                text(recipient.kind, entry.id)
            }
        return MailMessage(to: address, subject: subject, text: "Hello,\n\n\(text)\n")
    }

    /// Whether the code of a mail can be used.
    private func open(_ kind: Kind, _ entry: MailOutbox.Entry) async throws -> Bool {
        try await codes.open(
            entry.id, of: entry.owner, for: kind.rawValue, lasting: lifetime(of: kind), in: entry.session,
            if: entry.opensCode,
            orElse: .codeOpened)
    }

    /// How long the code of a mail can be used. What stands in for a password counts no longer than ten minutes (OWASP ASVS 5.0,
    /// section 6.5).
    private func lifetime(of kind: Kind) -> Duration {
        switch kind {
        // It counts as long as there is a change to stop or to take back, which the change's own row says.
        case .keepAddress: codeLifetime + changeWait + keepLifetime
        // It lets nobody in, and agrees to this one change alone.
        case .oldAddress: changeWait
        case .confirm: min(codeLifetime, .seconds(600))
        default: codeLifetime
        }
    }

    private func text(_ kind: Kind, _ id: UUID) -> (subject: String, text: String) {
        let way = way(kind, id)
        let minutes = max(1, lifetime(of: kind).milliseconds / 60_000)
        let offer = """
            \(way)

            It can be used once, within \(minutes) minutes. If it was not you, nothing has to be done.
            """
        return switch kind {
        case .passwordReset:
            ("Choose a new password", "somebody wants a new password for your MirrorMate account. \(offer)")
        case .verifyEmail:
            (
                "Confirm your address",
                """
                please confirm that this is the address of your MirrorMate account. \(offer)

                Confirm nothing that you did not begin: whoever did knows the password.
                """
            )
        case .confirm:
            (
                "Confirm that it is you",
                """
                somebody who is signed in to your MirrorMate account wants to do what cannot be undone, such as erasing it. \
                \(offer)

                But then somebody else is signed in: choose a new password, which signs all other devices out.
                """
            )
        case .passwordChanged:
            (
                "Your password was changed",
                """
                the password of your MirrorMate account was changed, and other devices were signed out.

                If it was not you, choose a new one at once: "Forgot password" mails you a code.
                """
            )
        case .secondFactorAdded:
            (
                "Your account asks for a second factor",
                """
                signing in to your MirrorMate account needs a code of an authenticator app from now on, and other devices \
                were signed out.

                If it was not you, choose a new password at once: "Forgot password" mails you a code. Then ask whoever runs \
                this server to remove the second factor.
                """
            )
        case .secondFactorRemoved:
            (
                "Your account asks for no second factor any more",
                """
                signing in to your MirrorMate account needs the password alone from now on.

                If it was not you, choose a new one at once: "Forgot password" mails you a code, and signs all devices out.
                """
            )
        case .signUpAttempted:
            (
                "Somebody tried to sign up with your address",
                """
                somebody wanted to make a MirrorMate account with this address, which has one already. They were told so.

                If it was you, sign in instead; "Forgot password" mails you a code for a new password. If it was not \
                you, nothing has to be done.
                """
            )
        case .newAddress:
            (
                "Confirm your new address",
                """
                please confirm that this is to be the address of your MirrorMate account, while you are signed in to it. \
                \(offer)
                """
            )
        case .keepAddress:
            (
                "Another address for your account",
                """
                somebody who is signed in to your MirrorMate account wants it to have another address than this one. If it \
                was you, nothing has to be done now: once the new address is confirmed, you get a mail to confirm the change \
                here, too.

                If it was not you, keep the account: that signs everybody out and puts the password out of force, and you \
                get another mail to choose a new one. \(way)

                It can be used once, until \(days(keepLifetime)) after the change, also when the address is another one by then.
                """
            )
        case .oldAddress, .addressWaits, .addressChanged:
            // Said with what the change's row says, and never without.
            ("Another address for your account", "your MirrorMate account is about to have another address.")
        case .newDevice:
            (
                "Somebody signed in to your account on a new device",
                """
                somebody signed in to your MirrorMate account on a device, or with a program, that had not done so before.

                If it was you, nothing has to be done. If it was not you, choose a new password at once: "Forgot password" \
                mails you a code, and signs all devices out.
                """
            )
        case .refreshTokenReused:
            (
                "A device was signed out of your account",
                """
                what keeps one of your devices signed in to your MirrorMate account was used a second time. Somebody else \
                may have a copy of it, so this device was signed out; sign in again.

                If it happens again, or you do not know the device that asks you to sign in, choose a new password: "Forgot \
                password" mails you a code, and signs all devices out.
                """
            )
        case .identityLinked:
            (
                "Your account can be opened in another way",
                """
                somebody who is signed in to your MirrorMate account let it be opened with an account of Google or Apple, too.

                If it was not you, choose a new password at once: "Forgot password" mails you a code, and signs all devices \
                out. Then sign in, and unlink what you do not know.
                """
            )
        case .identityUnlinked:
            (
                "A way of opening your account is gone",
                """
                your MirrorMate account cannot be opened any more with the account of Google or Apple that was linked to it.

                If it was not you, choose a new password at once: "Forgot password" mails you a code, and signs all devices \
                out.
                """
            )
        case .exportRequested:
            (
                "Somebody asked for everything in your account",
                """
                somebody who is signed in to your MirrorMate account asked for an export: an archive of everything that it has \
                of you.

                If it was you, nothing has to be done. If it was not you, choose a new password at once: "Forgot password" \
                mails you a code, and signs all devices out. Then sign in and delete the export.
                """
            )
        case .addressTaken:
            (
                "Somebody wanted to use your address",
                """
                somebody wanted this to be the address of their MirrorMate account, but it belongs to another one. Nothing \
                was changed.

                If it was you, sign in with this address instead. If it was not you, nothing has to be done.
                """
            )
        }
    }

    /// How somebody sends back the code of a mail: by a link, where there is one.
    func way(_ kind: Kind, _ id: UUID) -> String {
        let code = codes.text(id, for: kind.rawValue)
        let link = links[kind].map { "Open this link:\n\n\($0.replacing("{code}", with: code))" }
        return link ?? "Your code:\n\n\(code)"
    }

    private func days(_ time: Duration) -> String {
        let hours = max(1, time.milliseconds / 3_600_000)
        return hours < 48 ? "\(hours) hour\(hours == 1 ? "" : "s")" : "\(hours / 24) days"
    }
}
