import Contracts
import HTTPServer
import JSON
import Primitives
import ServiceKit

/// A session as a client tells it, before the clocks of its place are looked up.
struct PracticeTelling: Sendable {
    /// The client's own id; nil where the path has it.
    let id: UUID?
    let kind: SessionKind
    let startedAt: Timestamp
    let endedAt: Timestamp
    let activeSeconds: Int64
    let pauses: [LoggedPractice.Pause]
    /// Nil for the caller's own.
    let timeZone: String?
    /// Whether a repeat under this id has to name the same place: not without a zone, which is then the one in which the client
    /// signed in last.
    var isZoneTold: Bool

    /// The most pauses of one session.
    static let mostPauses = 100

    private static let members = ["id", "kind", "startedAt", "endedAt", "activeSeconds", "pauses", "timeZone"]

    /// Reads and checks one session of a body, all but its time zone.
    ///
    /// - Throws: a problem 400 or 422, or `JSONError`.
    init(_ body: JSONObject, _ kinds: SessionKinds, _ settings: PracticeSettings, at now: Timestamp) throws {
        try body.allow(Self.members)
        id = try body.optionalUUID("id")
        kind = try body.code("kind")
        startedAt = try body.timestamp("startedAt")
        endedAt = try body.timestamp("endedAt")
        activeSeconds = try body.int("activeSeconds")
        pauses = try LoggedPractice.pauses(body["pauses"])
        timeZone = try body.optionalString("timeZone")
        isZoneTold = timeZone != nil
        guard let rules = kinds.logged(of: kind) else { throw Problem(.kindUnknown) }
        try check(rules)
        try check(settings, at: now)
    }

    private func check(_ rules: LoggedRules) throws(Problem) {
        guard endedAt > startedAt else { throw .invalidRequest("endedAt must be after startedAt.") }
        guard (1...rules.maxActiveSeconds).contains(activeSeconds) else {
            throw .invalidRequest("activeSeconds must lie between 1 and \(rules.maxActiveSeconds).")
        }
        guard pauses.count <= Self.mostPauses else {
            throw .invalidRequest("pauses must be at most \(Self.mostPauses).")
        }
        var end = startedAt
        var paused = Duration.zero
        for pause in pauses {
            guard pause.endedAt > pause.startedAt, pause.startedAt >= end, pause.endedAt <= endedAt else {
                throw .invalidRequest("pauses must lie within the session, one after another, each with a length.")
            }
            paused += pause.endedAt - pause.startedAt
            end = pause.endedAt
        }
        // A second is forgiven: active seconds are whole, the others are not.
        guard Duration.seconds(activeSeconds - 1) < endedAt - startedAt - paused else {
            throw .invalidRequest("activeSeconds and pauses together must not be longer than the session.")
        }
        // A day has an end too: a timer that was forgotten is no session.
        guard endedAt - startedAt <= .seconds(2 * 86_400) else {
            throw .invalidRequest("A session must not last longer than two days, pauses included.")
        }
    }

    private func check(_ settings: PracticeSettings, at now: Timestamp) throws(Problem) {
        guard endedAt <= now + settings.skew else { throw Problem(.practiceInFuture) }
        let earliest = now - settings.maxAge
        guard startedAt >= earliest else {
            throw Problem(.practiceTooOld, members: [("earliestAt", .time(earliest))])
        }
    }

    /// The session with the clocks of its place.
    func practice(timeZone: String, utcOffsetSeconds: Int64) -> LoggedPractice {
        LoggedPractice(
            PracticeTime(
                startedAt: startedAt, endedAt: endedAt, activeSeconds: activeSeconds, timeZone: timeZone,
                utcOffsetSeconds: utcOffsetSeconds), pauses: pauses)
    }
}
