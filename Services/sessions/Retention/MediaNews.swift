import EventSourcing
import Primitives

/// What was said of a session's recording after a backup, and what that shows of its owner's choice.
struct MediaNews: Sendable, Equatable {
    /// When it was said.
    let moment: Timestamp
    /// Until when the recording was to be kept; nil when it was removed.
    let until: Timestamp?
    /// For how long it was kept, as far as all shows that was said of it after the backup; nil when nothing does.
    let period: MediaPeriod?

    /// What limits a recording, whatever its owner chooses.
    struct Limits: Sendable, Equatable {
        /// The operator's limit, in days.
        let most: Int64
        /// The limit of the session's kind within that, in days; nil when the kind is not known.
        let ofKind: Int64?
        let day: Duration
    }

    /// Of something that is said now.
    ///
    /// - Parameter period: what was known of the recording before.
    init(until: Timestamp?, at moment: Timestamp, after period: MediaPeriod?) {
        self.moment = moment
        self.until = until
        guard let until else {
            self.period = period
            return
        }
        // A time only ever gets shorter: a longer one is that of another completion, and the first is said with the completion.
        let since = period.flatMap { until <= $0.until ? $0.since : nil } ?? moment
        self.period = MediaPeriod(since: since, until: until)
    }

    /// Whether it was said of the recording that is kept here, and not of the same session when it was completed before.
    func isOf(_ kept: Session.KeptMedia) -> Bool { moment >= kept.since }

    /// Whether it concerns the recording that a history has: one that was finalized or kept before this was said.
    func concerns(_ state: Session, _ history: [DatedEvent<SessionEvent>]) -> Bool {
        switch state {
        case .ended(_, .completed(_, let kept?)): isOf(kept)
        case .processing:
            history.contains { dated in
                guard case .uploadFinalized = dated.event else { return false }
                return dated.recordedAt <= moment
            }
        case .absent, .queued, .open, .ended, .gone, .subjectErased: false
        }
    }
}

extension Session {
    /// For how many days at most its owner keeps recordings, as something shows that was said later than what this history has;
    /// nil when it shows nothing, or nothing that a limit does not explain.
    func daysShown(by news: MediaNews, within limits: MediaNews.Limits) -> Int64? {
        switch self {
        case .ended(_, .completed(_, let kept?)):
            // Its time was over, or was shortened. Its kind's limit counted before.
            let end = news.until ?? news.moment
            guard news.isOf(kept), end < kept.until else { return nil }
            return limits.unexplained(limits.days(end - kept.since))
        case .absent, .queued, .open, .processing:
            // Completed later than this history knows.
            return news.period.flatMap { limits.daysShown(by: news, $0) }
        case .ended, .gone, .subjectErased: return nil
        }
    }
}

extension MediaNews.Limits {
    /// What a recording shows whose whole time lies behind the backup.
    fileprivate func daysShown(by news: MediaNews, _ period: MediaPeriod) -> Int64? {
        if news.until == nil {
            // Either its time was over, or it was taken away before.
            return news.moment < period.until ? unexplained(days(news.moment - period.since)) : nil
        }
        // To the nearest day: the completion was said a little later than it was decided.
        let days = days(period.until - period.since + day / 2)
        return ofKind.flatMap { days < $0 ? days : nil }
    }

    /// Days that are fewer than the operator allows.
    fileprivate func unexplained(_ days: Int64) -> Int64? { days < most ? days : nil }

    /// The whole days of a span of time.
    fileprivate func days(_ time: Duration) -> Int64 { max(0, time.components.seconds / day.components.seconds) }
}
