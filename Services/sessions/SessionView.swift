import Contracts
import EventSourcing
import EventStore
import HTTPServer
import JSON
import Primitives
import Runtime
import Uploads

/// A session as clients see it, answered from its own stream: a client reads its own writes.
@Loop struct SessionView {
    let state: Session
    let version: Int64
    let row: SessionRow

    /// Reads a session of an owner.
    ///
    /// - Throws: the problem `not-found` for an unknown session and for a stranger's alike.
    static func read(_ store: EventStore, _ id: UUID, of owner: UUID) async throws -> SessionView {
        let events = try await store.read(Session.stream(id))
        var state = Session.initial
        var row: SessionRow?
        for recorded in events {
            let event = try recorded.decoded(as: SessionEvent.self)
            state = Session.evolve(state, event)
            row = SessionProjection.evolve(row, event, recordedAt: recorded.recordedAt)
        }
        guard let row, row.ownerId == owner else { throw Problem.notFound }
        return SessionView(state: state, version: events.last?.version ?? 0, row: row)
    }

    /// The session's JSON, with an upload address while one is of use; each reading makes a new one.
    func json(_ links: SignedLinks, lifetime: Duration, now: Timestamp = .now()) -> JSONValue {
        var object = Self.json(row)
        if case .open(let identity, let creation, _) = state {
            let expires = min(now + lifetime, creation.expiresAt)
            object["upload"] = [
                "method": "PUT",
                "url": .string(links.url("PUT", UploadRoutes.path(identity.sessionId), until: expires)),
                "headers": ["Content-Type": .string(creation.contentType)], "expiresAt": .time(expires),
            ]
        }
        return .object(object)
    }

    /// What lists and single sessions have in common.
    static func json(_ row: SessionRow) -> JSONObject {
        var object: JSONObject = [
            "id": .uuid(row.id), "kind": row.kind.json, "status": .string(row.status.rawValue),
            "progress": .double(Double(row.progressPercent) / 100), "createdAt": .time(row.createdAt),
            "updatedAt": .time(row.updatedAt), "expiresAt": .time(row.expiresAt),
        ]
        if let reportId = row.reportId { object["reportId"] = .uuid(reportId) }
        if let code = row.errorCode {
            object["error"] = [
                "code": code.json, "title": .string(code.title), "retryable": .bool(row.errorRetryable ?? false),
            ]
        }
        if let refusal = row.refusal {
            var value = JSONObject()
            refusal.write(to: &value)
            object["refusal"] = .object(value)
        }
        return object
    }
}
