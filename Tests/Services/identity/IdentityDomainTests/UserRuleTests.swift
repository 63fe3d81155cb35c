import Contracts
import EventSourcing
import EventSourcingTesting
import EventStore
import Primitives
import Testing

@testable import identity

/// The states of a user that rules tell apart.
enum UserState: CaseIterable {
    case absent, device, account, protectedAccount, googleAccount, linkedAccount, erased, confirmed, confirmedEarly

    /// The history that leads to it.
    var given: Given {
        let f = Fixture.self
        return switch self {
        case .absent: f.absent
        case .device: f.anonymous
        case .account: f.account
        case .protectedAccount: f.protectedAccount
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
            "register a device", .registerDevice(f.id, timeZone: "UTC"), .nothing(in: .device),
            .refuses(.exists, in: .account, .protectedAccount, .googleAccount, .linkedAccount),
            .refuses(.erased, in: .erased, .confirmed),
            .gives("UserRegistered")),
        .init(
            "sign up", .signUp(f.id, method: .password, timeZone: "UTC"), .gives("CredentialsAttached", in: .device),
            .refuses(.exists, in: .account, .protectedAccount, .googleAccount, .linkedAccount),
            .refuses(.erased, in: .erased, .confirmed),
            .gives("UserRegistered", "CredentialsAttached")),
        .init(
            "attach google", .attach(method: .google), .refuses(.noAccount, in: .device),
            .gives("CredentialsAttached", in: .account, .protectedAccount),
            .nothing(in: .googleAccount, .linkedAccount),
            .refuses(.erased, in: .erased, .confirmed), .refuses(.unknown)),
        .init(
            "sign up with google", .signUp(f.id, method: .google, timeZone: "UTC", isEmailVerified: true),
            .gives("CredentialsAttached", "EmailVerified", in: .device),
            .refuses(.exists, in: .account, .protectedAccount, .googleAccount, .linkedAccount),
            .refuses(.erased, in: .erased, .confirmed), .gives("UserRegistered", "CredentialsAttached", "EmailVerified")
        ),
        .init(
            "detach google", .detach(method: .google), .refuses(.noAccount, in: .device),
            .refuses(.noSuchMethod, in: .account, .protectedAccount), .refuses(.lastMethod, in: .googleAccount),
            .gives("CredentialsDetached", in: .linkedAccount), .refuses(.erased, in: .erased, .confirmed),
            .refuses(.unknown)),
        .init(
            "move", .changeTimeZone("Asia/Tokyo"), .refuses(.unknown, in: .absent, .confirmedEarly),
            .refuses(.erased, in: .erased, .confirmed), .gives("UserProfileChanged")),
        .init(
            "stay", .changeTimeZone("Europe/Berlin"), .refuses(.unknown, in: .absent, .confirmedEarly),
            .refuses(.erased, in: .erased, .confirmed), .nothing()),
        .init(
            "change the password", .changePassword, .refuses(.noPassword, in: .device, .googleAccount),
            .gives("PasswordChanged", in: .account, .protectedAccount, .linkedAccount),
            .refuses(.erased, in: .erased, .confirmed), .refuses(.unknown)),
        .init(
            "reset the password", .resetPassword, .refuses(.noAccount, in: .device),
            .gives("CredentialsAttached", "PasswordReset", "EmailVerified", in: .googleAccount),
            .gives("PasswordReset", "EmailVerified", in: .account, .protectedAccount, .linkedAccount),
            .refuses(.erased, in: .erased, .confirmed), .refuses(.unknown)),
        .init(
            "verify the address", .verifyEmail, .refuses(.noAccount, in: .device),
            .gives("EmailVerified", in: .account, .protectedAccount, .googleAccount, .linkedAccount),
            .refuses(.erased, in: .erased, .confirmed), .refuses(.unknown)),
        .init(
            "add a second factor", .addSecondFactor, .refuses(.noAccount, in: .device),
            .gives("SecondFactorAdded", in: .account, .googleAccount, .linkedAccount),
            .refuses(.hasSecondFactor, in: .protectedAccount),
            .refuses(.erased, in: .erased, .confirmed), .refuses(.unknown)),
        .init(
            "remove the second factor", .removeSecondFactor, .gives("SecondFactorRemoved", in: .protectedAccount),
            .refuses(.unknown, in: .absent, .confirmedEarly), .refuses(.erased, in: .erased, .confirmed),
            .refuses(.noSecondFactor)),
        .init(
            "replace the recovery codes", .replaceRecoveryCodes,
            .gives("RecoveryCodesReplaced", in: .protectedAccount),
            .refuses(.unknown, in: .absent, .confirmedEarly), .refuses(.erased, in: .erased, .confirmed),
            .refuses(.noSecondFactor)),
        .init(
            "change the address", .changeEmail, .refuses(.noAccount, in: .device),
            .gives("EmailChanged", in: .account, .protectedAccount, .googleAccount, .linkedAccount),
            .refuses(.erased, in: .erased, .confirmed),
            .refuses(.unknown)),
        .init(
            "keep the address", .stopEmailChange, .refuses(.noAccount, in: .device),
            .gives("EmailChangeStopped", in: .account, .protectedAccount),
            .gives("EmailChangeStopped", "CredentialsAttached", "CredentialsDetached", in: .googleAccount),
            .gives("EmailChangeStopped", "CredentialsDetached", in: .linkedAccount),
            .refuses(.erased, in: .erased, .confirmed),
            .refuses(.unknown)),
        .init(
            "want other mails", .setNotifications(f.wanted), .refuses(.erased, in: .erased, .confirmed),
            .gives("NotificationsChanged", in: .device, .account, .protectedAccount, .googleAccount, .linkedAccount),
            .refuses(.unknown)
        ),
        .init(
            "want the usual mails", .setNotifications(NotificationPreferences()),
            .refuses(.erased, in: .erased, .confirmed),
            .nothing(in: .device, .account, .protectedAccount, .googleAccount, .linkedAccount),
            .refuses(.unknown)),
        .init(
            "accept the terms", .acceptTerms(f.terms), .refuses(.erased, in: .erased, .confirmed),
            .gives("TermsAccepted", in: .device, .account, .protectedAccount, .googleAccount, .linkedAccount),
            .refuses(.unknown)),
        .init(
            "sign up with terms", .signUp(f.id, method: .password, timeZone: "UTC", terms: f.terms),
            .gives("CredentialsAttached", "TermsAccepted", in: .device),
            .refuses(.exists, in: .account, .protectedAccount, .googleAccount, .linkedAccount),
            .refuses(.erased, in: .erased, .confirmed), .gives("UserRegistered", "CredentialsAttached", "TermsAccepted")
        ),
        .init(
            "another device secret", .changeDeviceSecret, .gives("DeviceSecretChanged", in: .device),
            .refuses(.exists, in: .account, .protectedAccount, .googleAccount, .linkedAccount),
            .refuses(.erased, in: .erased, .confirmed),
            .refuses(.unknown)),
        .init(
            "hand a device over", .handOver(to: f.login, at: f.start), .gives("DeviceHandedOver", in: .device),
            .refuses(.exists, in: .account, .protectedAccount, .googleAccount, .linkedAccount),
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
            "AppTokenIssued",
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

    @Test("has a complete receipt when the last of the five services has confirmed, in whatever order")
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
        let added = Self.f.account.after(.changeEmail).after(.addSecondFactor)
        #expect(added.when(.stopEmailChange) == .events([Self.f.kept, Self.f.unprotected]))
        #expect(added.after(.stopEmailChange).state.hasSecondFactor == false)
        let older = Self.f.account.after(.addSecondFactor).after(.changeEmail)
        #expect(older.when(.stopEmailChange) == .events([Self.f.kept]))
        // Not even after an address in between has kept it, which may be of whoever changed it.
        let between = Self.f.account.after(.changeEmail).after(.stopEmailChange).after(.addSecondFactor)
        #expect(between.when(.stopEmailChange) == .events([Self.f.kept, Self.f.unprotected]))
    }

    @Test(
        "is opened by no linked identity any more once the old address keeps the account, and by the mailbox at least")
    func keptWithIdentities() {
        #expect(Self.f.linkedAccount.when(.stopEmailChange) == .events([Self.f.kept, Self.f.detached]))
        let never = Given([Self.f.person, Self.f.linked])
        #expect(
            never.when(.stopEmailChange)
                == .events([
                    Self.f.kept, .credentialsAttached(Self.f.id, .password, upgradesDevice: false), Self.f.detached,
                ]))
        #expect(never.after(.stopEmailChange).state.methods == [.password])
        let apple = never.after(.attach(method: .apple)).after(.stopEmailChange)
        #expect(apple.state.methods == [.password])
    }

    @Test("has a confirmed address once it was changed, or kept, or a password was chosen by mail")
    func addresses() {
        for command in [UserCommand.changeEmail, .stopEmailChange, .resetPassword] {
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
