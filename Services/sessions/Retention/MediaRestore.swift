import Contracts
import EventConsumer
import EventStore
import Primitives
import Runtime
import ServiceKit

/// What a restore must not bring back: a recording that was removed, or time that a smaller choice had taken from one.
///
/// What became of each recording is in the service's topic; what its owner chose is not. So of a choice the smaller one counts of what
/// the backup has and what the topic shows: whoever wants recordings kept for longer says so again.
enum MediaRestore {
    /// Decides again what was said of a session's recording.
    ///
    /// - Parameter until: when the recording was to go; nil when it was removed.
    /// - Returns: whether something was decided.
    /// - Throws: `AppendError`, `EventDecodingError` or `PostgresError`.
    @Loop static func decideAgain(
        _ session: SessionReference, until: Timestamp?, because message: ReceivedMessage, _ store: EventStore
    ) async throws -> Bool {
        let commands = CommandHandler<Session>(store)
        let stream = Session.stream(session.sessionId)
        let now = Timestamp.now()
        var isChanged = false
        // Before the recording, which shows it.
        if let days = try await commands.load(stream).state.daysShown(until: until, at: message.incoming.time) {
            isChanged = try await CommandHandler<MediaRetention>(store).decideAgain(
                .limit(ownerId: session.ownerId, keepMediaDays: days, at: now),
                on: MediaRetention.stream(session.ownerId), because: message, as: "choose-again")
        }
        let isLimited = try await commands.decideAgain(
            .limitMedia(until: until ?? .epoch, at: now), on: stream, because: message)
        return isChanged || isLimited
    }
}

extension Session {
    /// A day of the documented length; where days are shorter, for trying it, what is shown is less than it was.
    private static let daySeconds: Int64 = 86_400

    /// For how many days at most its owner keeps recordings, when something is heard that was said later than what this history has;
    /// nil when that shows nothing.
    ///
    /// - Parameters:
    ///   - until: when the recording was to go; nil when it was removed.
    ///   - moment: when that was said.
    func daysShown(until: Timestamp?, at moment: Timestamp) -> Int64? {
        switch self {
        case .ended(_, .completed(_, let kept?)):
            // Its time was over, or was shortened by a smaller choice.
            let end = until ?? moment
            return end < kept.until ? max(0, (end - kept.since).components.seconds / Self.daySeconds) : nil
        case .absent, .queued, .open, .processing:
            // Completed later than this history knows. Why it was removed is not known, and it may be completed once more.
            guard let until else { return 0 }
            return max(0, ((until - moment).components.seconds + Self.daySeconds - 1) / Self.daySeconds)
        case .ended, .gone, .subjectErased: return nil
        }
    }
}
