package import Contracts
package import EventSourcing
package import EventStore
import Practice
package import Primitives

/// A person, as far as the rules of streaks differ between people: grace, frozen days, milestones reached.
package struct Practitioner: Sendable, Equatable {
    /// The grace of somebody who has not chosen one, in minutes.
    package static let defaultGraceMinutes: Int64 = 180
    /// The longest grace, in minutes.
    package static let longestGraceMinutes = DayFacts.longestGraceSeconds / 60
    /// How many days may be frozen in any ``freezeWindow`` days.
    package static let mostFreezes = 2
    /// In days.
    package static let freezeWindow: Int64 = 30
    /// How long ago a day may be that is frozen after all, and how far ahead, in days.
    package static let frozenBack: Int64 = 7
    package static let frozenAhead: Int64 = 60
    /// How often somebody can change the grace on one day (UTC), and freeze or thaw days: the stream is read whole.
    package static let mostChangesOfDay: Int64 = 20

    /// A milestone of one kind.
    package struct Milestone: Sendable, Hashable {
        package var kind: SessionKind
        package var streakDays: Int64
    }

    package var graceMinutes = Practitioner.defaultGraceMinutes
    package var frozen: Set<LocalDay> = []
    /// Once reached, however the history is corrected later.
    package var milestones: Set<Milestone> = []

    /// What of it counts for streaks.
    var rules: StreakRules { StreakRules(graceSeconds: graceMinutes * 60, frozen: frozen) }
}

/// What can be asked of a practitioner.
package enum PractitionerCommand: Sendable, Equatable {
    /// Another grace after midnight.
    case setGrace(ownerId: UUID, minutes: Int64)
    /// A day may stay empty.
    ///
    /// - today: the owner's local day.
    case freeze(ownerId: UUID, LocalDay, today: LocalDay)
    /// Days may stay empty that could on an anonymous device which was handed over, as far as there is room for them.
    case adopt(ownerId: UUID, Set<LocalDay>)
    /// A day may not stay empty any more.
    case thaw(ownerId: UUID, LocalDay)
    /// The longest streak of a kind has so many days.
    case reach(ownerId: UUID, SessionKind, longestStreakDays: Int64)
}

/// Why a command to a practitioner is refused.
package enum PractitionerRefusal: Error, Sendable, Equatable, CaseIterable {
    /// The grace is longer than a night, or negative.
    case graceOutOfRange
    /// As many days near this one are frozen as may be.
    case freezesUsedUp
    /// The day is too long ago, or too far ahead.
    case freezeOutOfRange
}

extension Practitioner: Decider {
    package typealias Command = PractitionerCommand
    package typealias Event = ReportEvent
    package typealias State = Practitioner
    package typealias Refusal = PractitionerRefusal

    package static let initial = Practitioner()

    /// The category of the streams of practitioners.
    package static let category = "practitioner"

    /// The stream of one person.
    package static func stream(_ ownerId: UUID) -> StreamName { StreamName(category, ownerId) }

    package static func evolve(_ state: Practitioner, _ event: ReportEvent) -> Practitioner {
        var next = state
        switch event {
        case .graceChanged(_, let minutes): next.graceMinutes = minutes
        case .dayFrozen(_, let day): next.frozen.insert(day)
        case .dayThawed(_, let day): next.frozen.remove(day)
        case .milestoneReached(_, let kind, let days):
            next.milestones.insert(Milestone(kind: kind, streakDays: days))
        case .written, .recordingLearned, .failed, .deleted, .erased, .practiceCounted, .practiceWithdrawn,
            .practiceForgotten, .subjectErased:
            break
        case .goalSet, .goalMet, .goalMissed, .goalDropped, .reportShared, .shareRevoked, .uploadNoted, .export: break
        case .retentionLearned, .wording: break
        }
        return next
    }

    package static func decide(
        _ command: PractitionerCommand, _ state: Practitioner
    ) throws(PractitionerRefusal) -> [ReportEvent] {
        switch command {
        case .setGrace(let owner, let minutes):
            guard (0...longestGraceMinutes).contains(minutes) else { throw .graceOutOfRange }
            return minutes == state.graceMinutes ? [] : [.graceChanged(ownerId: owner, graceMinutes: minutes)]
        case .freeze(let owner, let day, let today): return try state.freeze(owner, day, today: today)
        case .adopt(let owner, let days): return state.adopt(owner, days)
        case .thaw(let owner, let day):
            return state.frozen.contains(day) ? [.dayThawed(ownerId: owner, day)] : []
        case .reach(let owner, let kind, let days):
            return Milestones.reached(by: days).filter {
                !state.milestones.contains(Milestone(kind: kind, streakDays: $0))
            }.map { .milestoneReached(ownerId: owner, kind, streakDays: $0) }
        }
    }

    private func freeze(
        _ owner: UUID, _ day: LocalDay, today: LocalDay
    ) throws(PractitionerRefusal) -> [ReportEvent] {
        if frozen.contains(day) { return [] }
        guard today - Self.frozenBack <= day, day <= today + Self.frozenAhead else { throw .freezeOutOfRange }
        guard hasRoom(for: day) else { throw .freezesUsedUp }
        return [.dayFrozen(ownerId: owner, day)]
    }

    /// The oldest days first: a streak that goes on from them is the longer one.
    private func adopt(_ owner: UUID, _ days: Set<LocalDay>) -> [ReportEvent] {
        var next = self
        var events: [ReportEvent] = []
        for day in days.subtracting(frozen).sorted() where next.hasRoom(for: day) {
            next.frozen.insert(day)
            events.append(.dayFrozen(ownerId: owner, day))
        }
        return events
    }

    /// Whether one more frozen day leaves no window with too many.
    private func hasRoom(for day: LocalDay) -> Bool {
        let days = (frozen.union([day])).sorted()
        // Only windows with the new day can be full: the others were not before.
        return !days.indices.contains { index in
            let other = index + Self.mostFreezes
            return other < days.count && days[other] - days[index] < Self.freezeWindow
        }
    }
}

extension Practitioner: Aggregate {
    /// What somebody changes is counted against the limit of the day. What comes with a device that is handed over is not: it is heard
    /// of and cannot be refused, and a device has frozen no more than may be.
    package static func rowCalls(
        for command: PractitionerCommand, _: Practitioner, _ events: [ReportEvent]
    ) -> [RowCall] {
        if events.isEmpty { return [] }
        return switch command {
        case .setGrace(let owner, _): [PractitionerRows.count(.grace, by: owner)]
        case .freeze(let owner, _, _), .thaw(let owner, _): [PractitionerRows.count(.freezes, by: owner)]
        case .adopt, .reach: []
        }
    }
}
