import Contracts
import EventSourcing
import EventSourcingTesting
import Testing

@testable import identity

/// The stated outcome of every command in every state.
@Suite("Every state of a user and every command") struct UserRuleTests {
    private static let f = Fixture.self

    static let states: [(name: String, story: Story)] = [
        ("absent", f.absent), ("device", f.anonymous), ("account", f.account), ("google account", f.googleAccount),
        ("erased", f.gone), ("confirmed", Story(f.gone.history + [f.confirmed(.quota)])),
        ("confirmed early", Story([f.confirmed(.quota)])),
    ]

    /// `-` for nothing, a name for an event, `!` before the code of a refusal; a last word stands for all the rest.
    static let table: [(name: String, command: UserCommand, outcomes: String)] = [
        (
            "register a device", .registerDevice(f.id, timeZone: "UTC"),
            "UserRegistered - !user-exists !user-exists !user-erased !user-erased UserRegistered"
        ),
        (
            "sign up", .signUp(f.id, method: .password, timeZone: "UTC"),
            "UserRegistered+CredentialsAttached CredentialsAttached !user-exists !user-exists !user-erased !user-erased "
                + "UserRegistered+CredentialsAttached"
        ),
        (
            "attach google", .attach(method: .google),
            "!user-unknown !account-missing CredentialsAttached - !user-erased !user-erased !user-unknown"
        ),
        (
            "move", .changeTimeZone("Asia/Tokyo"),
            "!user-unknown UserProfileChanged UserProfileChanged UserProfileChanged !user-erased !user-erased "
                + "!user-unknown"
        ),
        (
            "stay", .changeTimeZone("Europe/Berlin"),
            "!user-unknown - - - !user-erased !user-erased !user-unknown"
        ),
        (
            "change the password", .changePassword,
            "!user-unknown !password-missing PasswordChanged !password-missing !user-erased !user-erased !user-unknown"
        ),
        (
            "reset the password", .resetPassword,
            "!user-unknown !password-missing PasswordReset !password-missing !user-erased !user-erased !user-unknown"
        ),
        (
            "verify the address", .verifyEmail,
            "!user-unknown !password-missing EmailVerified !password-missing !user-erased !user-erased !user-unknown"
        ),
        (
            "erase", .erase(here: f.removed),
            "!user-unknown UserErased+ErasureConfirmed UserErased+ErasureConfirmed UserErased+ErasureConfirmed - - "
                + "!user-unknown"
        ),
        (
            "quota confirms", .confirmErasure(f.id, service: "quota", removed: f.removed),
            "ErasureConfirmed ErasureConfirmed ErasureConfirmed ErasureConfirmed ErasureConfirmed -"
        ),
        ("a stranger confirms", .confirmErasure(f.id, service: "weather", removed: f.removed), "-"),
    ]

    @Test("has the stated outcome", arguments: table.indices)
    func outcome(row: Int) {
        let (name, command, text) = Self.table[row]
        let outcomes = text.split(separator: " ").map(String.init)
        for (column, state) in Self.states.enumerated() {
            let expected = column < outcomes.count ? outcomes[column] : outcomes[outcomes.count - 1]
            #expect(describe(state.story.when(command)) == expected, "\(name) when \(state.name)")
        }
    }

    @Test("keeps the id and the zone of a device that becomes an account")
    func upgrade() {
        let story = Self.f.anonymous.after(.signUp(Self.f.id, method: .apple, timeZone: "America/Lima"))
        #expect(story.state.kind == .user)
        #expect(story.state.id == Self.f.id)
        #expect(story.state.timeZone == "Europe/Berlin")
        #expect(story.state.methods == [.apple])
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
            var story = Self.f.gone
            let order = [first] + ServiceName.allCases.filter { $0 != first }
            for service in order {
                #expect(!story.state.isFullyErased)
                story = story.after(
                    .confirmErasure(Self.f.id, service: service.rawValue, removed: Self.f.removed))
            }
            #expect(story.state.isFullyErased)
            #expect(story.state.confirmations["sessions"] == Self.f.removed)
        }
    }

    @Test("verifies an address once")
    func verified() {
        #expect(Story(Self.f.account.history + [Self.f.verified]).when(.verifyEmail) == .events([]))
    }

    @Test("is not erased by confirmations alone")
    func earlyConfirmations() {
        let story = Self.f.account.after(
            ServiceName.allCases.map {
                .confirmErasure(Self.f.id, service: $0.rawValue, removed: Self.f.removed)
            })
        #expect(!story.state.isFullyErased)
        #expect(story.after(.erase(here: Self.f.removed)).state.isFullyErased)
    }

    private func describe(_ outcome: Outcome<UserEvent, UserRefusal>) -> String {
        switch outcome {
        case .events([]): "-"
        case .events(let events): events.map(\.type.name).joined(separator: "+")
        case .refusal(let refusal): "!\(refusal.rawValue)"
        }
    }
}
