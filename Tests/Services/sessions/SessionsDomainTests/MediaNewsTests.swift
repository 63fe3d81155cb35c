import Contracts
import EventSourcing
import EventSourcingTesting
import Primitives
import Testing

@testable import sessions

private let f = Fixture.self

/// What is heard of a recording after a restore, by the days that it shows.
@Suite("What a recording shows of its owner's choice") struct MediaNewsTests {
    private static let unfinished: [Session] = [f.absent, f.queued, f.open, f.processing, f.analyzing].map(\.state)
    private static let kept = Given(f.analyzing.history + [f.completed, f.mediaKept]).state

    private func limits(most: Int64 = 30, ofKind: Int64? = 30) -> MediaNews.Limits {
        MediaNews.Limits(most: most, ofKind: ofKind, day: .seconds(86_400))
    }

    /// A moment, in hours after the recording's session was completed.
    private func hour(_ hours: Int64) -> Timestamp { f.period.since.adding(seconds: hours * 3_600) }

    private func period(days: Int64) -> MediaPeriod { MediaPeriod(since: hour(0), until: hour(days * 24)) }

    private func removed(at moment: Timestamp, after period: MediaPeriod? = nil) -> MediaNews {
        MediaNews(until: nil, at: moment, after: period)
    }

    private func shortened(to until: Timestamp, at moment: Timestamp, after period: MediaPeriod? = nil) -> MediaNews {
        MediaNews(until: until, at: moment, after: period)
    }

    @Test("when it is kept here: how long it was kept, if its time was not over")
    func known() {
        #expect(Self.kept.daysShown(by: removed(at: hour(60)), within: limits()) == 2)
        #expect(Self.kept.daysShown(by: removed(at: f.period.until), within: limits()) == nil)
        #expect(Self.kept.daysShown(by: shortened(to: hour(5 * 24), at: hour(1)), within: limits()) == 5)
        #expect(Self.kept.daysShown(by: shortened(to: f.period.until, at: hour(0)), within: limits()) == nil)
        // The operator's limit explains it.
        #expect(Self.kept.daysShown(by: shortened(to: hour(5 * 24), at: hour(1)), within: limits(most: 5)) == nil)
        // Said before it was completed: of another completion, which a restore has undone.
        #expect(Self.kept.daysShown(by: removed(at: hour(-1)), within: limits()) == nil)
        #expect(Self.kept.daysShown(by: shortened(to: hour(24), at: hour(-1)), within: limits()) == nil)
    }

    @Test("when its completion is not known here: less than its kind and the operator allow", arguments: unfinished)
    func completedLater(state: Session) {
        // Said a little after it was decided.
        let week = shortened(to: hour(7 * 24) - .seconds(2), at: hour(0))
        #expect(state.daysShown(by: week, within: limits()) == 7)
        #expect(state.daysShown(by: week, within: limits(ofKind: 7)) == nil)
        #expect(state.daysShown(by: week, within: limits(ofKind: 3)) == nil)
        // Of a kind that is not known, any time can be its limit.
        #expect(state.daysShown(by: week, within: limits(ofKind: nil)) == nil)
        // Counted from its completion, not from when it was shortened.
        let later = shortened(to: hour(20 * 24), at: hour(10 * 24), after: period(days: 30))
        #expect(state.daysShown(by: later, within: limits()) == 20)
        // Longer than before: another completion, ten days after the first.
        let again = shortened(to: hour(17 * 24), at: hour(10 * 24), after: period(days: 14))
        #expect(state.daysShown(by: again, within: limits()) == 7)
    }

    @Test(
        "when it was removed and its completion is not known here: something only before its time",
        arguments: unfinished)
    func removedLater(state: Session) {
        let period = period(days: 7)
        #expect(state.daysShown(by: removed(at: hour(60), after: period), within: limits()) == 2)
        #expect(state.daysShown(by: removed(at: hour(60), after: period), within: limits(most: 2)) == nil)
        #expect(state.daysShown(by: removed(at: period.until, after: period), within: limits()) == nil)
        #expect(state.daysShown(by: removed(at: hour(60)), within: limits()) == nil)
    }

    @Test("nothing when its session ended otherwise, is gone or kept none")
    func others() {
        for event in [f.completed, f.failed, f.cancelled, f.deleted] {
            let state = Given(f.analyzing.history + [event]).state
            #expect(
                state.daysShown(by: removed(at: hour(60), after: period(days: 7)), within: limits()) == nil,
                "\(event.type)")
        }
    }

    @Test("concerns the recording that is worked on or kept here, when that was there already")
    func concerned() {
        let history = f.analyzing.history.map { DatedEvent($0, recordedAt: hour(0)) }
        #expect(removed(at: hour(1)).concerns(f.analyzing.state, history))
        // Uploaded anew after the restore.
        #expect(!removed(at: hour(-1)).concerns(f.analyzing.state, history))
        #expect(removed(at: hour(1)).concerns(Self.kept, history))
        #expect(!removed(at: hour(-1)).concerns(Self.kept, history))
        #expect(!removed(at: hour(1)).concerns(f.uploaded.state, history))
    }
}
