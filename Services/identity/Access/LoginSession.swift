package import Contracts
package import EventSourcing
package import EventStore
package import Primitives
import ServiceKit

/// One login session, as far as its end needs it. That it began is a row, and so is that it goes on; one that ends by time
/// has no event at all.
package enum LoginSession: Sendable, Equatable {
    /// Nothing was recorded.
    case open
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

    package static var initial: LoginSession { .open }

    /// The category of the streams of login sessions.
    package static let category = "login"

    /// The stream of a login session.
    package static func stream(_ session: UUID) -> StreamName { StreamName(category, session) }

    package static func decide(
        _ command: LoginSessionCommand, _ state: LoginSession
    ) throws(Never) -> [LoginSessionEvent] {
        switch command {
        case .end(let end): state == .open ? [.ended(end)] : []
        case .issue(let token): state == .open ? [.appTokenIssued(token)] : []
        }
    }

    package static func evolve(_ state: LoginSession, _ event: LoginSessionEvent) -> LoginSession {
        switch event {
        case .ended: .ended
        case .appTokenIssued: state
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
