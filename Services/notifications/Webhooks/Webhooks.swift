package import EventSourcing
package import EventStore
package import Primitives

/// Where an owner wants to be told, as far as the next decision needs it.
package struct Webhooks: Sendable, Equatable {
    /// How many endpoints an owner can have, disabled ones too.
    package static let limit = 10
    /// How many an owner can add within a day, also when they remove them again: the stream is read whole.
    package static let dayLimit = 20
    /// How often the secret of an endpoint can be changed in all; whoever needs more makes another endpoint.
    package static let rotationLimit: Int64 = 100

    /// An endpoint that was not removed, and how it stands.
    package struct Standing: Sendable, Equatable {
        package var endpoint: WebhookEndpoint
        /// Nil while it is told.
        package var end: WebhookEnd?
        package var rotations: Int64 = 0
    }

    /// Those that were not removed.
    package var endpoints: [UUID: Standing] = [:]
    /// When the last ones were added, at most ``dayLimit``, in their order.
    package var lastAdded: [Timestamp] = []
}

/// What can be asked of somebody's endpoints.
package enum WebhooksCommand: Sendable, Equatable {
    /// - sealed: address and secret, which no event has.
    case add(ownerId: UUID, WebhookEndpoint, sealed: SealedEndpoint)
    case remove(ownerId: UUID, endpointId: UUID)
    /// - secret: the new one, sealed; no event has it.
    /// - until: so long what is sent is signed with the present one too.
    case rotate(ownerId: UUID, endpointId: UUID, secret: [UInt8], until: Timestamp)
    /// Nothing more is sent to it.
    case disable(ownerId: UUID, endpointId: UUID, WebhookEnd)
}

/// What of an endpoint is personal or secret, sealed.
package struct SealedEndpoint: Sendable, Equatable {
    package var address: [UInt8]
    package var secret: [UInt8]

    package init(address: [UInt8], secret: [UInt8]) {
        self.address = address
        self.secret = secret
    }
}

/// Why a command to somebody's endpoints is refused.
package enum WebhooksRefusal: Error, Sendable, Equatable, CaseIterable {
    /// It is for nothing.
    case noKinds
    /// There are as many as may be, or as many were added within a day.
    case usedUp
    /// There is no such endpoint, or it was removed.
    case unknown
    /// Its secret was changed as often as may be.
    case rotationsUsedUp
}

extension Webhooks: Decider {
    package typealias Command = WebhooksCommand
    package typealias Event = NotificationEvent
    package typealias State = Webhooks
    package typealias Refusal = WebhooksRefusal

    package static let initial = Webhooks()

    /// The category of the streams of endpoints.
    package static let category = "webhooks"

    /// The stream of one owner's endpoints.
    package static func stream(_ ownerId: UUID) -> StreamName { StreamName(category, ownerId) }

    package static func evolve(_ state: Webhooks, _ event: NotificationEvent) -> Webhooks {
        var next = state
        switch event {
        case .endpointAdded(_, let endpoint):
            next.endpoints[endpoint.endpointId] = Standing(endpoint: endpoint)
            next.lastAdded = Array((next.lastAdded + [endpoint.addedAt]).suffix(dayLimit))
        case .endpointRemoved(_, let id): next.endpoints[id] = nil
        case .endpointDisabled(_, let id, let end): next.endpoints[id]?.end = end
        case .secretRotated(_, let id): next.endpoints[id]?.rotations += 1
        case .noticeRaised, .subjectErased: break
        }
        return next
    }

    package static func decide(
        _ command: WebhooksCommand, _ state: Webhooks
    ) throws(WebhooksRefusal) -> [NotificationEvent] {
        switch command {
        case .add(let owner, let endpoint, _):
            // A repeat of a request.
            if state.endpoints[endpoint.endpointId] != nil { return [] }
            guard !endpoint.kinds.isEmpty, !endpoint.kinds.contains(.test) else { throw .noKinds }
            guard state.endpoints.count < limit else { throw .usedUp }
            if state.lastAdded.count == dayLimit, let first = state.lastAdded.first,
                first.adding(seconds: 86_400) > endpoint.addedAt
            {
                throw .usedUp
            }
            return [.endpointAdded(ownerId: owner, endpoint)]
        case .remove(let owner, let id):
            guard state.endpoints[id] != nil else { throw .unknown }
            return [.endpointRemoved(ownerId: owner, endpointId: id)]
        case .rotate(let owner, let id, _, _):
            guard let standing = state.endpoints[id] else { throw .unknown }
            guard standing.rotations < rotationLimit else { throw .rotationsUsedUp }
            return [.secretRotated(ownerId: owner, endpointId: id)]
        case .disable(let owner, let id, let end):
            // Removed or disabled in the meantime: then there is nothing left to do.
            guard let standing = state.endpoints[id], standing.end == nil else { return [] }
            return [.endpointDisabled(ownerId: owner, endpointId: id, end)]
        }
    }
}

extension Webhooks: Aggregate {
    /// Address and secret come with the endpoint, and go with it.
    package static func rowCalls(
        for command: WebhooksCommand, _: Webhooks, _ events: [NotificationEvent]
    ) -> [RowCall] {
        events.compactMap { event in
            switch (event, command) {
            case (.endpointAdded(let owner, let endpoint), .add(_, _, let sealed)):
                WebhookRows.add(endpoint, of: owner, sealed)
            case (.secretRotated(let owner, let id), .rotate(_, _, let secret, let until)):
                WebhookRows.rotate(id, of: owner, secret, until: until)
            case (.endpointRemoved(let owner, let id), _): WebhookRows.remove(id, of: owner)
            case (.endpointDisabled(let owner, let id, let end), _): WebhookRows.disable(id, of: owner, end)
            default: nil
            }
        }
    }
}
