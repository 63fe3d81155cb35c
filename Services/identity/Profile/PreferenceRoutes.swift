import Access
import EventStore
import HTTPServer
import JSON
import Primitives
import Runtime
import ServiceKit

/// What the caller wants to be told by mail, and the terms of use that the caller has accepted.
@Loop struct PreferenceRoutes {
    /// What no preference turns off.
    private static let security = "security"

    private let users: CommandHandler<User>
    private let states: KeptStates<User>
    private let terms: Terms

    init(_ context: ServiceContext, _ terms: Terms, _ states: KeptStates<User>) {
        users = CommandHandler(context.store)
        self.states = states
        self.terms = terms
    }

    // MARK: Mails

    func notifications(_ request: Request, _ caller: Caller) async throws -> Response {
        Self.answer(try await states.state(of: User.stream(caller.user)).notifications)
    }

    /// Replaces all of them.
    func setNotifications(_ request: Request, _ caller: Caller) async throws -> Response {
        let body = try await request.jsonObject()
        try body.allow(Self.security, "productNews", "coachingReminders", "weeklySummary")
        let wanted = try NotificationPreferences(body)
        guard try body[Self.security] == nil || body.bool(Self.security) else { throw Problem(.securityMailsStay) }
        return Self.answer(try await put(.setNotifications(wanted), request, caller).notifications)
    }

    private static func answer(_ preferences: NotificationPreferences) -> Response {
        let mails = JSONObject([(security, .bool(true))]).adding(membersOf: preferences.json)
        return .personal(["mails": .object(mails), "alwaysSent": [.string(security)]])
    }

    // MARK: Terms

    func readTerms(_ request: Request, _ caller: Caller) async throws -> Response {
        answer(try await states.state(of: User.stream(caller.user)).terms)
    }

    /// Accepts the terms that are in force; again changes nothing.
    func acceptTerms(_ request: Request, _ caller: Caller) async throws -> Response {
        let accepted = try terms.acceptance(try await request.jsonObject(), at: .now())
        return answer(try await put(.acceptTerms(accepted), request, caller).terms)
    }

    private func answer(_ accepted: TermsAcceptance?) -> Response {
        .personal([
            "current": .optional(terms.version), "accepted": accepted.map { .object($0.json) } ?? .null,
            "mustAccept": .bool(terms.version != nil && terms.version != accepted?.version),
        ])
    }

    private func put(_ command: UserCommand, _ request: Request, _ caller: Caller) async throws -> User {
        try await users.put(command, by: caller, request, requestHash: caller.user.bytes).state
    }
}
