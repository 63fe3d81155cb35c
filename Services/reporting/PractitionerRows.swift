import EventStore
import HTTPServer
import Primitives

/// The row functions of practitioners: how much somebody has changed today, since each change is an event for ever.
enum PractitionerRows {
    /// What is counted by itself.
    enum Change: String {
        case grace
        case freezes
    }

    private static let countChange = RowFunction(
        "count_practice_change", .uuid("ownerId"), .string("what"), .int("most"), refusals: [.practiceChangesUsedUp])
    /// Forgets how much a subject has changed.
    static let forget = RowFunction("forget_practice_changes", .uuid("subject"))

    static let all = [countChange.declaration, forget.declaration]

    /// Counts a change of somebody's, or refuses it with `practice-changes-used-up`.
    static func count(_ change: Change, by owner: UUID) -> RowCall {
        countChange(owner, change.rawValue, Practitioner.mostChangesOfDay)
    }
}

extension RowRefusal {
    /// As much was changed today as may be.
    static let practiceChangesUsedUp = RowRefusal("practice-changes-used-up")

    /// What the refusal of a row function is to a client; nil for a fault.
    var problem: Problem? {
        switch self {
        case .practiceChangesUsedUp: Problem(.practiceChangesUsedUp)
        default: nil
        }
    }
}
