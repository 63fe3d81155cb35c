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
    let loaded: CommandHandler<Session>.Loaded
    let row: SessionRow

    var state: Session { loaded.state }

    /// The session as its stream tells it.
    ///
    /// - Throws: the problem `not-found` for an unknown session and for a stranger's alike.
    init(_ id: UUID, _ loaded: CommandHandler<Session>.Loaded, of owner: UUID) throws(Problem) {
        guard let row = SessionProjection.row(id, after: loaded.history), row.ownerId == owner else {
            throw Problem.notFound
        }
        self.loaded = loaded
        self.row = row
    }

    /// The session's JSON, with an upload address while one is of use; each reading makes a new one.
    ///
    /// - Parameter place: where it stands in line, if it is to be told.
    func json(
        _ links: SignedLinks, lifetime: Duration, place: Int64? = nil, now: Timestamp = .now()
    ) -> JSONValue {
        var object = Self.json(row, place: place)
        if case .open(let identity, let creation, _, _) = state {
            object["upload"] = links.offer(
                SessionRoutes.uploadPath(identity.sessionId), contentType: creation.contentType,
                until: min(now + lifetime, creation.expiresAt))
        }
        return .object(object)
    }

    /// What lists and single sessions have in common.
    static func json(_ row: SessionRow, place: Int64?) -> JSONObject {
        JSONObject().adding([
            "id": .uuid(row.id), "kind": row.kind.json, "status": .string(row.status.rawValue),
            "progress": .double(Double(row.progressPercent) / 100), "stage": row.stage?.json,
            "queuePosition": place.map(JSONValue.int), "createdAt": .time(row.createdAt),
            "updatedAt": .time(row.updatedAt), "expiresAt": .time(row.expiresAt),
            "reportId": row.reportId.map(JSONValue.uuid),
            "error": row.errorCode.map {
                ["code": $0.json, "title": .string($0.title), "retryable": .bool(row.errorRetryable ?? false)]
            },
            "refusal": row.refusal.map { .object($0.json) },
            "media": ["kept": .bool(row.mediaUntil != nil), "until": .optional(row.mediaUntil)],
        ])
    }
}
