import Contracts
import EventSourcing
import EventSourcingTesting
import JSON
import Testing

@testable import reporting

/// The stated outcome of every command in every state: early, late, repeated and contradicting ones among them.
@Suite("Every state of a report and every command") struct ReportRuleTests {
    private static let f = Fixture.self

    static let states: [(name: String, story: Story)] = [
        ("absent", Story([])), ("written", Story([f.written])), ("failed", Story([f.failed])),
        ("deleted", Story([f.written, f.deleted])), ("deleted early", Story([f.deletedEarly])),
        ("erased", Story([f.written, f.erased])), ("subject", Story([f.subjectErased])),
    ]

    /// `-` for nothing, a name for an event; a last word stands for all the rest.
    static let table: [(name: String, command: ReportCommand, outcomes: String)] = [
        ("write", .write(f.report, document: f.document, f.summary, content: [:]), "ReportWritten -"),
        ("write another", .write(f.report, document: f.otherDocument, f.emptySummary, content: [:]), "ReportWritten -"),
        ("fail", .fail(f.report, .reportMissing), "ReportFailed -"),
        ("discard, cancelled", .discard(f.report, .cancelled), "ReportDeleted ReportDeleted -"),
        ("discard, failed", .discard(f.report, .failed), "ReportDeleted ReportDeleted -"),
        ("discard, expired", .discard(f.report, .expired), "ReportDeleted ReportDeleted -"),
        ("discard, deleted", .discard(f.report, .deleted), "ReportDeleted ReportDeleted -"),
        ("erase", .erase, "- ReportErased ReportErased ReportErased ReportErased -"),
        ("record the erasure", .recordErasure(subject: f.owner, removed: f.removed), "SubjectErased -"),
    ]

    @Test("has the stated outcome", arguments: table.indices)
    func outcome(row: Int) {
        let (name, command, text) = Self.table[row]
        let outcomes = text.split(separator: " ").map(String.init)
        for (column, state) in Self.states.enumerated() {
            let expected = column < outcomes.count ? outcomes[column] : outcomes[outcomes.count - 1]
            #expect(describe(state.story.when(command)) == expected, "\(name) when \(state.name)")
        }
    }

    @Test("announces a report at most once, and never one of a session that had ended before")
    func oneReport() {
        for (first, one, _) in Self.table {
            for (second, two, _) in Self.table {
                for (third, three, _) in Self.table {
                    let history = Story([]).after([one, two, three]).history
                    let names = history.compactMap { PublishedByReporting.outgoing(for: $0)?.type.name }
                    let story = "\(first), then \(second), then \(third)"
                    #expect(names.count { $0 == "ReportReady" || $0 == "ReportFailed" } <= 1, "\(story)")
                    if let ready = names.firstIndex(of: "ReportReady"),
                        let deleted = names.firstIndex(of: "ReportDeleted")
                    {
                        #expect(ready < deleted, "\(story)")
                    }
                }
            }
        }
    }

    @Test("has one id for a session's report, whoever asks")
    func identity() {
        let same = ReportIdentity(sessionId: Self.f.id, ownerId: Self.f.id)
        #expect(Self.f.report.reportId == same.reportId)
        #expect(Self.f.report.reportId != ReportIdentity(sessionId: Self.f.owner, ownerId: Self.f.id).reportId)
    }

    private func describe(_ outcome: Outcome<ReportEvent, Never>) -> String {
        switch outcome {
        case .events([]): "-"
        case .events(let events): events.map(\.type.name).joined(separator: "+")
        }
    }
}
