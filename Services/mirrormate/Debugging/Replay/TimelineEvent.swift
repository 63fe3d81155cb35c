package import Contracts
package import EventSourcing
package import JSON

/// Identifies an event: a service and a position in its log.
package struct EventPlace: Sendable, Hashable, CustomStringConvertible {
    package let service: ServiceName
    package let position: Int64

    package init(_ service: ServiceName, _ position: Int64) {
        self.service = service
        self.position = position
    }

    package var description: String { "\(service.rawValue)/\(position)" }
}

/// One step of a timeline.
package struct TimelineEvent: Sendable {
    package let place: EventPlace
    package let event: RecordedEvent
    /// The event that caused it; nil for external requests, workers and clocks.
    package var cause: EventPlace?
    /// How long after its cause it was recorded.
    package var lateness: Duration?
    /// The state of its stream after it.
    package var state: JSONValue?
    /// The state in words, if the service provides them.
    package var words: String?
}

/// Something that is missing from a timeline.
package enum TimelineGap: Sendable, Equatable, CustomStringConvertible {
    /// The event that answers a message is there, but the event behind the message is not.
    case causeMissing(of: EventPlace, origin: MessageOrigin)
    /// A message has not reached a consumer that reacts to it.
    case underWay(EventPlace, type: String, to: ServiceName, seen: Int64)
    /// A consumer has parked the message.
    case parked(EventPlace, type: String, at: ServiceName, reason: String)
    /// A relay has not published the event yet.
    case unpublished(EventPlace, type: String, cursor: Int64)
    /// A stream is missing a version.
    case hole(ServiceName, stream: String, version: Int64)

    package var description: String {
        switch self {
        case .causeMissing(let place, let origin):
            "\(place) answers \(origin), which is not in that log: was its database set back?"
        case .underWay(let place, let type, let service, let seen):
            "\(place) \(type) has not reached \(service.rawValue), which has seen \(seen)"
        case .parked(let place, let type, let service, let reason):
            "\(place) \(type) is parked at \(service.rawValue): \(reason)"
        case .unpublished(let place, let type, let cursor):
            "\(place) \(type) is not published yet: the relay is at \(cursor)"
        case .hole(let service, let stream, let version): "\(service.rawValue): \(stream) has no version \(version)"
        }
    }

    /// The service that has to do something before it is closed; nil for what nobody will do.
    var waitsFor: ServiceName? {
        switch self {
        case .underWay(_, _, let service, _), .parked(_, _, let service, _): service
        case .unpublished(let place, _, _): place.service
        case .causeMissing, .hole: nil
        }
    }

    /// The stable code for programs.
    package var code: String {
        switch self {
        case .causeMissing: "cause-missing"
        case .underWay: "under-way"
        case .parked: "parked"
        case .unpublished: "unpublished"
        case .hole: "hole"
        }
    }
}

/// Everything that happened to one session, user or event, in causal order.
package struct Timeline: Sendable {
    package let events: [TimelineEvent]
    package let gaps: [TimelineGap]
    /// When services of it did not run, between its first event and now: as long as nothing else followed, that may be the cause.
    package var outages: [Outage] = []
    /// Who came to publish what these services tell, and what their topics lacked, between its first event and its last, or now
    /// while something is missing.
    package var publishing: [ServiceChange] = []
    /// What was done to their stores meanwhile: restores, read models made anew.
    package var upkeep: [ServiceChange] = []
}
