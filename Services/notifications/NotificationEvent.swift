package import Contracts
package import EventSourcing
package import JSON
package import Primitives

/// What happened to somebody's endpoints and notices. The names in ``type`` are durable; nothing personal is in the data: no address,
/// and nothing of what somebody said or did but identifiers and codes.
package enum NotificationEvent: PrivateEvent, Equatable {
    /// An owner is told at one more place.
    case endpointAdded(ownerId: UUID, WebhookEndpoint)
    /// Its owner wants it no more.
    case endpointRemoved(ownerId: UUID, endpointId: UUID)
    /// Nothing more is sent to it.
    case endpointDisabled(ownerId: UUID, endpointId: UUID, WebhookEnd)
    /// What is sent is signed with another secret.
    case secretRotated(ownerId: UUID, endpointId: UUID)
    /// An owner is told something, at these endpoints.
    case noticeRaised(ownerId: UUID, Notice, to: [UUID])
    /// Nothing of an erased user is left in this service; the only event of a stream `subject-<user id>`.
    case subjectErased(UUID, SubjectErased.Removed)

    package var type: EventType {
        switch self {
        case .endpointAdded: EventType("WebhookEndpointAdded")
        case .endpointRemoved: EventType("WebhookEndpointRemoved")
        case .endpointDisabled: EventType("WebhookEndpointDisabled")
        case .secretRotated: EventType("WebhookSecretRotated")
        case .noticeRaised: EventType("NoticeRaised")
        case .subjectErased: EventType("SubjectErased")
        }
    }

    package var data: JSONObject {
        switch self {
        case .endpointAdded(let owner, let endpoint): ["ownerId": .uuid(owner), "endpoint": .object(endpoint.json)]
        case .endpointRemoved(let owner, let id), .secretRotated(let owner, let id):
            ["ownerId": .uuid(owner), "endpointId": .uuid(id)]
        case .endpointDisabled(let owner, let id, let end):
            ["ownerId": .uuid(owner), "endpointId": .uuid(id), "reason": .string(end.rawValue)]
        case .noticeRaised(let owner, let notice, let endpoints):
            [
                "ownerId": .uuid(owner), "notice": .object(notice.json),
                "endpointIds": .array(endpoints.map(JSONValue.uuid)),
            ]
        case .subjectErased(let subject, let removed): SubjectErased.stored(subject, removed)
        }
    }

    package static func decode(
        _ type: EventType, _ data: JSONObject
    ) throws(EventDecodingError) -> NotificationEvent { try reading(type, data, byName: read) }

    /// The event; nil for an unknown name.
    private static func read(_ name: String, _ data: JSONObject) throws(JSONError) -> NotificationEvent? {
        switch name {
        case "WebhookEndpointAdded":
            .endpointAdded(
                ownerId: try data.uuid("ownerId"), try WebhookEndpoint(try data.object("endpoint")))
        case "WebhookEndpointRemoved":
            .endpointRemoved(ownerId: try data.uuid("ownerId"), endpointId: try data.uuid("endpointId"))
        case "WebhookEndpointDisabled":
            .endpointDisabled(
                ownerId: try data.uuid("ownerId"), endpointId: try data.uuid("endpointId"), try end(data))
        case "WebhookSecretRotated":
            .secretRotated(ownerId: try data.uuid("ownerId"), endpointId: try data.uuid("endpointId"))
        case "NoticeRaised":
            .noticeRaised(
                ownerId: try data.uuid("ownerId"), try Notice(try data.object("notice")), to: try endpoints(data))
        case "SubjectErased": try SubjectErased.stored(data, as: NotificationEvent.subjectErased)
        default: nil
        }
    }

    private static func end(_ data: JSONObject) throws(JSONError) -> WebhookEnd {
        guard let end = WebhookEnd(rawValue: try data.string("reason")) else {
            throw JSONError(.type, at: "reason", "must be gone or failing")
        }
        return end
    }

    private static func endpoints(_ data: JSONObject) throws(JSONError) -> [UUID] {
        var ids: [UUID] = []
        for value in try data.array("endpointIds") {
            guard let id = value.stringValue.flatMap({ UUID($0) }) else {
                throw JSONError(.type, at: "endpointIds", "must be identifiers")
            }
            ids.append(id)
        }
        return ids
    }

    /// The event described for people; nil where its name is enough.
    package var words: String? {
        switch self {
        case .endpointAdded(_, let endpoint):
            "is told of \(endpoint.kinds.map(\.rawValue).joined(separator: ", ")) at endpoint \(endpoint.endpointId)"
        case .endpointDisabled(_, let id, .gone): "sends endpoint \(id) nothing more: it answered that it is gone"
        case .endpointDisabled(_, let id, .failing):
            "sends endpoint \(id) nothing more: for days nothing arrived there"
        case .noticeRaised(_, let notice, let endpoints):
            "tells of \(notice.kind.rawValue) at \(endpoints.count) \(endpoints.count == 1 ? "endpoint" : "endpoints")"
        case .endpointRemoved, .secretRotated, .subjectErased: nil
        }
    }
}
