package import Contracts
package import JSON
package import Primitives
import Projections

/// A row of `practitioners`: what somebody has chosen, and the milestones of their streaks.
package struct PractitionerRow: Sendable, Equatable {
    /// A milestone that was reached.
    package struct Milestone: Sendable, Equatable {
        package var kind: SessionKind
        package var streakDays: Int64
        package var reachedAt: Timestamp
    }

    package var ownerId: UUID
    package var graceMinutes: Int64 = Practitioner.defaultGraceMinutes
    /// The oldest first.
    package var frozenDays: [LocalDay] = []
    /// In the order in which they were reached.
    package var milestones: [Milestone] = []
    /// When the newest event was recorded.
    package var updatedAt: Timestamp
}

/// The row as the table has it.
extension PractitionerRow: TableRow {
    package static let columns = ["owner_id", "grace_minutes", "frozen_days", "milestones", "updated_at"]

    package init(_ columns: JSONObject) throws(JSONError) {
        ownerId = try columns.uuid("owner_id")
        graceMinutes = try columns.int("grace_minutes")
        frozenDays = try columns.array("frozen_days").compactMap { $0.stringValue.flatMap { LocalDay($0) } }
        var milestones: [Milestone] = []
        for value in try columns.array("milestones") {
            guard let milestone = value.objectValue else {
                throw JSONError(.type, at: "milestones", "must be an array of objects")
            }
            milestones.append(
                Milestone(
                    kind: try milestone.code("kind"), streakDays: try milestone.int("streakDays"),
                    reachedAt: try milestone.timestamp("reachedAt")))
        }
        self.milestones = milestones
        updatedAt = try columns.timestamp("updated_at")
    }

    package var values: JSONObject {
        [
            "owner_id": .uuid(ownerId), "grace_minutes": .int(graceMinutes),
            "frozen_days": .array(frozenDays.map { .string($0.description) }),
            "milestones": .array(
                milestones.map {
                    ["kind": $0.kind.json, "streakDays": .int($0.streakDays), "reachedAt": .time($0.reachedAt)]
                }),
            "updated_at": .time(updatedAt),
        ]
    }
}

/// The fold of the service's own log into `practitioners`; the same functions live and in a rebuild.
package enum PractitionerProjection: ReadModel {
    package static let name = "practitioners"

    package static func keys(of event: ReportEvent) -> [UUID] { event.practitioner.map { [$0] } ?? [] }

    package static func evolve(
        _ row: PractitionerRow?, _ event: ReportEvent, key: UUID, recordedAt: Timestamp
    ) -> PractitionerRow? {
        var next = row ?? PractitionerRow(ownerId: key, updatedAt: recordedAt)
        next.updatedAt = recordedAt
        switch event {
        case .graceChanged(_, let minutes): next.graceMinutes = minutes
        case .dayFrozen(_, let day): next.frozenDays = (next.frozenDays.filter { $0 != day } + [day]).sorted()
        case .dayThawed(_, let day): next.frozenDays.removeAll { $0 == day }
        case .milestoneReached(_, let kind, let days):
            next.milestones.append(PractitionerRow.Milestone(kind: kind, streakDays: days, reachedAt: recordedAt))
        case .subjectErased: return nil
        case .written, .recordingLearned, .failed, .deleted, .erased, .practiceCounted, .practiceWithdrawn,
            .practiceForgotten:
            return row
        case .goalSet, .goalMet, .goalMissed, .goalDropped, .reportShared, .shareRevoked, .uploadNoted, .export,
            .wording:
            return row
        case .retentionLearned: return row
        }
        return next
    }
}
