import Contracts
import EventSourcing
package import EventStore
package import HTTPServer
import JSON
package import Observability
import Postgres
package import Primitives
package import Runtime

/// The login sessions that identity has ended and the users who are gone, as long as an access token of theirs could still
/// be valid. They are in memory, so that checking a token asks nobody.
///
/// Filled from the service's own rows, and kept up by following its own log, which also carries what other instances
/// consumed.
@Loop package final class EndedLogins {
    /// How long an entry outlives the last token: one may have been signed while its login session ended.
    private static let slack = Duration.seconds(60)
    /// How long somebody who is gone is remembered: longer than any access token lasts.
    private static let memory = Duration.seconds(86_400)
    /// The time between two looks for entries that nobody needs any more.
    private static let sweep = Duration.seconds(60)
    /// The longest time between two looks at the log, which may have been set back and say nothing of it.
    private static let pace = Duration.seconds(1)
    /// The events that are followed: the end of a login session, and the last word of an erasure.
    private static let types = [LearnedEvent.loginEndedType.name, "SubjectErased"]

    private let store: EventStore
    private let log: Logger
    /// How far the log is known.
    private var position: Int64 = 0
    /// Whose log it is.
    private var incarnation: UUID?
    /// Until when each login session is remembered.
    private var sessions: [UUID: Timestamp] = [:]
    /// Until when each user is remembered.
    private var users: [UUID: Timestamp] = [:]
    /// What is raised when a login session ends or a user is gone, by their ids.
    private var watches: [UUID: [Signal]] = [:]

    package init(_ store: EventStore, log: Logger) {
        self.store = store
        self.log = log
    }

    /// Why a caller whose token is good is refused nevertheless; nil while the login session lasts.
    package func refusal(of caller: Caller) -> ProblemCode? {
        if users[caller.user] != nil { return .userGone }
        return sessions[caller.session] != nil ? .loginSessionEnded : nil
    }

    /// Does something with a signal that is raised when a caller's login session ends.
    ///
    /// - Throws: what the body throws.
    package func watching<T: Sendable>(
        _ caller: Caller, _ body: @Loop (_ end: Signal) async throws -> T
    ) async throws -> T {
        let signal = Signal()
        for id in [caller.session, caller.user] { watches[id, default: []].append(signal) }
        defer {
            for id in [caller.session, caller.user] {
                watches[id]?.removeAll { $0 === signal }
                if watches[id]?.isEmpty == true { watches[id] = nil }
            }
        }
        return try await body(signal)
    }

    /// Reads what is known so far, before the first token is checked.
    ///
    /// - Throws: `PostgresError`.
    package func fill() async throws {
        // What comes after this position is followed; some of it may be in the rows already.
        (position, incarnation) = try await end()
        let ended = try await store.pool.query(
            "select session, tokens_until from ended_logins where tokens_until > $1", [.time(.now() - Self.slack)])
        for row in ended.rows { remember(row.uuid(0), in: \.sessions, until: row.time(1) + Self.slack) }
        let gone = try await store.pool.query(
            "select subject, erased_at from erased_subjects where erased_at > $1", [.time(.now() - Self.memory)])
        for row in gone.rows { remember(row.uuid(0), in: \.users, until: row.time(1) + Self.memory) }
    }

    /// Follows the log until the task is cancelled.
    package func run() async {
        var isTroubled = false
        var swept = monotonicNanoseconds()
        while !Task.isCancelled {
            do {
                try await follow()
                if monotonicNanoseconds() - swept >= Self.sweep.nanosecondsClamped {
                    swept = monotonicNanoseconds()
                    try await forget(at: .now())
                }
                isTroubled = false
                try await store.head.wait(beyond: position, atMost: Self.pace)
            } catch is CancellationError {
                return
            } catch {
                // Access tokens still end by time.
                if !isTroubled { log.error("ended login sessions are not heard of", ["reason": .string("\(error)")]) }
                isTroubled = true
                try? await Loop.sleep(for: .milliseconds(250))
            }
        }
    }

    /// Takes in what the log has grown by; all anew where an older database has taken its place.
    ///
    /// - Throws: `PostgresError`, or `EventDecodingError` if this build cannot read an event.
    package func follow() async throws {
        let known = store.head.position
        let (end, incarnation) = try await end()
        if end < position || incarnation != self.incarnation {
            store.head.lower(from: known, to: end)
            // What was known before stays: nobody's end is undone.
            return try await fill()
        }
        let rows = try await store.pool.query(
            "select \(RecordedEvent.columns) from events where position > $1 and type = any($2) order by position",
            [.int(position), .texts(Self.types)]
        ).rows
        for row in rows { try take(RecordedEvent(row)) }
        position = max(position, end)
    }

    /// Where the log ends, and whose it is.
    private func end() async throws -> (position: Int64, incarnation: UUID) {
        let row = try await store.pool.query(
            "select (select coalesce(max(position), 0) from events), incarnation from head"
        ).rows[0]
        return (row.int(0), row.uuid(1))
    }

    private func remember(
        _ id: UUID, in list: ReferenceWritableKeyPath<EndedLogins, [UUID: Timestamp]>, until end: Timestamp
    ) {
        self[keyPath: list][id] = max(end, self[keyPath: list][id] ?? end)
        raise(id)
    }

    private func take(_ event: RecordedEvent) throws {
        if event.type == LearnedEvent.loginEndedType {
            guard case .loginEnded(let ended) = try event.decoded(as: LearnedEvent.self) else { return }
            remember(ended.loginSessionId, in: \.sessions, until: ended.tokensUntil + Self.slack)
        } else if let user = event.metadata.owner {
            remember(user, in: \.users, until: event.recordedAt + Self.memory)
        }
        position = max(position, event.position)
    }

    private func raise(_ id: UUID) {
        for signal in watches[id] ?? [] { signal.raise() }
    }

    /// Forgets those of whom no token can be valid any more.
    ///
    /// - Parameter now: by this process's clock, for what is in memory.
    /// - Throws: `PostgresError`.
    package func forget(at now: Timestamp) async throws {
        sessions = sessions.filter { $0.value > now }
        users = users.filter { $0.value > now }
        // Rows end by PostgreSQL's clock, which every instance shares; else one whose clock is ahead takes from all what they
        // still need. What it forgets itself is of tokens that are over by its own clock.
        _ = try await store.pool.query(
            "delete from ended_logins where tokens_until < clock_timestamp() - $1 * interval '1 microsecond'",
            [.double(Double(Self.slack.microseconds))])
    }
}
