import Access
import EventStore
import Mail
import Postgres
import Primitives
import Runtime

/// The mails that accounts get, put together when they are sent.
@Loop struct AccountMails {
    /// Why somebody is written to, besides ``ChangeNotice``; the raw value is durable, and the purpose of the code in the mail.
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
        /// Tells that a change of the address was given up, though nobody withdrew it.
        case changeWithdrawn = "change-withdrawn"
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
            case .passwordReset, .verifyEmail, .confirm, .newAddress, .keepAddress: true
            case .passwordChanged, .secondFactorAdded, .secondFactorRemoved, .signUpAttempted, .addressTaken,
                .changeWithdrawn,
                .newDevice, .refreshTokenReused, .identityLinked, .identityUnlinked, .exportRequested:
                false
            }
        }

        func queueing(to user: UUID) -> RowCall { MailOutbox.queueing(rawValue, to: user) }
    }

    let changes: EmailChanges
    private let recipients: MailRecipients
    private let codes: OneTimeCodes
    private let codeLifetime: Duration
    private let keepLifetime: Duration
    let changeWait: Duration
    private let links: [String: String]

    /// - Parameter links: by the purpose of the code in them.
    init(_ store: EventStore, _ settings: AccessSettings, links: [String: String]) {
        changes = EmailChanges(store, settings)
        recipients = MailRecipients(store, changes)
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
        if let notice = ChangeNotice(rawValue: entry.kind) { return try await compose(notice, entry) }
        guard let queued = Kind(rawValue: entry.kind) else {
            throw MailError(.unreadable, "This build knows no mail of this kind; start the one that queued it.")
        }
        if queued.hasCode {
            // Under the mail's own id, and once: a mail that is sent again tells the same code, and makes its life no longer.
            // Before the address is read: a change of address takes away what counts by then, so a code that goes to the old
            // one is void.
            guard try await open(queued.rawValue, entry, lasting: lifetime(of: queued)) else { return nil }
        }
        guard let recipient = try await recipients.recipient(of: queued, entry) else { return nil }
        return try message(to: recipient.address, text(recipient.kind, entry.id))
    }

    /// Without the display name: whoever signed up may have entered somebody else's address, and a text of their own.
    func message(to address: String, _ words: (subject: String, text: String)) throws -> MailMessage {
        guard let address = MailAddress(address) else {
            throw MailError(.address, "The account's address cannot be used for mail.")
        }
        return MailMessage(to: address, subject: words.subject, text: "Hello,\n\n\(words.text)\n")
    }

    /// Whether the code of a mail can be used.
    func open(_ purpose: String, _ entry: MailOutbox.Entry, lasting lifetime: Duration) async throws -> Bool {
        try await codes.open(
            entry.id, of: entry.owner, for: purpose, lasting: lifetime, in: entry.session, if: entry.opensCode,
            orElse: .codeOpened)
    }

    /// How long the code of a mail can be used. What stands in for a password counts no longer than ten minutes (OWASP ASVS 5.0,
    /// section 6.5).
    private func lifetime(of kind: Kind) -> Duration {
        switch kind {
        // It counts as long as there is a change to stop or to take back, which the change's own row says.
        case .keepAddress: codeLifetime + changeWait + keepLifetime
        case .confirm: min(codeLifetime, .seconds(600))
        default: codeLifetime
        }
    }

    private func text(_ kind: Kind, _ id: UUID) -> (subject: String, text: String) {
        let way = way(kind.rawValue, id)
        let minutes = max(1, lifetime(of: kind).milliseconds / 60_000)
        let offer = """
            \(way)

            It can be used once, within \(minutes) minutes. If this was not you, you do not have to do anything.
            """
        return switch kind {
        case .passwordReset:
            ("Choose a new password", "Somebody asked for a new password for your MirrorMate account. \(offer)")
        case .verifyEmail:
            (
                "Confirm your address",
                """
                Please confirm that this is the address of your MirrorMate account. \(offer)

                Do not confirm anything that you did not start: whoever did knows the password.
                """
            )
        case .confirm:
            (
                "Confirm that it is you",
                """
                Somebody who is signed in to your MirrorMate account wants to do something that cannot be undone, such as \
                deleting it. \(offer)

                But then somebody else is signed in: choose a new password, which signs out all other devices.
                """
            )
        case .passwordChanged:
            (
                "Your password was changed",
                """
                The password of your MirrorMate account was changed, and other devices were signed out.

                If this was not you, choose a new password at once: "Forgot password" sends you a code.
                """
            )
        case .secondFactorAdded:
            (
                "Your account asks for a second factor",
                """
                From now on, signing in to your MirrorMate account needs a code from an authenticator app. Other devices were \
                signed out.

                If this was not you, choose a new password at once: "Forgot password" sends you a code. Then ask whoever runs \
                this server to remove the second factor.
                """
            )
        case .secondFactorRemoved:
            (
                "Your account asks for no second factor any more",
                """
                From now on, signing in to your MirrorMate account needs the password alone.

                If this was not you, choose a new password at once: "Forgot password" sends you a code and signs out all devices.
                """
            )
        case .signUpAttempted:
            (
                "Somebody tried to sign up with your address",
                """
                Somebody tried to create a MirrorMate account with this address, which already has one. They were told so.

                If this was you, sign in instead; "Forgot password" sends you a code for a new password. If it was not you, you \
                do not have to do anything.
                """
            )
        case .newAddress:
            (
                "Confirm your new address",
                """
                Please confirm, while you are signed in, that you want this to be the address of your MirrorMate account. \
                \(offer)
                """
            )
        case .keepAddress:
            (
                "Another address for your account",
                """
                Somebody who is signed in to your MirrorMate account asked to change its address from this one to another. If \
                this was you, you do not have to do anything now: once the new address is confirmed, you will get a mail to \
                confirm the change here, too.

                If this was not you, keep the account: that signs everybody out and disables the password, and you will get \
                another mail to choose a new one. \(way)

                It can be used once, until \(days(keepLifetime)) after the change, even when the account has another address by \
                then.
                """
            )
        case .changeWithdrawn:
            (
                "Your account keeps its address",
                """
                The change of your MirrorMate account's address to another one was canceled, because devices were signed \
                out, whoever runs this server removed the second factor, or the server was restored from a backup. The account \
                keeps this address.

                If you still want to change it, ask for the change again. If you never wanted it, choose a new password: \
                "Forgot password" mails you a code, and signs all devices out.
                """
            )
        case .newDevice:
            (
                "Somebody signed in to your account on a new device",
                """
                Somebody signed in to your MirrorMate account on a device, or with a program, that had not been used for it before.

                If this was you, you do not have to do anything. If it was not you, choose a new password at once: "Forgot \
                password" sends you a code and signs out all devices.
                """
            )
        case .refreshTokenReused:
            (
                "A device was signed out of your account",
                """
                The token that keeps one of your devices signed in to your MirrorMate account was used a second time. Somebody \
                else may have a copy of it, so this device was signed out; sign in again.

                If it happens again, or you do not know the device that asks you to sign in, choose a new password: "Forgot \
                password" sends you a code and signs out all devices.
                """
            )
        case .identityLinked:
            (
                "There is a new way to sign in to your account",
                """
                Somebody who is signed in to your MirrorMate account linked a Google or Apple account to it, which can now be \
                used to sign in.

                If this was not you, choose a new password at once: "Forgot password" sends you a code and signs out all \
                devices. Then sign in, and unlink what you do not know.
                """
            )
        case .identityUnlinked:
            (
                "A way to sign in to your account was removed",
                """
                The Google or Apple account that was linked to your MirrorMate account can no longer be used to sign in.

                If this was not you, choose a new password at once: "Forgot password" sends you a code and signs out all devices.
                """
            )
        case .exportRequested:
            (
                "Somebody asked for everything in your account",
                """
                Somebody who is signed in to your MirrorMate account asked for an export: an archive of all the data in it.

                If this was you, you do not have to do anything. If it was not you, choose a new password at once: "Forgot \
                password" sends you a code and signs out all devices. Then sign in and delete the export.
                """
            )
        case .addressTaken:
            (
                "Somebody wanted to use your address",
                """
                Somebody wanted to use this address for their MirrorMate account, but it belongs to another one. Nothing was \
                changed.

                If this was you, sign in with this address instead. If it was not you, you do not have to do anything.
                """
            )
        }
    }

    /// How somebody sends back the code of a mail: by a link, where there is one, or where they are signed in, which may be elsewhere.
    func way(_ purpose: String, _ id: UUID) -> String {
        let code = codes.text(id, for: purpose)
        guard let link = links[purpose]?.replacing("{code}", with: code) else { return "Your code:\n\n\(code)" }
        return "Open this link:\n\n\(link)\n\nOr enter this code:\n\n\(code)"
    }

    private func days(_ time: Duration) -> String {
        let hours = max(1, time.milliseconds / 3_600_000)
        return hours < 48 ? "\(hours) hour\(hours == 1 ? "" : "s")" : "\(hours / 24) days"
    }
}
