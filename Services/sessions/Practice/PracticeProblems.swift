package import HTTPServer
import ServiceKit

/// Problems of logged sessions.
extension ProblemCode {
    package static let practiceInFuture = ProblemCode(
        "practice-in-future", 422, "The session is not over",
        "Log a session when it is over; check the clock of the device.")
    package static let practiceTooOld = ProblemCode(
        "practice-too-old", 422, "The session is too long ago",
        "Log sessions that began after earliestAt.")
    package static let practiceDayFull = ProblemCode(
        "practice-day-full", 422, "Too many sessions on this day",
        "Log no more sessions for this local day; deleted ones count too.")
    package static let practiceExists = ProblemCode(
        "practice-exists", 409, "The id is used",
        "Another session has this id: correct that one with PUT, or log this one under an id of its own.")
    package static let practiceDeleted = ProblemCode(
        "practice-deleted", 409, "The session was deleted",
        "Leave it deleted, or log it again under another id.")
    package static let correctionsUsedUp = ProblemCode(
        "corrections-used-up", 409, "Corrected too often",
        "Delete the session and log it under another id.")

    /// All of them.
    package static let practice: [ProblemCode] = [
        practiceInFuture, practiceTooOld, practiceDayFull, practiceExists, practiceDeleted, correctionsUsedUp,
    ]
}

/// The one place where refusals of logged sessions become problems.
extension LoggedSessionRefusal: ProblemConvertible {
    package var problem: Problem {
        switch self {
        case .unknown: .notFound
        case .exists: Problem(.practiceExists)
        case .deleted: Problem(.practiceDeleted)
        case .correctionsUsedUp: Problem(.correctionsUsedUp)
        }
    }
}
