import Configuration
import Contracts
import EventSourcing
import EventSourcingTesting
import EventStore
import JSON
import Primitives
import Testing

@testable import sessions

private let f = Fixture.self

/// The states of a choice that rules tell apart.
enum RetentionState: CaseIterable {
    case untold, week, usedUp, none

    var given: Specification<MediaRetention> {
        switch self {
        case .untold: Specification([])
        case .week: Specification([f.retentionChosen])
        // Raised as often as may be within the last hour.
        case .usedUp:
            Specification(
                (1...Int64(MediaRetention.dayLimit)).map {
                    .retentionChosen(ownerId: f.owner, keepMediaDays: $0, chosenAt: f.start.adding(seconds: $0 * 60))
                })
        case .none:
            Specification([
                f.retentionChosen, .retentionChosen(ownerId: f.owner, keepMediaDays: 0, chosenAt: f.start),
            ])
        }
    }
}

@Suite("Every state of a choice about recordings and every command") struct MediaRetentionRuleTests {
    private static func choose(_ days: Int64, most: Int64 = 30, after seconds: Int64 = 3_600) -> MediaRetentionCommand {
        .choose(ownerId: f.owner, keepMediaDays: days, most: most, at: f.start.adding(seconds: seconds))
    }

    static let rules: [CommandRule<RetentionState, MediaRetention>] = [
        .init("keep nothing", choose(0), .nothing(in: .untold, .none), .gives("RetentionChosen")),
        .init("keep for a week", choose(7), .nothing(in: .week), .gives("RetentionChosen")),
        .init(
            "keep for as long as may be", choose(30), .refuses(.usedUp, in: .usedUp), .gives("RetentionChosen")),
        .init("keep for longer", choose(31), .refuses(.tooLong)),
        .init("keep for less than nothing", choose(-1), .refuses(.tooLong)),
        .init(
            "keep for a day where the operator allows none", choose(1, most: 0),
            .refuses(.tooLong, in: .untold, .none), .gives("RetentionChosen")),
        .init(
            "keep for longer a day after the first of many changes", choose(30, after: 60 + 86_400),
            .gives("RetentionChosen")),
        .init(
            "keep for longer just before that", choose(30, after: 59 + 86_400), .refuses(.usedUp, in: .usedUp),
            .gives("RetentionChosen")),
        .init("lost, and shown to be a week", limit(7), .gives("RetentionChosen", in: .usedUp), .nothing()),
        .init("lost, and shown to be nothing", limit(0), .nothing(in: .untold, .none), .gives("RetentionChosen")),
        .init("lost, and shown to be longer", limit(30), .nothing()),
        .init("shown to have been nothing before it was made", limit(0, after: -1), .nothing()),
    ]

    private static func limit(_ days: Int64, after seconds: Int64 = 3_600) -> MediaRetentionCommand {
        .limit(ownerId: f.owner, keepMediaDays: days, saidAt: f.start.adding(seconds: seconds))
    }

    @Test("stands against all that was said before it, however often that is heard")
    func restoredTwice() {
        let first = Specification<MediaRetention>([f.retentionChosen]).after([Self.limit(5, after: 10)])
        #expect(first.state.keepMediaDays == 5)
        // A smaller one that was shown later in the same restore.
        let limited = first.after(Self.limit(0, after: 20))
        #expect(limited.state.keepMediaDays == 0)
        // Chosen again; another restore hears what the first one had nothing to decide about.
        let again = limited.after(Self.choose(30, after: 40))
        #expect(again.state.keepMediaDays == 30)
        #expect(again.when(Self.limit(0, after: 30)) == .events([]))
        #expect(again.after(Self.limit(0, after: 50)).state.keepMediaDays == 0)
    }

    @Test("has the stated outcome", arguments: rules)
    func outcome(rule: CommandRule<RetentionState, MediaRetention>) { #expect(rule.violations(given: \.given) == []) }

    @Test("notes the choice where the clock finds it")
    func rows() {
        let calls = MediaRetention.rowCalls(for: Self.choose(7), .initial, [f.retentionChosen])
        #expect(calls.map(\.name) == ["choose_retention"])
        #expect(calls.first?.arguments["ownerId"] == .uuid(f.owner) && calls.first?.arguments["days"] == 7)
    }

    @Test("counts within the operator's limit and the kind's, at the moment of the ending")
    func periods() {
        let settings = RetentionSettings(Environment(["MEDIA_RETENTION_MAX_DAYS": "14"]))
        func days(_ chosen: Int64, _ limit: Int64?) -> Duration {
            let period = settings.period(of: chosen, limit: limit, since: f.start)
            return period.until - period.since
        }
        #expect(days(7, nil) == .seconds(7 * 86_400))
        #expect(days(30, nil) == .seconds(14 * 86_400))
        #expect(days(30, 3) == .seconds(3 * 86_400))
        #expect(days(7, 0) == .zero)
    }
}

/// What becomes of a recording's bytes.
@Suite("The bytes of a completed session") struct KeptMediaRowTests {
    @Test("go with the ending when nothing was chosen, and are kept until a moment when something was")
    func completion() {
        #expect(Session.rowCalls(for: f.ready, .initial, [f.completed]).map(\.name) == ["discard_purpose"])
        let kept = Session.rowCalls(for: f.kept, .initial, [f.completed, f.mediaKept])
        #expect(kept.map(\.name) == ["keep_object_until"])
        #expect(kept.first?.arguments == ["key": .string(f.sealed.key), "until": .time(f.period.until)])
    }

    @Test(
        "go when their time is over, and with every other ending",
        arguments: [
            f.mediaRemoved, f.failed, f.cancelled, f.expired, f.deleted,
        ])
    func removal(event: SessionEvent) {
        let calls = Session.rowCalls(for: .cancel(by: f.owner), .initial, [event])
        #expect(calls.map(\.name) == ["discard_purpose"])
        #expect(calls.first?.arguments["purpose"] == .string(SessionObjects.purpose(f.id)))
    }

    @Test("are not kept once more when they were removed before a restore, and stay until the work on them has ended")
    func removedBefore() {
        let removed = f.analyzing.after(.limitMedia(until: .epoch, at: f.deadline))
        #expect(removed.history.last == f.mediaRemoved)
        #expect(removed.when(f.kept) == .events([f.completed]))
        #expect(f.analyzing.when(f.kept) == .events([f.completed, f.mediaKept]))
        let command = SessionCommand.limitMedia(until: .epoch, at: f.deadline)
        #expect(Session.rowCalls(for: command, f.analyzing.state, [f.mediaRemoved]).isEmpty)
        #expect(Session.rowCalls(for: f.kept, removed.state, [f.completed]).map(\.name) == ["discard_purpose"])
    }

    @Test("have the hash of what was sealed, when sealing changed them")
    func sealedHash() throws {
        let hash = String(repeating: "cd", count: 32)
        let command = SessionCommand.finalize(
            by: f.owner, uploaded: "uploads/1", sealed: "sealed/1", sha256: hash, deadline: f.deadline)
        #expect(
            f.uploaded.when(command)
                == .events([
                    .uploadFinalized(
                        f.session, f.media("sealed/1", hash: hash), maxDurationSeconds: 60, deadline: f.deadline)
                ]))
    }
}
