import Contracts
import JSON
import Primitives

@testable import notifications

/// An owner with an endpoint, and something to tell.
enum Fixture {
    static let owner = id(1)
    static let endpointId = id(2)
    static let other = id(3)
    static let noon = Timestamp(seconds: 1_800_000_000)
    static let removed = SubjectErased.Removed(rows: 3, objects: 0)
    static let sealed = SealedEndpoint(address: [1], secret: [2])

    static let endpoint = endpoint(endpointId, [.reportReady, .sessionFailed])
    static let notice = notice(.reportReady, at: noon.adding(seconds: 60))

    static let added = NotificationEvent.endpointAdded(ownerId: owner, endpoint)
    static let removedEndpoint = NotificationEvent.endpointRemoved(ownerId: owner, endpointId: endpointId)
    static let disabled = NotificationEvent.endpointDisabled(ownerId: owner, endpointId: endpointId, .gone)
    static let rotated = NotificationEvent.secretRotated(ownerId: owner, endpointId: endpointId)
    static let raised = NotificationEvent.noticeRaised(ownerId: owner, notice, to: [endpointId])
    static let erased = NotificationEvent.subjectErased(owner, removed)

    static let everyEvent = [
        added, removedEndpoint, disabled, .endpointDisabled(ownerId: owner, endpointId: endpointId, .failing), rotated,
        raised, erased,
    ]

    static func id(_ number: UInt64) -> UUID {
        UUID(high: 0x019A_9C60_0000_7000, low: 0x8000_0000_0000_0000 + number)
    }

    static func endpoint(
        _ id: UUID, _ kinds: Set<NoticeKind>, addedAt: Timestamp = noon
    ) -> WebhookEndpoint { WebhookEndpoint(endpointId: id, kinds: kinds, addedAt: addedAt) }

    static func notice(_ kind: NoticeKind, at time: Timestamp) -> Notice {
        Notice(noticeId: id(9), kind: kind, happenedAt: time, content: ["sessionId": .uuid(id(10))])
    }

    static func add(_ id: UUID, addedAt: Timestamp = noon) -> WebhooksCommand {
        .add(ownerId: owner, endpoint(id, [.reportReady], addedAt: addedAt), sealed: sealed)
    }

    static let rotate = WebhooksCommand.rotate(ownerId: owner, endpointId: endpointId, secret: [3], until: noon)
}
