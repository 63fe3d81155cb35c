import Contracts
import EventSourcing
import EventSourcingTesting
import EventStore
import History
import JSON
import Primitives
import Providers
import ServiceKit
import Testing

@testable import reporting

private let f = Fixture.self

@Suite("A report that a provider may word") struct WordingRuleTests {
    private func calls(_ command: WordingCommand, after events: ReportEvent...) -> [String] {
        let given = Given(events)
        guard case .events(let decided) = given.when(.wording(command)) else { return [] }
        return told(Report.rowCalls(for: .wording(command), given.state, decided))
    }

    @Test("is written with the figures that belong to its words, and with what was learned while it waited")
    func written() {
        let given = Given([f.drafted, f.asked, f.learned, f.kept])
        #expect(
            given.when(.wording(.adopt(f.report, f.answer, f.wordedBasis, content: [:])))
                == .events([
                    .wording(.callEnded(f.report, f.answer)),
                    .written(f.report, f.document, f.summary, f.wording, f.wordedBasis, f.recording),
                    f.kept,
                ]))
        #expect(
            given.when(.wording(.giveUp(f.report, now: f.giveUpAt, content: [:])))
                == .events([.written(f.report, f.document, f.summary, f.wording, f.basis, f.recording), f.kept]))
    }

    @Test("keeps its content beside the log as long as it waits, and no longer")
    func rows() {
        let content: JSONObject = ["durationSec": 28]
        #expect(calls(.draft(f.report, f.draft, content: content)) == told([DraftRows.keep(f.report, content)]))
        let writing = told([ReportRows.write(f.report, content), DraftRows.drop(f.report)])
        #expect(calls(.giveUp(f.report, now: f.start, content: content), after: f.drafted) == writing)
        let settled = Spending.settle(f.call(), of: f.owner, cost: 210)
        #expect(
            calls(.adopt(f.report, f.answer, f.basis, content: content), after: f.drafted, f.asked)
                == told([settled] + [ProviderHealth.note(f.answer, of: f.call())].compactMap(\.self)) + writing)
        let waiting = Given([f.drafted])
        guard case .events(let deleted) = waiting.when(.discard(f.report, .deleted)) else { return }
        let dropped = Report.rowCalls(for: .discard(f.report, .deleted), waiting.state, deleted)
        #expect(told(dropped) == told([DraftRows.drop(f.report)]))
    }

    @Test("is not sent without a consent to both kinds of data, and nobody else looks at it meanwhile")
    func consent() {
        #expect(
            calls(.begin(f.report, f.call(), giveUpAt: f.giveUpAt), after: f.drafted)
                == told([
                    ConsentRows.require(f.scope, [.transcript, .measures], of: f.owner),
                    DraftRows.postpone(f.report, until: f.giveUpAt),
                ]))
    }

    @Test("tells nobody of itself before it is written")
    func published() {
        for event in [f.drafted, f.asked, f.unanswered] { #expect(PublishedByReporting.outgoing(for: event) == nil) }
        let events = Given([f.drafted, f.asked]).after(.wording(.adopt(f.report, f.answer, f.basis, content: [:])))
        #expect(events.history.compactMap { PublishedByReporting.outgoing(for: $0)?.type.name } == ["ReportReady"])
    }

    @Test("has no sentence in an event, whoever made it")
    func noWords() {
        for event in [f.drafted, f.asked, f.paid] {
            let text = JSONValue.object(event.data).text
            #expect(!text.contains("sentence") && !text.contains("transcript"))
        }
    }

    @Test("is decided by a replay as it was, from the log alone: nobody is asked again")
    func replayed() throws {
        let begin = WordingCommand.begin(f.report, f.call(), giveUpAt: f.giveUpAt)
        let other = WordingCommand.begin(f.report, f.call(f.otherScope), giveUpAt: f.giveUpAt)
        let paths: [[WordingCommand]] = [
            [begin, .adopt(f.report, f.answer, f.wordedBasis, content: [:])],
            [begin, .end(f.report, f.noAnswer), other, .giveUp(f.report, now: f.giveUpAt, content: [:])],
            [begin, .end(f.report, f.paidInVain), .giveUp(f.report, now: f.start, content: [:])],
            [begin, .giveUp(f.report, now: f.giveUpAt, content: [:])],
            [.giveUp(f.report, now: f.start, content: [:])],
        ]
        for path in paths {
            let replay = AggregateHistory(
                Report.self, categories: [Report.category], command: { ReportCommand.recalled($0, $1) }
            ).open()
            var given = Given([f.drafted])
            try replay.apply(recorded(f.drafted))
            for command in path {
                guard case .events(let events) = given.when(.wording(command)), !events.isEmpty else {
                    Issue.record("\(command) decides nothing.")
                    return
                }
                #expect(try replay.judge(events.map(recorded), answering: nil) == .same, "\(command)")
                for event in events { try replay.apply(recorded(event)) }
                given = Given(given.history + events)
            }
        }
        let finding = AnalysisFinding(recalledFrom: f.drafted)
        #expect(finding == .draft(.init(summary: f.summary, wording: f.wording, basis: f.basis), content: [:]))
    }

    /// An event as the log has it, late enough for every answer to be given up.
    private func recorded(_ event: ReportEvent) -> RecordedEvent {
        RecordedEvent(
            position: 1, stream: Report.stream(f.id), version: 1, id: .v7(), type: event.type,
            data: JSONValue.object(event.data).bytes,
            metadata: EventMetadata(owner: f.owner, correlation: f.id, actor: "test"),
            recordedAt: f.giveUpAt)
    }
}

/// Calls as they are compared: names and arguments.
private func told(_ calls: [RowCall]) -> [String] {
    calls.map { "\($0.name) \(JSONValue.object($0.arguments).text)" }
}
