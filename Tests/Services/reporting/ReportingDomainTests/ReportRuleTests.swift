import Contracts
import EventSourcing
import EventSourcingTesting
import JSON
import Testing

@testable import reporting

/// The states of a report that rules tell apart.
enum ReportState: CaseIterable {
    case absent, awaited, kept, awaitedKept, written, writtenPlaced, failed, deleted, deletedEarly, practised,
        withdrawn, erased,
        forgotten, subject, waiting, waitingKept, asking, unpaid, paid

    /// The history that leads to it.
    var given: Given {
        let f = Fixture.self
        return switch self {
        case .absent: Given([])
        case .awaited: Given([f.learned])
        case .kept: Given([f.kept])
        case .awaitedKept: Given([f.learned, f.kept])
        case .written: Given([f.written])
        case .writtenPlaced: Given([f.learned, f.writtenPlaced])
        case .failed: Given([f.failed])
        case .deleted: Given([f.written, f.deleted])
        case .deletedEarly: Given([f.deletedEarly])
        case .practised: Given([f.counted])
        case .withdrawn: Given([f.counted, f.withdrawn])
        case .erased: Given([f.written, f.erased])
        case .forgotten: Given([f.counted, f.forgotten])
        case .subject: Given([f.subjectErased])
        case .waiting: Given([f.drafted])
        case .waitingKept: Given([f.learned, f.kept, f.drafted])
        case .asking: Given([f.drafted, f.asked])
        case .unpaid: Given([f.drafted, f.asked, f.unanswered])
        case .paid: Given([f.drafted, f.asked, f.paid])
        }
    }
}

/// The stated outcome of every command in every state: early, late, repeated and contradicting ones among them.
@Suite("Every state of a report and every command") struct ReportRuleTests {
    private static let f = Fixture.self

    static let rules: [CommandRule<ReportState, Report>] =
        [
            .init(
                "write", .write(f.report, document: f.document, f.summary, f.wording, f.basis, content: [:]),
                .gives("ReportWritten", in: .absent, .awaited),
                .gives("ReportWritten", "RetentionLearned", in: .kept, .awaitedKept), .nothing()),
            .init(
                "write another", .write(f.report, document: f.otherDocument, f.emptySummary, nil, nil, content: [:]),
                .gives("ReportWritten", in: .absent, .awaited),
                .gives("ReportWritten", "RetentionLearned", in: .kept, .awaitedKept), .nothing()),
            .init(
                "fail", .fail(f.report, .reportMissing),
                .gives("ReportFailed", in: .absent, .awaited, .kept, .awaitedKept), .nothing()),
            .init(
                "learn of the session", .learn(f.report, f.recording),
                .gives("RecordingLearned", in: .absent, .kept, .written, .waiting, .asking, .unpaid, .paid),
                .nothing()),
            .init("note its upload", .noteUpload(f.report, sizeBytes: 7), .gives("UploadNoted")),
            .init(
                "learn until when the recording is kept", .learnRetention(f.report, until: f.start),
                .gives(
                    "RetentionLearned", in: .absent, .awaited, .written, .writtenPlaced, .waiting, .asking, .unpaid,
                    .paid),
                .nothing()),
            .init(
                "learn that the recording is gone", .learnRetention(f.report, until: nil),
                .gives("RetentionLearned", in: .kept, .awaitedKept, .written, .writtenPlaced, .waitingKept), .nothing()),
            .init(
                "discard, cancelled", .discard(f.report, .cancelled),
                .gives(
                    "ReportDeleted", in: .absent, .awaited, .kept, .awaitedKept, .written, .writtenPlaced, .waiting,
                    .waitingKept, .asking, .unpaid, .paid), .nothing()),
            .init(
                "discard, failed", .discard(f.report, .failed),
                .gives(
                    "ReportDeleted", in: .absent, .awaited, .kept, .awaitedKept, .written, .writtenPlaced, .waiting,
                    .waitingKept, .asking, .unpaid, .paid), .nothing()),
            .init(
                "discard, expired", .discard(f.report, .expired),
                .gives(
                    "ReportDeleted", in: .absent, .awaited, .kept, .awaitedKept, .written, .writtenPlaced, .waiting,
                    .waitingKept, .asking, .unpaid, .paid), .nothing()),
            .init(
                "discard, deleted", .discard(f.report, .deleted),
                .gives(
                    "ReportDeleted", in: .absent, .awaited, .kept, .awaitedKept, .written, .writtenPlaced, .waiting,
                    .waitingKept, .asking, .unpaid, .paid), .nothing()),
            .init(
                "count a session", .count(f.day, sessionId: f.id, f.time()),
                .gives("PracticeCounted", in: .absent, .withdrawn), .nothing()),
            .init(
                "count it otherwise", .count(f.day, sessionId: f.id, f.time(active: 900)),
                .gives("PracticeCounted", in: .absent, .practised, .withdrawn), .nothing()),
            .init(
                "count another one", .count(f.day, sessionId: f.owner, f.time()),
                .gives("PracticeCounted", in: .absent, .practised, .withdrawn), .nothing()),
            .init(
                "withdraw a session", .withdraw(f.day, sessionId: f.id), .gives("PracticeWithdrawn", in: .practised),
                .nothing()),
            .init("withdraw another one", .withdraw(f.day, sessionId: f.owner), .nothing()),
            .init(
                "erase", .erase, .nothing(in: .absent, .erased, .forgotten, .subject),
                .gives("PracticeForgotten", in: .practised, .withdrawn), .gives("ReportErased")),
            .init(
                "record the erasure", .recordErasure(subject: f.owner, removed: f.removed),
                .gives("SubjectErased", in: .absent), .nothing()),
        ] + wording

    /// What becomes of a report that a provider may word: it is asked once, nobody is asked behind a call that is paid or may be, and the
    /// report is written in any case.
    private static let wording: [CommandRule<ReportState, Report>] = [
        .init(
            "let it wait for sentences", .wording(.draft(f.report, f.draft, content: [:])),
            .gives("ReportDrafted", in: .absent, .awaited, .kept, .awaitedKept), .nothing()),
        .init(
            "ask a provider", .wording(.begin(f.report, f.call(), giveUpAt: f.giveUpAt)),
            .gives("ProviderCallBegun", in: .waiting, .waitingKept), .nothing()),
        .init(
            "ask another one", .wording(.begin(f.report, f.call(f.otherScope), giveUpAt: f.giveUpAt)),
            .gives("ProviderCallBegun", in: .waiting, .waitingKept, .unpaid), .nothing()),
        .init(
            "end a call with nothing", .wording(.end(f.report, f.noAnswer)), .gives("ProviderCalled", in: .asking),
            .nothing()),
        .init(
            "end a call of another provider", .wording(.end(f.report, f.came("cut", cost: 900, f.otherScope))),
            .nothing()),
        .init(
            "write it in a provider's words", .wording(.adopt(f.report, f.answer, f.wordedBasis, content: [:])),
            .gives("ProviderCalled", "ReportWritten", in: .asking), .nothing()),
        .init(
            "write it as it is", .wording(.giveUp(f.report, now: f.start, content: [:])),
            .gives("ReportWritten", in: .waiting, .unpaid, .paid),
            .gives("ReportWritten", "RetentionLearned", in: .waitingKept), .nothing()),
        .init(
            "write it as it is when an answer is late", .wording(.giveUp(f.report, now: f.giveUpAt, content: [:])),
            .gives("ReportWritten", in: .waiting, .asking, .unpaid, .paid),
            .gives("ReportWritten", "RetentionLearned", in: .waitingKept), .nothing()),
    ]

    @Test("has the stated outcome", arguments: rules)
    func outcome(rule: CommandRule<ReportState, Report>) { #expect(rule.violations(given: \.given) == []) }

    @Test("knows until when its recording is kept, whether it hears that before the report is there or after")
    func keptWhicheverComesFirst() {
        let write = ReportCommand.write(
            Self.f.report, document: Self.f.document, Self.f.summary, Self.f.wording, Self.f.basis, content: [:])
        let keep = ReportCommand.learnRetention(Self.f.report, until: Self.f.start)
        let learn = ReportCommand.learn(Self.f.report, Self.f.recording)
        func row(_ commands: [ReportCommand]) -> ReportHistoryRow? {
            Given([]).after(commands).history.reduce(nil) {
                ReportProjection.evolve($0, $1, key: Self.f.id, recordedAt: Self.f.start)
            }
        }
        let expected = row([learn, write, keep])
        #expect(expected?.keptUntil == Self.f.start)
        for order in [[learn, keep, write], [keep, learn, write], [keep, write, learn]] {
            #expect(row(order) == expected)
        }
        // Removed again before there was a report.
        #expect(row([keep, .learnRetention(Self.f.report, until: nil), write])?.keptUntil == nil)
    }

    @Test("leads to each private event in some row")
    func everyEvent() {
        let withoutRow = eventsWithoutRow(Self.rules, of: "reporting")
        let ofPeople = eventsWithoutRow(PractitionerRuleTests.rules, of: "reporting").intersection(
            eventsWithoutRow(GoalsRuleTests.rules, of: "reporting")
        ).intersection(eventsWithoutRow(ExportsRuleTests.rules, of: "reporting")).intersection(
            eventsWithoutRow(SharesRuleTests.rules, of: "reporting"))
        #expect(withoutRow.intersection(ofPeople) == [])
    }

    @Test("announces a report at most once, and never one of a session that had ended before")
    func oneReport() {
        for first in Self.rules {
            for second in Self.rules {
                for third in Self.rules {
                    let history = Given([]).after([first.command, second.command, third.command]).history
                    let names = history.compactMap { PublishedByReporting.outgoing(for: $0)?.type.name }
                    let order = "\(first), then \(second), then \(third)"
                    #expect(names.count { $0 == "ReportReady" || $0 == "ReportFailed" } <= 1, "\(order)")
                    if let ready = names.firstIndex(of: "ReportReady"),
                        let deleted = names.firstIndex(of: "ReportDeleted")
                    {
                        #expect(ready < deleted, "\(order)")
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
}
