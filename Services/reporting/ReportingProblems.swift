package import HTTPServer
import Progress
import ServiceKit

/// Problems of streaks, goals, shares and exports.
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

    package static let practiceChangesUsedUp = ProblemCode(
        "practice-changes-used-up", 409, "Changed often enough today",
        "The grace can be changed \(Practitioner.mostChangesOfDay) times a day, and days frozen or thawed as often: come back tomorrow (UTC)."
    )

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

    package static let shareImpossible = ProblemCode(
        "share-impossible", 422, "The report cannot be shared like this",
        "Send parts of \(Share.Part.allCases.map(\.rawValue).joined(separator: ", ")), each once; expiresIn from \(Share.lifetimes.lowerBound) to \(Share.lifetimes.upperBound) seconds, or expiresAt within that time; maxViews from \(Share.viewLimits.lowerBound) to \(Share.viewLimits.upperBound); as firstName letters, at most \(ShareCard.longestName)."
    )
    package static let shareEmpty = ProblemCode(
        "share-empty", 422, "There is nothing to show", "Share other parts: this report has none of those.")
    package static let sharesUsedUp = ProblemCode(
        "shares-used-up", 409, "Enough is shared",
        "At most \(Shares.openLimit) links can be open, and \(Shares.dayLimit) made within a day: take one back first, or come back tomorrow."
    )
    package static let shareUnknown = ProblemCode(
        "share-unknown", 404, "This link shows nothing",
        "Ask whoever gave it to you for another one: it may be incomplete, over, used up or taken back.")
    package static let tooManyShared = ProblemCode(
        "too-many-shared", 429, "Too many shared cards", "Wait for as many seconds as Retry-After says.")

    /// All of them.
    package static let reporting: [ProblemCode] = [
        graceOutOfRange, freezesUsedUp, freezeOutOfRange, practiceChangesUsedUp, goalImpossible, goalsUsedUp,
        goalMeasureTaken, shareImpossible, shareEmpty, sharesUsedUp, shareUnknown, tooManyShared, exportOpen,
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

/// The one place where refusals of shares become problems.
extension SharesRefusal: ProblemConvertible {
    package var problem: Problem {
        switch self {
        case .impossible: Problem(.shareImpossible)
        case .usedUp: Problem(.sharesUsedUp)
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
