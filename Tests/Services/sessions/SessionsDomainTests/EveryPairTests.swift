import Contracts
import EventSourcing
import EventSourcingTesting
import Primitives
import Testing

@testable import sessions

/// The stated outcome of every command in every state, so that no pair is left to chance.
@Suite("Every state and every command") struct EveryPairTests {
    private static let f = Fixture.self

    /// The states, in the order of the columns of ``table``.
    static let states: [(name: String, story: Story)] = [
        ("absent", f.absent), ("queued", f.queued), ("open", f.open), ("uploaded", f.uploaded),
        ("processing", f.processing), ("analysing", f.analysing),
        ("complete", Story(f.analysing.history + [f.completed])),
        ("failed", Story(f.analysing.history + [f.failed])),
        ("cancelled", Story(f.open.history + [f.cancelled])), ("expired", Story(f.open.history + [f.expired])),
        ("refused", Story(f.queued.history + [f.refused])),
        ("declined", Story(f.queued.history + [f.refused, f.declined])),
        ("deleted", Story(f.open.history + [f.cancelled, f.deleted])),
        ("erased", Story(f.open.history + [f.erased])), ("subject", Story([f.subjectErased])),
    ]

    /// `-` for nothing, a name for an event, `!` before the code of a refusal; a last word stands for all the rest.
    static let table: [(name: String, command: SessionCommand, outcomes: String)] = [
        // Messages of other services.
        ("QuotaReserved", f.reserved, "- SessionAdmitted - - - - - - - - ReservationDeclined -"),
        (
            "QuotaReserved of several windows", f.reservedInWindows,
            "- SessionAdmitted - - - - - - - - ReservationDeclined -"
        ),
        ("QuotaRefused", f.denied, "- SessionRefused -"),
        ("AnalysisStarted, first attempt", f.start(1), "- - - - AnalysisStarted -"),
        ("AnalysisStarted, same attempt", f.start(2), "- - - - AnalysisStarted -"),
        ("AnalysisStarted, next attempt", f.start(3), "- - - - AnalysisStarted AnalysisStarted -"),
        ("AnalysisProgressed, old attempt", f.progress(1, 90), "- - - - AnalysisProgressed -"),
        ("AnalysisProgressed, repeated", f.progress(2, 40), "- - - - AnalysisProgressed -"),
        ("AnalysisProgressed, further", f.progress(2, 60), "- - - - AnalysisProgressed AnalysisProgressed -"),
        ("AnalysisProgressed, next attempt", f.progress(3, 5), "- - - - AnalysisProgressed AnalysisProgressed -"),
        ("AnalysisFailed", f.noAnalysis, "- SessionFailed SessionFailed SessionFailed SessionFailed SessionFailed -"),
        (
            "ReportReady", f.ready,
            "- SessionCompleted SessionCompleted SessionCompleted SessionCompleted SessionCompleted -"
        ),
        ("ReportFailed", f.noReport, "- SessionFailed SessionFailed SessionFailed SessionFailed SessionFailed -"),
        // The clock.
        ("expire, too early", .expire(at: f.expiry - .microseconds(1)), "-"),
        ("expire", .expire(at: f.expiry), "- SessionExpired SessionExpired SessionExpired -"),
        ("fail overdue, too early", .failOverdue(at: f.deadline - .microseconds(1)), "-"),
        ("fail overdue", .failOverdue(at: f.deadline), "- - - - SessionFailed SessionFailed -"),
        // The owner.
        (
            "create again", f.create,
            "SessionCreated - - - !idempotency-key-reused"
        ),
        (
            "upload", .storeUpload(by: f.owner, f.upload),
            "!session-unknown !session-queued UploadStored - !upload-sealed !upload-sealed !session-ended "
                + "!session-ended !session-ended !session-ended !session-ended !session-ended !session-unknown"
        ),
        (
            "finalize", f.finalize,
            "!session-unknown !upload-missing !upload-missing UploadFinalized - - - - !session-ended !session-ended "
                + "!session-ended !session-ended !session-unknown"
        ),
        (
            "cancel", .cancel(by: f.owner),
            "!session-unknown SessionCancelled SessionCancelled SessionCancelled SessionCancelled SessionCancelled "
                + "!session-ended !session-ended - !session-ended !session-ended !session-ended !session-unknown"
        ),
        (
            "give way", .giveWay(by: f.owner, to: f.other),
            "!session-unknown SessionCancelled SessionCancelled SessionCancelled SessionCancelled SessionCancelled "
                + "- - - - - - !session-unknown"
        ),
        (
            "delete", .delete(by: f.owner),
            "!session-unknown SessionCancelled+SessionDeleted SessionCancelled+SessionDeleted "
                + "SessionCancelled+SessionDeleted SessionCancelled+SessionDeleted SessionCancelled+SessionDeleted "
                + "SessionDeleted SessionDeleted SessionDeleted SessionDeleted SessionDeleted SessionDeleted "
                + "!session-unknown"
        ),
        ("a stranger uploads", .storeUpload(by: f.other, f.upload), "!session-unknown"),
        (
            "a stranger finalizes",
            .finalize(by: f.other, uploaded: "uploads/1", sealed: "sealed/1", deadline: f.deadline), "!session-unknown"
        ),
        ("a stranger cancels", .cancel(by: f.other), "!session-unknown"),
        ("a stranger replaces", .giveWay(by: f.other, to: f.id), "!session-unknown"),
        ("a stranger deletes", .delete(by: f.other), "!session-unknown"),
        // Erasure.
        (
            "erase", .erase,
            "- SessionErased SessionErased SessionErased SessionErased SessionErased SessionErased SessionErased "
                + "SessionErased SessionErased SessionErased SessionErased -"
        ),
        (
            "record the erasure", .recordErasure(subject: f.owner, removed: .init(rows: 3, objects: 1)),
            "SubjectErased -"
        ),
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

    @Test("answers a repetition of what changed something with nothing or a refusal")
    func repeated() {
        for (name, command, _) in Self.table {
            for (state, story) in Self.states {
                guard case .events(let events) = story.when(command), !events.isEmpty else { continue }
                if case .events(let again) = story.after(command).when(command) {
                    #expect(again.isEmpty, "\(name) twice when \(state)")
                }
            }
        }
    }

    @Test("ends a session at most once, whatever two commands come in whatever order")
    func oneEnding() {
        for (_, story) in Self.states.prefix(6) {
            for (first, one, _) in Self.table {
                for (second, two, _) in Self.table {
                    let endings = story.after([one, two]).history.filter(isEnding)
                    #expect(endings.count <= 1, "\(first), then \(second)")
                }
            }
        }
    }

    private func isEnding(_ event: SessionEvent) -> Bool {
        switch event {
        case .completed, .failed, .cancelled, .expired, .refused: true
        default: false
        }
    }

    private func describe(_ outcome: Outcome<SessionEvent, SessionRefusal>) -> String {
        switch outcome {
        case .events([]): "-"
        case .events(let events): events.map(\.type.name).joined(separator: "+")
        case .refusal(let refusal): "!\(refusal.rawValue)"
        }
    }
}
