package import Contracts
package import EventStore
import JSON

extension Report {
    /// Never refuses: all commands come from messages, and each has an outcome in every state.
    package static func decide(_ command: ReportCommand, _ state: Report) throws(Never) -> [ReportEvent] {
        switch command {
        // The first outcome stands: a second document, a late failure or a late report change nothing.
        case .write(let report, let document, let summary, let wording, let basis, _):
            switch state {
            case .absent: [.written(report, document, summary, wording, basis, nil)]
            // Until when the recording is kept belongs to the report that is there from now on.
            case .awaited(_, let recording, let until):
                [.written(report, document, summary, wording, basis, recording)]
                    + (until.map { [.retentionLearned(report, until: $0)] } ?? [])
            case .waiting, .written, .failed, .deleted, .practised, .gone: []
            }
        case .wording(let command): state.decide(command)
        case .fail(let report, let code): state.isOpen ? [.failed(report, code)] : []
        case .learn(let report, let recording): state.learn(report, recording)
        case .noteUpload(let report, let size): [.uploadNoted(report, sizeBytes: size)]
        case .discard(let report, let reason): state.discard(report, reason)
        case .count(let day, let session, let time): state.count(on: day, session, time)
        case .withdraw(let day, let session): state.withdraw(on: day, session)
        case .erase: state.forget()
        case .recordErasure(let subject, let removed): state == .absent ? [.subjectErased(subject, removed)] : []
        case .learnRetention(let report, let until): state.learn(report, keptUntil: until)
        }
    }

    private func forget() -> [ReportEvent] {
        if case .practised(let practised) = self { return [.practiceForgotten(practised.day)] }
        return identity.map { [.erased($0)] } ?? []
    }

    private func discard(_ report: ReportIdentity, _ reason: DiscardReason) -> [ReportEvent] {
        switch self {
        // Before the report was there: remembered, so that one that comes late is not written.
        case .absent, .awaited, .waiting: [.deleted(report, reason, wasWritten: false)]
        case .written: [.deleted(report, reason, wasWritten: true)]
        case .failed, .deleted, .practised, .gone: []
        }
    }
}

extension Report: Aggregate {
    /// The texts of a report come and go with it. Those of an erased owner go all at once when the erasure is done.
    package static func rowCalls(for command: ReportCommand, _ state: Report, _ events: [ReportEvent]) -> [RowCall] {
        var isWaiting = false
        if case .waiting = state { isWaiting = true }
        return events.flatMap { (event) -> [RowCall] in
            switch event {
            case .wording(let event): return state.rowCalls(for: event, command)
            case .written(let report, _, _, _, _, _):
                guard let content = command.content else { return [] }
                return [ReportRows.write(report, content)] + (isWaiting ? [DraftRows.drop(report)] : [])
            case .deleted(let report, _, wasWritten: true): return [ReportRows.delete(report)]
            case .deleted(let report, _, wasWritten: false): return isWaiting ? [DraftRows.drop(report)] : []
            case .recordingLearned, .failed, .erased, .practiceCounted, .practiceWithdrawn, .practiceForgotten,
                .graceChanged, .dayFrozen, .dayThawed, .milestoneReached, .subjectErased:
                return []
            case .goalSet, .goalMet, .goalMissed, .goalDropped, .reportShared, .shareRevoked, .uploadNoted, .export:
                return []
            case .retentionLearned: return []
            }
        }
    }
}

extension ReportCommand {
    /// The content of the report that it writes; nil for all that write none.
    fileprivate var content: JSONObject? {
        switch self {
        case .write(_, _, _, _, _, let content), .wording(.adopt(_, _, _, let content)),
            .wording(.giveUp(_, _, let content)):
            content
        default: nil
        }
    }
}

extension FailureCode {
    /// No report can be made of the document that analysis left.
    package static let reportUnreadable = FailureCode(rawValue: "report-unreadable")
    /// The document is not there or is another one than analysis said.
    package static let reportMissing = FailureCode(rawValue: "report-missing")
}
