import Contracts
import EventSourcing
import History
import JSON

extension ReportCommand {
    /// What was asked without a message, told from what followed.
    static func recalled(_ record: DecisionRecord<ReportEvent>, _: Report) -> ReportCommand? {
        // What a report was waited for with follows its writing.
        switch record.events.first {
        case .written(let report, let document, let summary, let wording, let basis, _):
            .write(report, document: document, summary, wording, basis, content: [:])
        case .recordingLearned(let report, let recording): .learn(report, recording)
        case .failed(let report, let code): .fail(report, code)
        case .erased: .erase
        case .subjectErased(let subject, let removed): .recordErasure(subject: subject, removed: removed)
        // A restore of sessions took its cause back.
        case .practiceWithdrawn(let day, let session): .withdraw(day, sessionId: session)
        case .practiceForgotten: .erase
        case .deleted, .practiceCounted, .graceChanged, .dayFrozen, .dayThawed, .milestoneReached, nil: nil
        case .uploadNoted(let report, let size): .noteUpload(report, sizeBytes: size)
        case .goalSet, .goalMet, .goalMissed, .goalDropped, .reportShared, .shareRevoked, .export: nil
        case .retentionLearned(let report, let until): .learnRetention(report, until: until)
        }
    }
}
