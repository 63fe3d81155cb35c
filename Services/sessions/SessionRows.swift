import Contracts
import EventSourcing
import EventStore
import HTTPServer
import Primitives

/// The row functions of sessions.
enum SessionRows {
    private static let beginOnlySession = RowFunction(
        "begin_only_session", .uuid("ownerId"), .string("stream"), refusals: [.addressUnconfirmed])

    static let all = [beginOnlySession.declaration]

    /// For the creation of a session: refuses it with `address-unconfirmed` when the owner has, or had, another one.
    static func beginOnlySession(_ session: SessionIdentity) -> RowCall {
        beginOnlySession(session.ownerId, Session.stream(session.sessionId).description)
    }
}

extension RowRefusal {
    /// The account has to confirm its address first.
    static let addressUnconfirmed = RowRefusal("address-unconfirmed")

    /// What the refusal of a row function is to a client; nil for a fault.
    var problem: Problem? {
        switch self {
        case .addressUnconfirmed: Problem(.addressUnconfirmed)
        case .dayFull: Problem(.practiceDayFull)
        default: nil
        }
    }
}
