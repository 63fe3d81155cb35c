import EventSourcing
import EventStore
import Primitives

/// The row functions of logged sessions.
enum PracticeRows {
    private static let countLogged = RowFunction(
        "count_logged", .uuid("ownerId"), .int("day"), .int("most"), refusals: [.dayFull])
    /// Forgets how many sessions a subject has logged on which day.
    static let forget = RowFunction("forget_logged_days", .uuid("subject"))

    private static let handOver = RowFunction("hand_over_logged", .string("stream"), .uuid("from"), .uuid("to"))

    static let all = [countLogged.declaration, forget.declaration, handOver.declaration]

    /// The stream of a logged session is another owner's from now on.
    static func handOver(_ stream: StreamName, from owner: UUID, to other: UUID) -> RowCall {
        handOver(stream.description, owner, other)
    }

    /// Counts a session of a local day, or refuses it with `day-full`.
    static func countOfDay(_ owner: UUID, _ day: LocalDay) -> RowCall {
        countLogged(owner, day.number, LoggedSession.mostOfDay)
    }
}

extension RowRefusal {
    /// As many sessions are logged for that local day as may be.
    static let dayFull = RowRefusal("day-full")
}
