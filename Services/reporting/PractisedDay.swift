package import Contracts
package import EventSourcing
package import JSON
package import Primitives

/// Which local day it is, whose, and of which kind of session.
package struct PracticeDayIdentity: Sendable, Hashable {
    package var ownerId: UUID
    package var kind: SessionKind
    package var day: LocalDay

    package init(ownerId: UUID, kind: SessionKind, day: LocalDay) {
        self.ownerId = ownerId
        self.kind = kind
        self.day = day
    }

    init(_ session: SessionIdentity, _ day: LocalDay) {
        self.init(ownerId: session.ownerId, kind: session.kind, day: day)
    }

    /// The stored form.
    ///
    /// - Throws: `JSONError` for a member that is missing or of another type.
    package init(_ object: JSONObject) throws(JSONError) {
        ownerId = try object.uuid("ownerId")
        kind = try object.code("kind")
        day = try object.day("day")
    }

    /// A key of the read model, as ``text`` writes it; nil for anything else.
    init?(key: String) {
        let parts = key.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, let owner = UUID(parts[0]), let day = LocalDay(String(parts[2])) else { return nil }
        self.init(ownerId: owner, kind: SessionKind(rawValue: String(parts[1])), day: day)
    }

    package var json: JSONObject {
        ["ownerId": .uuid(ownerId), "kind": kind.json, "day": .string(day.description)]
    }

    /// As a key: owner, kind and day.
    package var text: String { "\(ownerId)/\(kind.rawValue)/\(day)" }

    /// The stream of the day: its id is derived from what it is.
    package var stream: StreamName {
        StreamName(Report.practiceCategory, UUID.v5(namespace: ownerId, name: "\(kind.rawValue)/\(day)"))
    }
}

/// The sessions that count on one local day.
package struct PractisedDay: Sendable, Equatable {
    package var day: PracticeDayIdentity
    package var sessions: [UUID: PracticeTime] = [:]

    /// The day with a session as told last, or without it.
    func counting(_ session: UUID, _ time: PracticeTime?) -> PractisedDay {
        var practised = self
        practised.sessions[session] = time
        return practised
    }
}

/// The rules: messages of sessions say what is so, and have an outcome in every state.
extension Report {
    /// The category of the streams of local days.
    package static let practiceCategory = "practice"

    /// The day's sessions so far.
    func practised(on day: PracticeDayIdentity) -> PractisedDay {
        if case .practised(let practised) = self { practised } else { PractisedDay(day: day) }
    }

    func count(on day: PracticeDayIdentity, _ session: UUID, _ time: PracticeTime) -> [ReportEvent] {
        switch self {
        case .absent: [.practiceCounted(day, sessionId: session, time)]
        case .practised(let practised):
            practised.sessions[session] == time ? [] : [.practiceCounted(day, sessionId: session, time)]
        case .awaited, .waiting, .written, .failed, .deleted, .gone: []
        }
    }

    func withdraw(on day: PracticeDayIdentity, _ session: UUID) -> [ReportEvent] {
        guard case .practised(let practised) = self, practised.sessions[session] != nil else { return [] }
        return [.practiceWithdrawn(day, sessionId: session)]
    }
}
