package import EventSourcing
package import EventStore
package import Primitives
import ServiceKit

/// How far the service has come with announcing everything again that it signs with one announcement key.
package enum Announcing: Sendable, Equatable {
    case absent
    /// It signs with the key; erasures may still have to be announced again.
    case begun
    /// Everything is announced.
    case complete
}

/// What can be asked about an announcement key.
package enum AnnouncingCommand: Sendable, Equatable {
    /// Sign with it from now on.
    case begin(key: String)
    /// All erasures are announced again.
    case complete(key: String)
}

extension Announcing: Aggregate {
    package typealias Command = AnnouncingCommand
    package typealias Event = AnnouncingEvent
    package typealias Refusal = Never

    package static var initial: Announcing { .absent }

    /// The category of the streams of announcement keys.
    package static let category = "announcing"

    /// What stands for a key where only a UUID can.
    package static func id(of key: String) -> UUID {
        .v5(namespace: .urlNamespace, name: "mirrormate/announcing/\(key)")
    }

    /// The stream of a key.
    package static func stream(_ key: String) -> StreamName { StreamName(category, id(of: key)) }

    package static func decide(_ command: AnnouncingCommand, _ state: Announcing) throws(Never) -> [AnnouncingEvent] {
        switch command {
        case .begin(let key): state == .absent ? [.begun(key: key)] : []
        case .complete(let key): state == .begun ? [.erasuresAnnounced(key: key)] : []
        }
    }

    package static func evolve(_: Announcing, _ event: AnnouncingEvent) -> Announcing {
        switch event {
        case .begun: .begun
        case .erasuresAnnounced: .complete
        }
    }

    /// From then on the service's own copy of a key counts with a signature only, as everybody's does.
    package static func rowCalls(for _: AnnouncingCommand, _: Announcing, _ events: [AnnouncingEvent]) -> [RowCall] {
        events.flatMap { event -> [RowCall] in
            switch event {
            // Its position is for readers of the topic, of which this service is none.
            case .begun(let key): [KitRows.beginAnnouncements(key, 0)]
            case .erasuresAnnounced: []
            }
        }
    }
}
