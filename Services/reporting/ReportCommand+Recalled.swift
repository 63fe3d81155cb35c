import Contracts
import EventSourcing
import History
import JSON

extension ReportCommand {
    /// What was asked without a message, told from what followed.
    static func recalled(_ record: DecisionRecord<ReportEvent>, _ state: Report) -> ReportCommand? {
        if case .waiting = state, let command = wording(record) { return .wording(command) }
        // What a report was waited for with follows its writing.
        return switch record.events.first {
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
        // Of a report that is made: the message that told of its document.
        case .wording: nil
        case .retentionLearned(let report, let until): .learnRetention(report, until: until)
        }
    }

    /// The same of a report that waits for sentences; which they were, no event says.
    private static func wording(_ record: DecisionRecord<ReportEvent>) -> WordingCommand? {
        switch record.events.first {
        case .wording(.callBegun(let report, let call, let giveUpAt)): return .begin(report, call, giveUpAt: giveUpAt)
        case .wording(.callEnded(let report, let outcome)):
            guard record.events.count > 1, case .written(_, _, _, _, let basis, _) = record.events[1] else {
                return .end(report, outcome)
            }
            return .adopt(report, outcome, basis, content: [:])
        case .written(let report, _, _, _, _, _):
            return .giveUp(report, now: record.recorded.recordedAt, content: [:])
        default: return nil
        }
    }
}
