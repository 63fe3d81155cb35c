package import Contracts
package import EventSourcing
package import EventStore
package import JSON
package import Primitives

/// What an owner is told: identifiers, codes and numbers, and nothing personal, since it lies with others afterwards.
package struct Notice: Sendable, Equatable {
    /// Of a message of another service, its event's id; so a repeat of the message is the same notice.
    package var noticeId: UUID
    package var kind: NoticeKind
    /// When what it tells of was recorded.
    package var happenedAt: Timestamp
    /// What it says; the members depend on the kind.
    package var content: JSONObject

    package init(noticeId: UUID, kind: NoticeKind, happenedAt: Timestamp, content: JSONObject) {
        self.noticeId = noticeId
        self.kind = kind
        self.happenedAt = happenedAt
        self.content = content
    }

    init(_ object: JSONObject) throws(JSONError) {
        noticeId = try object.uuid("noticeId")
        kind = try object.noticeKind("kind")
        happenedAt = try object.timestamp("happenedAt")
        content = try object.object("content")
    }

    var json: JSONObject {
        [
            "noticeId": .uuid(noticeId), "kind": .string(kind.rawValue), "happenedAt": .time(happenedAt),
            "content": .object(content),
        ]
    }

    /// What is sent, as Standard Webhooks has it. The same text in every attempt, because it is signed.
    package var body: String {
        JSONValue.object([
            "type": .string(kind.rawValue), "timestamp": .time(happenedAt), "data": .object(content),
        ]).text
    }

    /// Who is told: endpoints that want this kind and were there when it happened. So nothing is told of what was before somebody
    /// asked for it, however late its message comes, nor of what was before this service first ran.
    package func recipients(among endpoints: [WebhookEndpoint]) -> [UUID] {
        endpoints.filter { $0.kinds.contains(kind) && $0.addedAt <= happenedAt }.map(\.endpointId).sorted()
    }

    /// The id of what is sent to an endpoint: the same in every attempt and for every repeat, so that a receiver can drop the second.
    package func deliveryId(to endpoint: UUID) -> UUID { .v5(namespace: endpoint, name: noticeId.description) }
}

/// Whether a notice was raised.
package enum NoticeState: Sendable, Equatable {
    case absent
    case raised
    /// The stream is the one that says of an erased user that nothing is left.
    case gone
}

/// What can be asked of a notice.
package enum NoticeCommand: Sendable, Equatable {
    /// An owner is told something.
    ///
    /// - to: the endpoints that it goes to; where there are none, nothing is recorded either.
    case raise(ownerId: UUID, Notice, to: [UUID])
    /// Everything of an erased user is gone; put to the stream `subject-<user id>`.
    case recordErasure(subject: UUID, removed: SubjectErased.Removed)
}

extension Notice: Decider {
    package typealias Command = NoticeCommand
    package typealias Event = NotificationEvent
    package typealias State = NoticeState
    package typealias Refusal = Never

    package static let initial = NoticeState.absent

    /// The category of the streams of notices.
    package static let category = "notice"

    /// The stream of one: short, so that however much an owner is told, no decision has much to read.
    package static func stream(_ noticeId: UUID) -> StreamName { StreamName(category, noticeId) }

    package static func evolve(_ state: NoticeState, _ event: NotificationEvent) -> NoticeState {
        switch event {
        case .noticeRaised: .raised
        case .subjectErased: .gone
        case .endpointAdded, .endpointRemoved, .endpointDisabled, .secretRotated: state
        }
    }

    package static func decide(
        _ command: NoticeCommand, _ state: NoticeState
    ) throws(Never) -> [NotificationEvent] {
        guard state == .absent else { return [] }
        return switch command {
        case .raise(let owner, let notice, let endpoints):
            endpoints.isEmpty ? [] : [.noticeRaised(ownerId: owner, notice, to: endpoints)]
        case .recordErasure(let subject, let removed): [.subjectErased(subject, removed)]
        }
    }
}

extension Notice: Aggregate {
    /// What is to be sent stands in the queue with the event that says so, or neither does.
    package static func rowCalls(
        for _: NoticeCommand, _: NoticeState, _ events: [NotificationEvent]
    ) -> [RowCall] {
        events.flatMap { event -> [RowCall] in
            guard case .noticeRaised(let owner, let notice, let endpoints) = event else { return [] }
            return endpoints.map { WebhookRows.queue(notice, to: $0, of: owner) }
        }
    }
}

extension JSONObject {
    /// A kind of notice by its durable name.
    func noticeKind(_ key: String) throws(JSONError) -> NoticeKind {
        let text = try string(key)
        guard let kind = NoticeKind(rawValue: text) else {
            throw JSONError(.type, at: key, "must be a kind of notice")
        }
        return kind
    }
}
