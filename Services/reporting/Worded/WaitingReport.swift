package import Contracts
import EventStore
package import Primitives
package import Providers
import ServiceKit

/// A report that is made and waits for sentences of a provider.
package struct WaitingReport: Sendable, Equatable {
    /// A provider that was asked.
    package struct Call: Sendable, Equatable {
        package var call: ProviderCall
        package var giveUpAt: Timestamp
        /// Nil while it is under way, and for good when whoever asked has died.
        package var outcome: ProviderCallOutcome?
    }

    package var report: ReportIdentity
    package var draft: ReportDraft
    /// The session as it was begun; nil as long as that is not known.
    package var recording: Recording?
    /// Until when its recording is kept, when that came first.
    package var keptUntil: Timestamp?
    /// The providers that were asked, each once.
    package var calls: [ConsentScope: Call] = [:]

    /// The call that is under way, or of which nobody knows what became of it.
    package var pending: Call? { calls.values.first { $0.outcome == nil } }

    /// Whether one more provider may be asked: all that was asked has ended, and has certainly cost nothing.
    package var mayAsk: Bool { calls.values.allSatisfy { $0.outcome?.costMicros == 0 && !$0.isAnswered } }

    /// The events that write it.
    func writing(_ basis: ReportBasis?) -> [ReportEvent] {
        [.written(report, draft.document, draft.summary, draft.wording, basis, recording)]
            // Until when the recording is kept belongs to the report that is there from now on.
            + (keptUntil.map { [.retentionLearned(report, until: $0)] } ?? [])
    }
}

extension WaitingReport.Call {
    fileprivate var isAnswered: Bool { outcome?.code == ProviderCallOutcome.answered }
}

/// The rules: a report is paid for once at most and written once, in whosever words, and never waits for good.
extension Report {
    func decide(_ command: WordingCommand) -> [ReportEvent] {
        switch command {
        case .draft(let report, let draft, _):
            switch self {
            case .absent, .awaited: return [.wording(.drafted(report, draft))]
            case .waiting, .written, .failed, .deleted, .practised, .gone: return []
            }
        case .begin(let report, let call, let giveUpAt):
            guard case .waiting(let waiting) = self, waiting.calls[call.scope] == nil, waiting.mayAsk else { return [] }
            return [.wording(.callBegun(report, call, giveUpAt: giveUpAt))]
        case .end(let report, let outcome):
            guard isPending(outcome) else { return [] }
            return [.wording(.callEnded(report, outcome))]
        case .adopt(let report, let outcome, let basis, _):
            guard case .waiting(let waiting) = self, isPending(outcome) else { return [] }
            return [.wording(.callEnded(report, outcome))] + waiting.writing(basis)
        case .giveUp(_, let now, _):
            guard case .waiting(let waiting) = self, waiting.pending.map({ now >= $0.giveUpAt }) ?? true else {
                return []
            }
            return waiting.writing(waiting.draft.basis)
        }
    }

    /// Whether a call is under way that this is the outcome of.
    private func isPending(_ outcome: ProviderCallOutcome) -> Bool {
        guard case .waiting(let waiting) = self, let call = waiting.calls[outcome.scope] else { return false }
        return call.outcome == nil
    }

    func evolving(_ event: WordingEvent) -> Report {
        switch (event, self) {
        case (.drafted(let report, let draft), .awaited(_, let recording, let until)):
            return .waiting(WaitingReport(report: report, draft: draft, recording: recording, keptUntil: until))
        case (.drafted(let report, let draft), _): return .waiting(WaitingReport(report: report, draft: draft))
        case (.callBegun(_, let call, let giveUpAt), .waiting(var waiting)):
            waiting.calls[call.scope] = WaitingReport.Call(call: call, giveUpAt: giveUpAt)
            return .waiting(waiting)
        case (.callEnded(_, let outcome), .waiting(var waiting)):
            waiting.calls[outcome.scope]?.outcome = outcome
            return .waiting(waiting)
        case (.callBegun, _), (.callEnded, _): return self
        }
    }

    /// The rows that go with such an event. Nothing is sent to a provider without a consent at that moment.
    func rowCalls(for event: WordingEvent, _ command: ReportCommand) -> [RowCall] {
        switch event {
        case .drafted(let report, _):
            guard case .wording(.draft(_, _, let content)) = command else { return [] }
            return [DraftRows.keep(report, content)]
        case .callBegun(let report, let call, let giveUpAt):
            return [
                ConsentRows.require(call.scope, call.scope.purpose.dataClasses, of: report.ownerId),
                DraftRows.postpone(report, until: giveUpAt),
            ]
        case .callEnded(let report, let outcome):
            guard case .waiting(let waiting) = self, let call = waiting.calls[outcome.scope]?.call else { return [] }
            return [Spending.settle(call, of: report.ownerId, cost: outcome.costMicros)]
                + [ProviderHealth.note(outcome, of: call)].compactMap(\.self)
        }
    }
}

extension WaitingReport {
    /// The state with a changed copy.
    func with(_ change: (inout WaitingReport) -> Void) -> Report {
        var changed = self
        change(&changed)
        return .waiting(changed)
    }
}
