import Contracts
import EventSourcing
import EventStore
import HTTPServer
import Primitives

/// The row functions of sessions.
enum SessionRows {
    private static let beginOnlySession = RowFunction(
        "begin_only_session", .uuid("ownerId"), .string("stream"), refusals: [.addressUnconfirmed])

    /// Takes one of so many creations that quota may refuse, of which one comes back after so long.
    static let takeCreation = RowFunction(
        "take_creation", .uuid("ownerId"), .int("allowance"), .int("paceMicroseconds"), refusals: [.refusalsUsedUp])
    /// Gives back what was no refusal.
    static let giveCreationBack = RowFunction("give_creation_back", .uuid("ownerId"))
    private static let noteRefusal = RowFunction("note_refusal", .uuid("ownerId"), .time("opensAt"))
    /// For the append that erases an owner.
    static let forgetCreations = RowFunction("forget_creations", .uuid("ownerId"))

    static let all = [
        beginOnlySession.declaration, takeCreation.declaration, giveCreationBack.declaration, noteRefusal.declaration,
        forgetCreations.declaration,
    ]

    /// For the refusal of a session: notes when quota may say yes, if that is so for everything that the owner creates until
    /// then. What waits for another session to end, or for some seconds, says nothing of that kind.
    static func note(_ denial: QuotaDenial, of owner: UUID) -> [RowCall] {
        guard denial.window != .burst, denial.window != .atOnce else { return [] }
        return [noteRefusal(owner, denial.resetsAt)]
    }

    /// For the creation of a session: refuses it with `address-unconfirmed` when the owner has, or had, another one.
    static func beginOnlySession(_ session: SessionIdentity) -> RowCall {
        beginOnlySession(session.ownerId, Session.stream(session.sessionId).description)
    }
}

extension RowRefusal {
    /// The account has to confirm its address first.
    static let addressUnconfirmed = RowRefusal("address-unconfirmed")

    /// Quota has refused as many sessions of the owner as it may.
    static let refusalsUsedUp = RowRefusal("refusals-used-up")

    /// What the refusal of a row function is to a client; nil for a fault.
    var problem: Problem? { self == .addressUnconfirmed ? Problem(.addressUnconfirmed) : nil }
}
