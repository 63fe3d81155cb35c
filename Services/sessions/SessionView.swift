import Contracts
import EventSourcing
import EventStore
import HTTPServer
import JSON
import Primitives
import Projections
import Runtime
import ServiceKit
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
        guard let row = try SessionProjection.row(id, after: events), row.ownerId == owner else {
            throw Problem.notFound
        }
        let state = Session.fold(try events.map { try $0.decoded() })
        return SessionView(state: state, version: events.last?.version ?? 0, row: row)
    }

    /// The session's JSON, with an upload address while one is of use; each reading makes a new one.
    func json(_ links: SignedLinks, lifetime: Duration, now: Timestamp = .now()) -> JSONValue {
        var object = Self.json(row)
        if case .open(let identity, let creation, _) = state {
            object["upload"] = links.offer(
                SessionRoutes.uploadPath(identity.sessionId), contentType: creation.contentType,
                until: min(now + lifetime, creation.expiresAt))
        }
        return .object(object)
    }

    /// What lists and single sessions have in common.
    static func json(_ row: SessionRow) -> JSONObject {
        JSONObject().adding([
            "id": .uuid(row.id), "kind": row.kind.json, "status": .string(row.status.rawValue),
            "progress": .double(Double(row.progressPercent) / 100), "createdAt": .time(row.createdAt),
            "updatedAt": .time(row.updatedAt), "expiresAt": .time(row.expiresAt),
            "reportId": row.reportId.map(JSONValue.uuid),
            "error": row.errorCode.map {
                ["code": $0.json, "title": .string($0.title), "retryable": .bool(row.errorRetryable ?? false)]
            },
            "refusal": row.refusal.map { .object($0.json) },
        ])
    }
}

extension SessionRefusal: ProblemConvertible {}

extension QuotaDenial {
    /// What a refused creation is answered with.
    var problem: Problem {
        var members: [(String, JSONValue)] = [("resetsAt", .time(resetsAt))]
        if let window { members.append(("window", window.json)) }
        if code == .sessionOpen {
            if let heldBy { members.append(("heldBy", .object(heldBy.json))) }
            return Problem(.sessionOpen, members: members)
        }
        let seconds = max(1, (resetsAt - .now()).components.seconds)
        return Problem(
            .quotaExceeded, members: members,
            headers: ["Retry-After": String(seconds), "RateLimit": "\"analysis\";r=0;t=\(seconds)"])
    }
}
