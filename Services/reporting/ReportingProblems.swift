package import HTTPServer
import ServiceKit

/// Problems of streaks.
extension ProblemCode {
    package static let graceOutOfRange = ProblemCode(
        "grace-out-of-range", 422, "No such grace",
        "Send graceMinutes from 0 to \(Practitioner.longestGraceMinutes).")
    package static let freezesUsedUp = ProblemCode(
        "freezes-used-up", 409, "No freeze is left",
        "At most \(Practitioner.mostFreezes) days in any \(Practitioner.freezeWindow) can be frozen; thaw another one first."
    )
    package static let freezeOutOfRange = ProblemCode(
        "freeze-out-of-range", 422, "The day cannot be frozen",
        "Freeze a day from \(Practitioner.frozenBack) days ago to \(Practitioner.frozenAhead) days ahead.")

    /// All of them.
    package static let reporting: [ProblemCode] = [graceOutOfRange, freezesUsedUp, freezeOutOfRange]
}

/// The one place where refusals of practitioners become problems.
extension PractitionerRefusal: ProblemConvertible {
    package var problem: Problem {
        switch self {
        case .graceOutOfRange: Problem(.graceOutOfRange)
        case .freezesUsedUp: Problem(.freezesUsedUp)
        case .freezeOutOfRange: Problem(.freezeOutOfRange)
        }
    }
}
