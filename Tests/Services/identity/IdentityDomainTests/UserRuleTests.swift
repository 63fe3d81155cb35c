import Contracts
import EventSourcing
import EventSourcingTesting
import EventStore
import Primitives
import Testing

@testable import identity

/// The states of a user that rules tell apart.
enum UserState: CaseIterable {
    case absent, device, revokedDevice, account, protectedAccount, changingAccount, consentingAccount, googleAccount,
        linkedAccount, erased, confirmed
    case confirmedEarly

    /// The history that leads to it.
    var given: Given {
        let f = Fixture.self
        return switch self {
        case .absent: f.absent
        case .device: f.anonymous
        case .revokedDevice: Given([f.device, f.revoked])
        case .account: f.account
        case .protectedAccount: f.protectedAccount
        case .changingAccount: f.changingAccount
        case .consentingAccount: f.consentingAccount
        case .googleAccount: f.googleAccount
        case .linkedAccount: f.linkedAccount
        case .erased: f.gone
        case .confirmed: Given(f.gone.history + [f.confirmed(.quota)])
        case .confirmedEarly: Given([f.confirmed(.quota)])
        }
    }
}

/// The stated outcome of every command in every state.
@Suite("Every state of a user and every command") struct UserRuleTests {
    private static let f = Fixture.self

    static let rules: [CommandRule<UserState, User>] = [
        .init(
            "register a device", .registerDevice(f.id, timeZone: "UTC"), .nothing(in: .device, .revokedDevice),
            .refuses(
                .exists, in: .account, .consentingAccount, .protectedAccount, .changingAccount, .googleAccount,
                .linkedAccount),
            .refuses(.erased, in: .erased, .confirmed),
            .gives("UserRegistered")),
        .init(
            "sign up", .signUp(f.id, method: .password, timeZone: "UTC"),
            .gives("CredentialsAttached", in: .device, .revokedDevice),
            .refuses(
                .exists, in: .account, .consentingAccount, .protectedAccount, .changingAccount, .googleAccount,
                .linkedAccount),
            .refuses(.erased, in: .erased, .confirmed),
            .gives("UserRegistered", "CredentialsAttached")),
        .init(
            "attach google", .attach(method: .google), .refuses(.noAccount, in: .device, .revokedDevice),
            .gives("CredentialsAttached", in: .account, .consentingAccount, .protectedAccount, .changingAccount),
            .nothing(in: .googleAccount, .linkedAccount),
            .refuses(.erased, in: .erased, .confirmed), .refuses(.unknown)),
        .init(
            "sign up with google", .signUp(f.id, method: .google, timeZone: "UTC", isEmailVerified: true),
            .gives("CredentialsAttached", "EmailVerified", in: .device, .revokedDevice),
            .refuses(
                .exists, in: .account, .consentingAccount, .protectedAccount, .changingAccount, .googleAccount,
                .linkedAccount),
            .refuses(.erased, in: .erased, .confirmed), .gives("UserRegistered", "CredentialsAttached", "EmailVerified")
        ),
        .init(
            "detach google", .detach(method: .google), .refuses(.noAccount, in: .device, .revokedDevice),
            .refuses(.noSuchMethod, in: .account, .consentingAccount, .protectedAccount, .changingAccount),
            .refuses(.lastMethod, in: .googleAccount),
            .gives("CredentialsDetached", in: .linkedAccount), .refuses(.erased, in: .erased, .confirmed),
            .refuses(.unknown)),
        .init(
            "move", .changeTimeZone("Asia/Tokyo"), .refuses(.unknown, in: .absent, .confirmedEarly),
            .refuses(.erased, in: .erased, .confirmed), .gives("UserProfileChanged")),
        .init(
            "stay", .changeTimeZone("Europe/Berlin"), .refuses(.unknown, in: .absent, .confirmedEarly),
            .refuses(.erased, in: .erased, .confirmed), .nothing()),
        .init(
            "change the password", .changePassword, .refuses(.noPassword, in: .device, .revokedDevice, .googleAccount),
            .gives(
                "PasswordChanged", in: .account, .consentingAccount, .protectedAccount, .changingAccount, .linkedAccount
            ),
            .refuses(.erased, in: .erased, .confirmed), .refuses(.unknown)),
        .init(
            "reset the password", .resetPassword, .refuses(.noAccount, in: .device, .revokedDevice),
            .gives("CredentialsAttached", "PasswordReset", "EmailVerified", in: .googleAccount),
            .gives("PasswordReset", "EmailVerified", in: .account, .consentingAccount, .protectedAccount),
            .gives("PasswordReset", in: .changingAccount, .linkedAccount),
            .refuses(.erased, in: .erased, .confirmed), .refuses(.unknown)),
        .init(
            "verify the address", .verifyEmail, .refuses(.noAccount, in: .device, .revokedDevice),
            .gives("EmailVerified", in: .account, .consentingAccount, .protectedAccount, .googleAccount),
            .nothing(in: .changingAccount, .linkedAccount),
            .refuses(.erased, in: .erased, .confirmed), .refuses(.unknown)),
        .init(
            "add a second factor", .addSecondFactor, .refuses(.noAccount, in: .device, .revokedDevice),
            .gives(
                "SecondFactorAdded", in: .account, .consentingAccount, .changingAccount, .googleAccount, .linkedAccount),
            .refuses(.hasSecondFactor, in: .protectedAccount),
            .refuses(.erased, in: .erased, .confirmed), .refuses(.unknown)),
        .init(
            "add a second factor, and put others out", .addSecondFactorGivingUpChange,
            .refuses(.noAccount, in: .device, .revokedDevice),
            .gives("SecondFactorAdded", in: .account, .consentingAccount, .googleAccount, .linkedAccount),
            .gives("SecondFactorAdded", "EmailChangeWithdrawn", in: .changingAccount),
            .refuses(.hasSecondFactor, in: .protectedAccount),
            .refuses(.erased, in: .erased, .confirmed), .refuses(.unknown)),
        .init(
            "remove the second factor", .removeSecondFactor, .gives("SecondFactorRemoved", in: .protectedAccount),
            .refuses(.unknown, in: .absent, .confirmedEarly), .refuses(.erased, in: .erased, .confirmed),
            .refuses(.noSecondFactor)),
        .init(
            "lift the second factor", .liftSecondFactor, .gives("SecondFactorRemoved", in: .protectedAccount),
            .refuses(.unknown, in: .absent, .confirmedEarly), .refuses(.erased, in: .erased, .confirmed),
            .refuses(.noSecondFactor)),
        .init(
            "replace the recovery codes", .replaceRecoveryCodes,
            .gives("RecoveryCodesReplaced", in: .protectedAccount),
            .refuses(.unknown, in: .absent, .confirmedEarly), .refuses(.erased, in: .erased, .confirmed),
            .refuses(.noSecondFactor)),
        .init(
            "prove another address", .proveNewAddress(change: f.login, takesEffectAt: f.start),
            .refuses(.noAccount, in: .device, .revokedDevice),
            .gives("EmailChanged", in: .account, .consentingAccount, .protectedAccount, .googleAccount),
            .gives("NewAddressProven", in: .linkedAccount), .refuses(.emailChangeWaits, in: .changingAccount),
            .refuses(.erased, in: .erased, .confirmed), .refuses(.unknown)),
        .init(
            "confirm the change of address", .confirmEmailChange(f.change),
            .gives("EmailChanged", in: .changingAccount), .refuses(.noAccount, in: .device, .revokedDevice),
            .refuses(
                .noEmailChange, in: .account, .consentingAccount, .protectedAccount, .googleAccount, .linkedAccount),
            .refuses(.erased, in: .erased, .confirmed), .refuses(.unknown)),
        .init(
            "complete the change of address", .completeEmailChange(f.change, at: f.start),
            .gives("EmailChanged", in: .changingAccount), .refuses(.noAccount, in: .device, .revokedDevice),
            .refuses(
                .noEmailChange, in: .account, .consentingAccount, .protectedAccount, .googleAccount, .linkedAccount),
            .refuses(.erased, in: .erased, .confirmed), .refuses(.unknown)),
        .init(
            "withdraw the change of address", .withdrawEmailChange,
            .gives("EmailChangeWithdrawn", in: .changingAccount), .refuses(.noAccount, in: .device, .revokedDevice),
            .nothing(in: .account, .consentingAccount, .protectedAccount, .googleAccount, .linkedAccount),
            .refuses(.erased, in: .erased, .confirmed), .refuses(.unknown)),
        .init(
            "revoke the device's secret", .revokeDeviceSecret, .gives("DeviceSecretRevoked", in: .device),
            .nothing(in: .revokedDevice),
            .refuses(
                .exists, in: .account, .consentingAccount, .protectedAccount, .changingAccount, .googleAccount,
                .linkedAccount),
            .refuses(.erased, in: .erased, .confirmed), .refuses(.unknown)),
        .init(
            "keep the address", f.keep, .refuses(.noAccount, in: .device, .revokedDevice),
            .gives("EmailChangeStopped", in: .account, .consentingAccount, .protectedAccount, .changingAccount),
            .gives("EmailChangeStopped", "CredentialsAttached", "CredentialsDetached", in: .googleAccount),
            .gives("EmailChangeStopped", "CredentialsDetached", in: .linkedAccount),
            .refuses(.erased, in: .erased, .confirmed),
            .refuses(.unknown)),
        .init(
            "want other mails", .setNotifications(f.wanted), .refuses(.erased, in: .erased, .confirmed),
            .gives(
                "NotificationsChanged", in: .device, .revokedDevice, .account, .consentingAccount, .protectedAccount,
                .changingAccount,
                .googleAccount, .linkedAccount),
            .refuses(.unknown)
        ),
        .init(
            "want the usual mails", .setNotifications(NotificationPreferences()),
            .refuses(.erased, in: .erased, .confirmed),
            .nothing(
                in: .device, .revokedDevice, .account, .consentingAccount, .protectedAccount, .changingAccount,
                .googleAccount,
                .linkedAccount),
            .refuses(.unknown)),
        .init(
            "accept the terms", .acceptTerms(f.terms), .refuses(.erased, in: .erased, .confirmed),
            .gives(
                "TermsAccepted", in: .device, .revokedDevice, .account, .consentingAccount, .protectedAccount,
                .changingAccount,
                .googleAccount, .linkedAccount),
            .refuses(.unknown)),
        .init(
            "consent", .setConsents([f.consent], at: f.start), .refuses(.erased, in: .erased, .confirmed),
            .gives(
                "ConsentGiven", in: .device, .revokedDevice, .account, .protectedAccount, .changingAccount,
                .googleAccount, .linkedAccount),
            .nothing(in: .consentingAccount), .refuses(.unknown)),
        .init(
            "consent to nothing", .setConsents([], at: f.start), .refuses(.erased, in: .erased, .confirmed),
            .gives("ConsentWithdrawn", in: .consentingAccount),
            .refuses(.unknown, in: .absent, .confirmedEarly), .nothing()),
        .init(
            "withdraw a consent", .withdrawConsent(f.consent.scope, at: f.start),
            .refuses(.erased, in: .erased, .confirmed), .gives("ConsentWithdrawn", in: .consentingAccount),
            .refuses(.unknown, in: .absent, .confirmedEarly), .nothing()),
        .init(
            "sign up with terms", .signUp(f.id, method: .password, timeZone: "UTC", terms: f.terms),
            .gives("CredentialsAttached", "TermsAccepted", in: .device, .revokedDevice),
            .refuses(
                .exists, in: .account, .consentingAccount, .protectedAccount, .changingAccount, .googleAccount,
                .linkedAccount),
            .refuses(.erased, in: .erased, .confirmed), .gives("UserRegistered", "CredentialsAttached", "TermsAccepted")
        ),
        .init(
            "another device secret", .changeDeviceSecret, .gives("DeviceSecretChanged", in: .device),
            .refuses(.deviceRevoked, in: .revokedDevice),
            .refuses(
                .exists, in: .account, .consentingAccount, .protectedAccount, .changingAccount, .googleAccount,
                .linkedAccount),
            .refuses(.erased, in: .erased, .confirmed),
            .refuses(.unknown)),
        .init(
            "hand a device over", .handOver(to: f.login, at: f.start), .gives("DeviceHandedOver", in: .device),
            .refuses(.deviceRevoked, in: .revokedDevice),
            .refuses(
                .exists, in: .account, .consentingAccount, .protectedAccount, .changingAccount, .googleAccount,
                .linkedAccount),
            .refuses(.erased, in: .erased, .confirmed), .refuses(.unknown)),
        .init(
            "erase", .erase(here: f.removed), .refuses(.unknown, in: .absent, .confirmedEarly),
            .nothing(in: .erased, .confirmed), .gives("UserErased", "ErasureConfirmed")),
        .init("announce again", .announceErasure, .gives("UserErased", in: .erased, .confirmed), .nothing()),
        .init(
            "quota confirms", .confirmErasure(f.id, service: "quota", removed: f.removed),
            .nothing(in: .confirmed, .confirmedEarly), .gives("ErasureConfirmed")),
        .init("a stranger confirms", .confirmErasure(f.id, service: "weather", removed: f.removed), .nothing()),
    ]

    @Test("has the stated outcome", arguments: rules)
    func outcome(rule: CommandRule<UserState, User>) { #expect(rule.violations(given: \.given) == []) }

    @Test("leads to each private event of a user in some row")
    func everyEvent() {
        let ofOthers: Set = [
            "AnnouncementsBegun", "ErasuresAnnounced", "SigningKeyPublished", "SigningKeyRetired", "LoginSessionEnded",
            "AppTokenIssued", "APIKeyIssued", "APIKeyRevoked",
        ]
        #expect(eventsWithoutRow(Self.rules, of: "identity").subtracting(ofOthers) == [])
    }

    @Test("keeps the id and the zone of a device that becomes an account")
    func upgrade() {
        let given = Self.f.anonymous.after(.signUp(Self.f.id, method: .apple, timeZone: "America/Lima"))
        #expect(given.state.kind == .user)
        #expect(given.state.id == Self.f.id)
        #expect(given.state.timeZone == "Europe/Berlin")
        #expect(given.state.methods == [.apple])
    }

    @Test(
        "refuses what cannot be the name of a time zone",
        arguments: ["", "/etc/passwd", "Europe Berlin", "Zürich", String(repeating: "a", count: 65)])
    func zones(name: String) {
        #expect(Self.f.account.when(.changeTimeZone(name)) == .refusal(.invalidTimeZone))
        #expect(Self.f.absent.when(.registerDevice(Self.f.id, timeZone: name)) == .refusal(.invalidTimeZone))
    }

    @Test("has a complete receipt when the last of the six services has confirmed, in whatever order")
    func receipt() {
        for first in ServiceName.allCases {
            var given = Self.f.gone
            let order = [first] + ServiceName.allCases.filter { $0 != first }
            for service in order {
                #expect(!given.state.isFullyErased)
                given = given.after(
                    .confirmErasure(Self.f.id, service: service.rawValue, removed: Self.f.removed))
            }
            #expect(given.state.isFullyErased)
            #expect(given.state.confirmations["sessions"] == Self.f.removed)
        }
    }

    @Test("verifies an address once")
    func verified() {
        #expect(Given(Self.f.account.history + [Self.f.verified]).when(.verifyEmail) == .events([]))
    }

    @Test("may have another second factor after the first is removed, whose rows go with it")
    func secondFactors() {
        let removed = Self.f.protectedAccount.after(.removeSecondFactor)
        #expect(removed.when(.addSecondFactor) == .events([Self.f.protected]))
        let calls = User.rowCalls(for: .removeSecondFactor, Self.f.protectedAccount.state, [Self.f.unprotected])
        #expect(calls.count == 1)
    }

    @Test("has another way of signing in no more, and its rows go; Apple's token is revoked with it")
    func detached() {
        let given = Self.f.linkedAccount.after(.detach(method: .google))
        #expect(given.state.methods == [.password])
        #expect(given.when(.detach(method: .password)) == .refusal(.lastMethod))
        let google = User.rowCalls(for: .detach(method: .google), Self.f.linkedAccount.state, [Self.f.detached])
        #expect(google.map(\.name) == ["remove_identity"])
        let apple = User.rowCalls(
            for: .detach(method: .apple), Self.f.linkedAccount.state, [.credentialsDetached(Self.f.id, .apple)])
        #expect(apple.map(\.name) == ["remove_identity", "revoke_provider_token"])
    }

    @Test("keeps the proof of a consent until its terms change, and what nobody names is withdrawn")
    func consents() {
        let f = Self.f
        let given = f.account.after(.setConsents([f.consent], at: f.start))
        #expect(given.state.consents[f.consent.scope] == Consent(terms: f.consent, givenAt: f.start))
        #expect(given.when(.setConsents([f.consent], at: f.start.adding(seconds: 60))) == .events([]))
        var newer = f.consent
        newer.version = "2027-01"
        let other = ConsentTerms(
            scope: ConsentScope(provider: "another", purpose: .transcription), dataClasses: [.audio],
            version: "1", locale: "de", textSHA256: f.consent.textSHA256)
        let later = f.start.adding(seconds: 60)
        // In one order, whatever the request has.
        #expect(
            given.when(.setConsents([newer, other], at: later))
                == .events([
                    .consentGiven(f.id, Consent(terms: other, givenAt: later)),
                    .consentGiven(f.id, Consent(terms: newer, givenAt: later)),
                ]))
        let both = given.after(.setConsents([newer, other], at: later))
        #expect(
            both.when(.setConsents([other], at: later.adding(seconds: 1)))
                == .events([.consentWithdrawn(f.id, newer.scope, at: later.adding(seconds: 1))]))
    }

    @Test("has moments of consents that grow, whatever the clocks say")
    func consentMoments() {
        let f = Self.f
        let given = f.account.after(.setConsents([f.consent], at: f.start))
        let early = f.start.adding(seconds: -3_600)
        let next = f.start + .microseconds(1)
        #expect(
            given.when(.setConsents([], at: early)) == .events([.consentWithdrawn(f.id, f.consent.scope, at: next)]))
        #expect(
            given.when(.withdrawConsent(f.consent.scope, at: f.start))
                == .events([.consentWithdrawn(f.id, f.consent.scope, at: next)]))
        let again = given.after(.setConsents([], at: early)).after(.setConsents([f.consent], at: early))
        #expect(again.state.consents[f.consent.scope]?.givenAt == next + .microseconds(1))
    }

    @Test("keeps the first acceptance of a version, and takes a newer one")
    func terms() {
        let given = Self.f.account.after(.acceptTerms(Self.f.terms))
        #expect(given.state.terms == Self.f.terms)
        var later = Self.f.terms
        later.acceptedAt = Self.f.start.adding(seconds: 60)
        later.locale = "en"
        #expect(given.when(.acceptTerms(later)) == .events([]))
        later.version = "2027-01"
        #expect(given.after(.acceptTerms(later)).state.terms == later)
        let anonymous = Self.f.anonymous.after(.acceptTerms(Self.f.terms))
        let signedUp = anonymous.after(.signUp(Self.f.id, method: .password, timeZone: "UTC", terms: Self.f.terms))
        #expect(signedUp.history.count == 3)
    }

    @Test("loses a second factor that came with the new address when the old one keeps the account, and no older one")
    func keptWithFactor() {
        let added = Self.f.readdressedAccount.after(.addSecondFactor)
        #expect(added.when(Self.f.keep) == .events([Self.f.kept, Self.f.unprotected]))
        #expect(added.after(Self.f.keep).state.hasSecondFactor == false)
        let older = Given(Self.f.account.after(.addSecondFactor).history + [Self.f.readdressed])
        #expect(older.when(Self.f.keep) == .events([Self.f.kept]))
        // Not even after an address in between has kept it, which may be of whoever changed it.
        let between = Self.f.readdressedAccount.after(Self.f.keep).after(.addSecondFactor)
        #expect(between.when(Self.f.keep) == .events([Self.f.kept, Self.f.unprotected]))
        // Nor one that was added while the other address waited, unless nothing came of that.
        let waiting = Self.f.changingAccount.after(.addSecondFactor)
        #expect(waiting.when(Self.f.keep) == .events([Self.f.kept, Self.f.unprotected]))
        #expect(waiting.after(.withdrawEmailChange).when(Self.f.keep) == .events([Self.f.kept]))
    }

    @Test(
        "loses a second factor that was added lately when the old one keeps the account, whatever was withdrawn since")
    func keptWithLateFactor() {
        let f = Self.f
        let washed = Given(
            [f.person, f.password, f.verified, f.protected, f.proven, f.withdrawn])
        #expect(washed.when(f.keep) == .events([f.kept]))
        let doubting = UserCommand.stopEmailChange(doubtsFactor: true)
        #expect(washed.when(doubting) == .events([f.kept, f.unprotected]))
        #expect(f.account.when(doubting) == .events([f.kept]), "there is none")

        func history(_ events: [(UserEvent, Int64)]) -> [DatedEvent<UserEvent>] {
            events.map { DatedEvent($0.0, recordedAt: f.start.adding(seconds: $0.1)) }
        }
        let added = history([(f.person, 0), (f.protected, 60), (f.proven, 120), (f.withdrawn, 180)])
        #expect(User.hasFactor(addedAfter: f.start.adding(seconds: 59), in: added))
        #expect(!User.hasFactor(addedAfter: f.start.adding(seconds: 60), in: added))
        let removed = added + history([(f.unprotected, 240)])
        #expect(!User.hasFactor(addedAfter: f.start, in: removed))
        let again = removed + history([(f.protected, 300)])
        #expect(User.hasFactor(addedAfter: f.start.adding(seconds: 299), in: again))
        #expect(!User.hasFactor(addedAfter: f.start, in: history([(f.person, 60)])))
    }

    @Test("loses a change of address that waits, too, when an operator lifts the second factor, and its rows")
    func lifted() {
        let f = Self.f
        let given = f.changingAccount.after(.addSecondFactor)
        #expect(given.when(.liftSecondFactor) == .events([f.unprotected, f.withdrawn]))
        #expect(given.after(.liftSecondFactor).state.emailChange == nil)
        let calls = User.rowCalls(for: .liftSecondFactor, given.state, [f.unprotected, f.withdrawn])
        #expect(calls.map(\.name).contains("drop_email_change"))
        #expect(given.when(.removeSecondFactor) == .events([f.unprotected]), "its owner's own stays")
    }

    @Test("keeps a second factor that was added when others were put out, with whose change of address it came")
    func addedAlone() {
        let f = Self.f
        let command = UserCommand.addSecondFactorGivingUpChange
        #expect(f.changingAccount.when(command) == .events([f.protected, f.withdrawn]))
        let given = f.changingAccount.after(command)
        #expect(given.state.emailChange == nil && given.state.hasSecondFactor)
        #expect(given.when(f.keep) == .events([f.kept]), "no address knows nothing of it")
        let calls = User.rowCalls(for: command, f.changingAccount.state, [f.protected, f.withdrawn])
        #expect(calls.map(\.name) == ["drop_email_change"])
    }

    @Test("has another address on its word alone only where the one so far was never confirmed")
    func provenAddress() {
        let f = Self.f
        let prove = UserCommand.proveNewAddress(change: f.change, takesEffectAt: f.start)
        #expect(f.account.when(prove) == .events([.emailChanged(f.id, by: .newAddress)]))
        let verified = Given(f.account.history + [f.verified])
        #expect(verified.when(prove) == .events([f.proven]))
        #expect(verified.after(prove).when(prove) == .events([]), "a repeat")
        let other = UserCommand.proveNewAddress(change: f.login, takesEffectAt: f.start)
        #expect(verified.after(prove).when(other) == .refusal(.emailChangeWaits), "it displaces none")
        #expect(verified.after(prove).after(.withdrawEmailChange).after(other).state.emailChange?.id == f.login)
        #expect(!verified.after(prove).state.hasNewAddress)
        #expect(
            f.changingAccount.when(.confirmEmailChange(f.change)) == .events([.emailChanged(f.id, by: .bothAddresses)]))
        #expect(f.changingAccount.after(.confirmEmailChange(f.change)).state.emailChange == nil)
    }

    @Test("has another address without the one so far when that was silent for as long as it was asked, and not before")
    func silentAddress() {
        let f = Self.f
        let early = f.start - .microseconds(1)
        #expect(f.changingAccount.when(.completeEmailChange(f.change, at: early)) == .refusal(.noEmailChange))
        #expect(
            f.changingAccount.when(.completeEmailChange(f.change, at: f.start))
                == .events([.emailChanged(f.id, by: .wait)]))
        // As it was before one that waits kept another from waiting.
        let later = Given(
            f.changingAccount.history + [.newAddressProven(f.id, change: f.login, takesEffectAt: f.start)])
        for command in [UserCommand.confirmEmailChange(f.change), .completeEmailChange(f.change, at: f.start)] {
            #expect(later.when(command) == .refusal(.noEmailChange))
        }
        #expect(later.when(.confirmEmailChange(f.login)) == .events([.emailChanged(f.id, by: .bothAddresses)]))
    }

    @Test("loses a change of address that waits, and its row, with another password, a veto and a withdrawal")
    func droppedChange() {
        let f = Self.f
        for command in [UserCommand.changePassword, .resetPassword, .withdrawEmailChange, f.keep] {
            let given = f.changingAccount.after(command)
            #expect(given.when(.confirmEmailChange(f.change)) == .refusal(.noEmailChange), "\(command)")
            #expect(given.when(.completeEmailChange(f.change, at: f.start)) == .refusal(.noEmailChange), "\(command)")
        }
        for event in [f.changed, f.reset, UserEvent.emailChangeWithdrawn(f.id)] {
            let calls = { (given: Given) in User.rowCalls(for: .withdrawEmailChange, given.state, [event]).map(\.name) }
            #expect(calls(f.changingAccount) == ["drop_email_change"] && calls(f.account) == [])
        }
    }

    @Test(
        "is opened by no linked identity any more once the old address keeps the account, and by the mailbox at least")
    func keptWithIdentities() {
        #expect(Self.f.linkedAccount.when(Self.f.keep) == .events([Self.f.kept, Self.f.detached]))
        let never = Given([Self.f.person, Self.f.linked])
        #expect(
            never.when(Self.f.keep)
                == .events([
                    Self.f.kept, .credentialsAttached(Self.f.id, .password, upgradesDevice: false), Self.f.detached,
                ]))
        #expect(never.after(Self.f.keep).state.methods == [.password])
        let apple = never.after(.attach(method: .apple)).after(Self.f.keep)
        #expect(apple.state.methods == [.password])
    }

    @Test("has a confirmed address once it was changed, or kept, or a password was chosen by mail")
    func addresses() {
        let prove = UserCommand.proveNewAddress(change: Self.f.change, takesEffectAt: Self.f.start)
        for command in [prove, Self.f.keep, .resetPassword] {
            #expect(Self.f.account.after(command).state.isEmailVerified)
        }
    }

    @Test("keeps what was wanted last")
    func notifications() {
        let given = Self.f.account.after(.setNotifications(Self.f.wanted))
        #expect(given.state.notifications == Self.f.wanted)
        #expect(given.when(.setNotifications(Self.f.wanted)) == .events([]))
        #expect(given.after(.setNotifications(NotificationPreferences())).state.notifications.productNews == false)
    }

    @Test("is not erased by confirmations alone")
    func earlyConfirmations() {
        let given = Self.f.account.after(
            ServiceName.allCases.map {
                .confirmErasure(Self.f.id, service: $0.rawValue, removed: Self.f.removed)
            })
        #expect(!given.state.isFullyErased)
        #expect(given.after(.erase(here: Self.f.removed)).state.isFullyErased)
    }
}
