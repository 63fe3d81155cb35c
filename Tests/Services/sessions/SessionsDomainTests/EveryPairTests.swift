import Contracts
import EventSourcing
import EventSourcingTesting
import Primitives
import Testing

@testable import sessions

/// The states of a session that rules tell apart.
enum SessionState: CaseIterable {
    case absent, queued, open, uploaded, processing, analyzing, complete, failed, cancelled, expired, refused, declined,
        deleted, erased, subject, kept

    /// The history that leads to it.
    var given: Given {
        let f = Fixture.self
        return switch self {
        case .absent: f.absent
        case .queued: f.queued
        case .open: f.open
        case .uploaded: f.uploaded
        case .processing: f.processing
        case .analyzing: f.analyzing
        case .complete: Given(f.analyzing.history + [f.completed])
        case .failed: Given(f.analyzing.history + [f.failed])
        case .cancelled: Given(f.open.history + [f.cancelled])
        case .expired: Given(f.open.history + [f.expired])
        case .refused: Given(f.queued.history + [f.refused])
        case .declined: Given(f.queued.history + [f.refused, f.declined])
        case .deleted: Given(f.open.history + [f.cancelled, f.deleted])
        case .erased: Given(f.open.history + [f.erased])
        case .subject: Given([f.subjectErased])
        case .kept: Given(f.analyzing.history + [f.completed, f.mediaKept])
        }
    }
}

/// The stated outcome of every command in every state, so that no pair is left to chance.
@Suite("Every state and every command") struct EveryPairTests {
    private static let f = Fixture.self

    static let rules: [CommandRule<SessionState, Session>] = [
        // Messages of other services.
        .init(
            "QuotaReserved", f.reserved, .gives("SessionAdmitted", in: .queued),
            .gives("ReservationDeclined", in: .refused), .nothing()),
        .init(
            "QuotaReserved of several windows", f.reservedInWindows, .gives("SessionAdmitted", in: .queued),
            .gives("ReservationDeclined", in: .refused), .nothing()),
        .init("QuotaRefused", f.denied, .gives("SessionRefused", in: .queued), .nothing()),
        .init("AnalysisStarted, first attempt", f.start(1), .gives("AnalysisStarted", in: .processing), .nothing()),
        .init("AnalysisStarted, same attempt", f.start(2), .gives("AnalysisStarted", in: .processing), .nothing()),
        .init(
            "AnalysisStarted, next attempt", f.start(3), .gives("AnalysisStarted", in: .processing, .analyzing),
            .nothing()),
        .init(
            "AnalysisProgressed, old attempt", f.progress(1, 90), .gives("AnalysisProgressed", in: .processing),
            .nothing()),
        .init(
            "AnalysisProgressed, repeated", f.progress(2, 40), .gives("AnalysisProgressed", in: .processing), .nothing()
        ),
        .init(
            "AnalysisProgressed, further", f.progress(2, 60), .gives("AnalysisProgressed", in: .processing, .analyzing),
            .nothing()),
        .init(
            "AnalysisProgressed, next attempt", f.progress(3, 5),
            .gives("AnalysisProgressed", in: .processing, .analyzing), .nothing()),
        .init(
            "AnalysisFailed", f.noAnalysis,
            .gives("SessionFailed", in: .queued, .open, .uploaded, .processing, .analyzing), .nothing()),
        .init(
            "ReportReady", f.ready, .gives("SessionCompleted", in: .queued, .open, .uploaded, .processing, .analyzing),
            .nothing()),
        .init(
            "ReportReady, and the recording is kept", f.kept,
            .gives("SessionCompleted", "MediaKept", in: .processing, .analyzing),
            // There is none that could be.
            .gives("SessionCompleted", in: .queued, .open, .uploaded), .nothing()),
        .init(
            "ReportFailed", f.noReport, .gives("SessionFailed", in: .queued, .open, .uploaded, .processing, .analyzing),
            .nothing()),
        // The clock.
        .init("expire, too early", .expire(at: f.expiry - .microseconds(1)), .nothing()),
        .init("expire", .expire(at: f.expiry), .gives("SessionExpired", in: .queued, .open, .uploaded), .nothing()),
        .init("fail overdue, too early", .failOverdue(at: f.deadline - .microseconds(1)), .nothing()),
        .init(
            "fail overdue", .failOverdue(at: f.deadline), .gives("SessionFailed", in: .processing, .analyzing),
            .nothing()),
        .init(
            "limit the recording to more than it is kept",
            .limitMedia(until: f.period.until.adding(seconds: 1), at: f.period.since), .nothing()),
        .init(
            "limit the recording", .limitMedia(until: f.period.until - .microseconds(1), at: f.period.since),
            .gives("MediaKept", in: .kept), .nothing()),
        .init(
            "limit the recording to a moment that is over", .limitMedia(until: f.period.since, at: f.period.since),
            // Of one that is not completed: a restore has undone that.
            .gives("MediaRemoved", in: .kept, .processing, .analyzing), .nothing()),
        .init(
            "limit the recording when its own time is over",
            .limitMedia(until: f.period.until.adding(seconds: 1), at: f.period.until),
            .gives("MediaRemoved", in: .kept), .nothing()),
        // The owner.
        .init(
            "create again", f.create, .gives("SessionCreated", in: .absent), .nothing(in: .queued, .open, .uploaded),
            .refuses(.exists)),
        .init(
            "upload", .storeUpload(by: f.owner, f.upload), .refuses(.unknown, in: .absent, .deleted, .erased, .subject),
            .refuses(.notAdmitted, in: .queued), .gives("UploadStored", in: .open), .nothing(in: .uploaded),
            .refuses(.uploadSealed, in: .processing, .analyzing), .refuses(.ended)),
        .init(
            "finalize", f.finalize, .refuses(.uploadMissing, in: .queued, .open),
            .gives("UploadFinalized", in: .uploaded), .nothing(in: .processing, .analyzing, .complete, .failed, .kept),
            .refuses(.ended, in: .cancelled, .expired, .refused, .declined), .refuses(.unknown)),
        .init(
            "remove the bytes", .removeUpload(by: f.owner),
            .refuses(.unknown, in: .absent, .deleted, .erased, .subject), .gives("UploadRemoved", in: .uploaded),
            .gives("MediaRemoved", in: .kept), .nothing()),
        .init(
            "cancel", .cancel(by: f.owner), .refuses(.unknown, in: .absent, .deleted, .erased, .subject),
            .refuses(.ended, in: .complete, .failed, .expired, .refused, .declined, .kept), .nothing(in: .cancelled),
            .gives("SessionCancelled")),
        .init(
            "give way", .giveWay(by: f.owner, to: f.other),
            .refuses(.unknown, in: .absent, .deleted, .erased, .subject),
            .gives("SessionCancelled", in: .queued, .open, .uploaded, .processing, .analyzing), .nothing()),
        .init(
            "delete", .delete(by: f.owner), .refuses(.unknown, in: .absent, .deleted, .erased, .subject),
            .gives("SessionCancelled", "SessionDeleted", in: .queued, .open, .uploaded, .processing, .analyzing),
            .gives("SessionDeleted")),
        .init("a stranger uploads", .storeUpload(by: f.other, f.upload), .refuses(.unknown)),
        .init(
            "a stranger finalizes",
            .finalize(by: f.other, uploaded: "uploads/1", sealed: "sealed/1", deadline: f.deadline), .refuses(.unknown)),
        .init("a stranger cancels", .cancel(by: f.other), .refuses(.unknown)),
        .init("a stranger replaces", .giveWay(by: f.other, to: f.id), .refuses(.unknown)),
        .init("a stranger deletes", .delete(by: f.other), .refuses(.unknown)),
        // Erasure.
        .init("erase", .erase, .nothing(in: .absent, .deleted, .erased, .subject), .gives("SessionErased")),
        .init(
            "record the erasure", .recordErasure(subject: f.owner, removed: .init(rows: 3, objects: 1)),
            .gives("SubjectErased", in: .absent), .nothing()),
    ]

    @Test("has the stated outcome", arguments: rules)
    func outcome(rule: CommandRule<SessionState, Session>) { #expect(rule.violations(given: \.given) == []) }

    @Test("leads to each private event in some row")
    func everyEvent() {
        let withoutRow = eventsWithoutRow(Self.rules, of: "sessions")
        let ofLogged = eventsWithoutRow(LoggedSessionRuleTests.rules, of: "sessions")
        let ofHandovers = eventsWithoutRow(HandoverRuleTests.rules, of: "sessions")
        let ofChoices = eventsWithoutRow(MediaRetentionRuleTests.rules, of: "sessions")
        #expect(
            withoutRow.intersection(ofLogged).intersection(ofHandovers).intersection(ofChoices) == [])
    }

    @Test("answers a repetition of what changed something with nothing or a refusal")
    func repeated() {
        for rule in Self.rules {
            for state in SessionState.allCases {
                guard case .events(let events) = state.given.when(rule.command), !events.isEmpty else { continue }
                if case .events(let again) = state.given.after(rule.command).when(rule.command) {
                    #expect(again.isEmpty, "\(rule) twice when \(state)")
                }
            }
        }
    }

    @Test("ends a session at most once, whatever two commands come in whatever order")
    func oneEnding() {
        for state in SessionState.allCases.prefix(6) {
            for first in Self.rules {
                for second in Self.rules {
                    let endings = state.given.after([first.command, second.command]).history.filter(isEnding)
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
}
