package import Contracts
package import EventSourcing
package import Primitives

/// What came of one session, as far as the next decision needs it: its report or, of sessions that are only counted, those of one
/// local day together.
package enum Report: Sendable, Equatable {
    /// Nothing is known of it.
    case absent
    /// Something was heard of its session: how it was begun, which is nil as long as that is not known, and until when its recording
    /// is kept, when that came first.
    case awaited(ReportIdentity, Recording?, keptUntil: Timestamp? = nil)
    /// It is made, and a provider may word it before it is written.
    case waiting(WaitingReport)
    /// With the session as it was begun; nil as long as that is not known.
    case written(ReportIdentity, DocumentReference, recording: Recording?)
    case failed(ReportIdentity)
    /// Its session ended otherwise or was removed; perhaps before there was a report.
    case deleted(ReportIdentity)
    /// The sessions that count on one local day.
    case practised(PractisedDay)
    /// It was removed with its owner, or this is the stream of an erased user.
    case gone

    /// Which report it is; nil before anything is known and after it is gone.
    package var identity: ReportIdentity? {
        switch self {
        case .awaited(let report, _, _), .written(let report, _, _), .failed(let report), .deleted(let report): report
        case .waiting(let waiting): waiting.report
        case .absent, .practised, .gone: nil
        }
    }
}

extension Report {
    package typealias Command = ReportCommand
    package typealias Event = ReportEvent
    package typealias Refusal = Never

    package static var initial: Report { .absent }

    /// The category of the streams of reports.
    package static let category = "report"

    /// The stream of the report of a session.
    package static func stream(_ sessionId: UUID) -> StreamName { StreamName(category, sessionId) }

    package static func evolve(_ state: Report, _ event: ReportEvent) -> Report {
        switch event {
        case .written(let report, let document, _, _, _, let recording):
            .written(report, document, recording: recording)
        case .recordingLearned(let report, let recording): state.learning(report, recording)
        case .failed(let report, _): .failed(report)
        case .deleted(let report, _, _): .deleted(report)
        case .practiceCounted(let day, let session, let time):
            .practised(state.practised(on: day).counting(session, time))
        case .practiceWithdrawn(let day, let session): .practised(state.practised(on: day).counting(session, nil))
        // These are a person's own: see ``Practitioner``.
        case .graceChanged, .dayFrozen, .dayThawed, .milestoneReached: state
        case .erased, .practiceForgotten, .subjectErased: .gone
        case .goalSet, .goalMet, .goalMissed, .goalDropped, .reportShared, .shareRevoked, .uploadNoted, .export: state
        case .wording(let event): state.evolving(event)
        case .retentionLearned(let report, let until): state.learning(report, keptUntil: until)
        }
    }
}
