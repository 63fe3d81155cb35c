import Configuration
import Contracts
import EventConsumer
import EventStore
import Primitives
import Runtime
import ServiceKit

/// What a restore must not bring back: a recording that was removed, or time that a smaller choice had taken from one.
///
/// What became of each recording is in the service's topic; what its owner chose is not. So of a choice the smaller one counts of what
/// the backup has and what the topic shows, unless the owner chose after that was said. What a limit of the operator or of a kind
/// explains shows no choice.
@Loop final class MediaRestore {
    private let store: EventStore
    private let kinds: SessionKinds
    private let retention: RetentionSettings
    /// The kinds of sessions that were created after the backup.
    private var kindsHeard: [UUID: SessionKind] = [:]
    /// What was heard of recordings that have not been removed.
    private var periods: [UUID: MediaPeriod] = [:]

    /// For one pass over what a restore has undone.
    ///
    /// - Throws: `ConfigurationError` for kinds and limits that cannot be read.
    init(_ store: EventStore, _ environment: Environment) throws(ConfigurationError) {
        self.store = store
        kinds = environment.settingsFile("KINDS_FILE", KindFile.read) ?? .builtIn
        retention = RetentionSettings(environment)
        try environment.finish()
    }

    /// Decides again what a message says of a recording.
    ///
    /// - Returns: whether something was decided; nil for a message that concerns no recording.
    /// - Throws: `JSONError` for a message that cannot be read, `AppendError`, `EventDecodingError` or `PostgresError`.
    func decideAgain(_ message: ReceivedMessage) async throws -> Bool? {
        if message.incoming.type == SessionCreated.type {
            let session = try message.incoming.read(SessionCreated.self).session
            kindsHeard[session.sessionId] = session.kind
            return false
        }
        if message.incoming.type == MediaKept.type {
            let kept = try message.incoming.read(MediaKept.self)
            return try await decideAgain(kept.reference, until: kept.until, because: message)
        }
        if message.incoming.type == MediaRemoved.type {
            let removed = try message.incoming.read(MediaRemoved.self)
            return try await decideAgain(removed.reference, until: nil, because: message)
        }
        return nil
    }

    /// - Parameter until: when the recording was to go; nil when it was removed.
    private func decideAgain(
        _ session: SessionReference, until: Timestamp?, because message: ReceivedMessage
    ) async throws -> Bool {
        let id = session.sessionId
        let news = MediaNews(until: until, at: message.incoming.time, after: periods[id])
        periods[id] = until == nil ? nil : news.period
        let commands = CommandHandler<Session>(store)
        let stream = Session.stream(id)
        let loaded = try await commands.load(stream)
        let state = loaded.state
        var isChanged = false
        // Before the recording, which shows it.
        if let days = state.daysShown(by: news, within: limits(of: state.identity?.kind ?? kindsHeard[id])) {
            isChanged = try await CommandHandler<MediaRetention>(store).decideAgain(
                .limit(ownerId: session.ownerId, keepMediaDays: days, saidAt: news.moment),
                on: MediaRetention.stream(session.ownerId), because: message, as: "choose-again")
        }
        guard news.concerns(state, loaded.history) else { return isChanged }
        let isLimited = try await commands.decideAgain(
            .limitMedia(until: until ?? .epoch, at: .now()), on: stream, because: message)
        return isChanged || isLimited
    }

    private func limits(of kind: SessionKind?) -> MediaNews.Limits {
        let rules = kind.flatMap { kinds.upload(of: $0) }
        return MediaNews.Limits(
            most: retention.mostDays,
            ofKind: rules.map { min($0.keptDays ?? retention.mostDays, retention.mostDays) }, day: retention.day)
    }
}
