import Contracts
import EventSourcing
import EventSourcingTesting
import Testing

@testable import identity

/// The states of a user that rules tell apart.
enum UserState: CaseIterable {
    case absent, device, account, googleAccount, erased, confirmed, confirmedEarly

    /// The history that leads to it.
    var given: Given {
        let f = Fixture.self
        return switch self {
        case .absent: f.absent
        case .device: f.anonymous
        case .account: f.account
        case .googleAccount: f.googleAccount
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
            .refuses(.exists, in: .account, .googleAccount), .refuses(.erased, in: .erased, .confirmed),
            .gives("UserRegistered")),
        .init(
            "sign up", .signUp(f.id, method: .password, timeZone: "UTC"), .gives("CredentialsAttached", in: .device),
            .refuses(.exists, in: .account, .googleAccount), .refuses(.erased, in: .erased, .confirmed),
            .gives("UserRegistered", "CredentialsAttached")),
        .init(
            "attach google", .attach(method: .google), .refuses(.noAccount, in: .device),
            .gives("CredentialsAttached", in: .account), .nothing(in: .googleAccount),
            .refuses(.erased, in: .erased, .confirmed), .refuses(.unknown)),
        .init(
            "move", .changeTimeZone("Asia/Tokyo"), .refuses(.unknown, in: .absent, .confirmedEarly),
            .refuses(.erased, in: .erased, .confirmed), .gives("UserProfileChanged")),
        .init(
            "stay", .changeTimeZone("Europe/Berlin"), .refuses(.unknown, in: .absent, .confirmedEarly),
            .refuses(.erased, in: .erased, .confirmed), .nothing()),
        .init(
            "change the password", .changePassword, .refuses(.noPassword, in: .device, .googleAccount),
            .gives("PasswordChanged", in: .account), .refuses(.erased, in: .erased, .confirmed), .refuses(.unknown)),
        .init(
            "reset the password", .resetPassword, .refuses(.noPassword, in: .device, .googleAccount),
            .gives("PasswordReset", in: .account), .refuses(.erased, in: .erased, .confirmed), .refuses(.unknown)),
        .init(
            "verify the address", .verifyEmail, .refuses(.noPassword, in: .device, .googleAccount),
            .gives("EmailVerified", in: .account), .refuses(.erased, in: .erased, .confirmed), .refuses(.unknown)),
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
