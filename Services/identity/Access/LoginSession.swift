package import Contracts
package import EventSourcing
package import EventStore
package import Primitives
import ServiceKit

/// One login session, as far as its end needs it. That it began is a row, and so is that it goes on; one that ends by time
/// has no event at all.
package enum LoginSession: Sendable, Equatable {
    /// Nothing was recorded but an app's token, which would last until then.
    case open(appTokenUntil: Timestamp?)
    case ended
}

/// What can be asked of a login session.
package enum LoginSessionCommand: Sendable, Equatable {
    /// It is over before its time, in every service.
    case end(LoginSessionEnd)
    /// An app whose client cannot refresh has a token of it.
    case issue(AppTokenIssued)
}

/// How a login session ended.
package struct LoginSessionEnd: Sendable, Equatable {
    package var session: UUID
    package var user: UUID
    package var reason: LoginEnding
    /// No access token of it lasts longer.
    package var tokensUntil: Timestamp

    package init(session: UUID, user: UUID, reason: LoginEnding, tokensUntil: Timestamp) {
        self.session = session
        self.user = user
        self.reason = reason
        self.tokensUntil = tokensUntil
    }
}

extension LoginSession: Aggregate {
    package typealias Command = LoginSessionCommand
    package typealias Event = LoginSessionEvent
    package typealias Refusal = Never

    package static var initial: LoginSession { .open(appTokenUntil: nil) }

    /// The category of the streams of login sessions.
    package static let category = "login"

    /// The stream of a login session.
    package static func stream(_ session: UUID) -> StreamName { StreamName(category, session) }

    package static func decide(
        _ command: LoginSessionCommand, _ state: LoginSession
    ) throws(Never) -> [LoginSessionEvent] {
        guard case .open(let appTokenUntil) = state else { return [] }
        switch command {
        case .end(var end):
            // Whoever asks may know nothing of the token: told of an earlier moment, services would forget the end before the
            // token is over, and believe in it when it is told again.
            end.tokensUntil = max(end.tokensUntil, appTokenUntil ?? end.tokensUntil)
            return [.ended(end)]
        case .issue(let token): return [.appTokenIssued(token)]
        }
    }

    package static func evolve(_ state: LoginSession, _ event: LoginSessionEvent) -> LoginSession {
        switch (event, state) {
        case (.ended, _), (_, .ended): .ended
        case (.appTokenIssued(let token), .open(let until)):
            .open(appTokenUntil: max(token.expiresAt, until ?? token.expiresAt))
        }
    }

    /// The rows go, whatever was recorded before.
    package static func rowCalls(
        for command: LoginSessionCommand, _: LoginSession, _: [LoginSessionEvent]
    ) -> [RowCall] {
        switch command {
        case .end(let end): [AccessRows.endLogin(end.session), KitRows.endAppTokens(of: end.session)]
        case .issue(let token):
            [AccessRows.makeAppLogin(token.loginSessionId, token.surface.rawValue), KitRows.learn(token)]
        }
    }
}
