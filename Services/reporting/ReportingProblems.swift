package import HTTPServer
import Progress
import ServiceKit

/// Problems of streaks, goals and exports.
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

    package static let goalImpossible = ProblemCode(
        "goal-impossible", 422, "No such goal",
        "Send a measure that can be aimed at, atLeast or atMost within its range, recordings from 1 to \(GoalTarget.recordingLimit), days from 1 to \(GoalTarget.dayLimit)."
    )
    package static let goalsUsedUp = ProblemCode(
        "goals-used-up", 409, "Enough goals are open",
        "At most \(Goals.openLimit) goals can be open, and \(Goals.dayLimit) set within a day: meet or delete one first, or come back tomorrow."
    )
    package static let goalMeasureTaken = ProblemCode(
        "goal-measure-taken", 409, "This measure has a goal", "Meet or delete the open goal of this measure first.")

    package static let exportOpen = ProblemCode(
        "export-open", 409, "An export is being made already", "Wait for the open export, or delete it first.")
    package static let exportsUsedUp = ProblemCode(
        "exports-used-up", 429, "Enough exports for today",
        "At most \(Exports.dayLimit) exports can be asked for within a day: fetch the last one, or come back tomorrow.")
    package static let exportAddressExpired = ProblemCode(
        "export-address-expired", 403, "The address of the archive has expired",
        "Read the export for a new address of its archive.")

    /// All of them.
    package static let reporting: [ProblemCode] = [
        graceOutOfRange, freezesUsedUp, freezeOutOfRange, goalImpossible, goalsUsedUp, goalMeasureTaken, exportOpen,
        exportsUsedUp, exportAddressExpired,
    ]
}

/// The one place where refusals of goals become problems.
extension GoalsRefusal: ProblemConvertible {
    package var problem: Problem {
        switch self {
        case .impossible: Problem(.goalImpossible)
        case .usedUp: Problem(.goalsUsedUp)
        case .measureTaken: Problem(.goalMeasureTaken)
        case .unknown: .notFound
        }
    }
}

/// The one place where refusals of exports become problems.
extension ExportsRefusal: ProblemConvertible {
    package var problem: Problem {
        switch self {
        case .open: Problem(.exportOpen)
        case .usedUp: Problem(.exportsUsedUp)
        case .unknown: .notFound
        }
    }
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
