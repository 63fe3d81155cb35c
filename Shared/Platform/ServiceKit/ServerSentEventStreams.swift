package import Configuration
import HTTPServer
import Primitives
package import Runtime

/// How many event streams may be open at once in one process.
///
/// | Variable | Type | Default | Meaning |
/// |---|---|---|---|
/// | `EVENT_STREAMS` | number | 512 | how many event streams an instance has open; at most 900, because the others need connections too |
/// | `EVENT_STREAMS_PER_USER` | number | 16 | how many of them one user has |
/// | `EVENT_STREAMS_PER_ADDRESS` | number | 64 | how many of them one IPv4 address, or one /64 of IPv6, has; a /56 four times as many, a /48 sixteen times, as far as `EVENT_STREAMS_SHARE` leaves them |
/// | `EVENT_STREAMS_SHARE` | number | 8 | one address has at most one of so many parts of what the others leave, a /56 four and a /48 sixteen of them, but never more than half; 1 leaves it all |
package struct EventStreamLimits: Sendable {
    package let all: Int
    package let perUser: Int
    package let perAddress: Int
    package let share: Int

    /// Reads the variables; problems stay in `environment` until it is finished.
    package init(_ environment: Environment) {
        all = environment.int("EVENT_STREAMS", default: 512, in: 1...900)
        perUser = environment.int("EVENT_STREAMS_PER_USER", default: 16, in: 1...900)
        perAddress = environment.int("EVENT_STREAMS_PER_ADDRESS", default: 64, in: 1...900)
        share = environment.int("EVENT_STREAMS_SHARE", default: 8, in: 1...900)
    }
}

/// The open streams of server-sent events of a process; a stream of the log is another thing. Each holds a connection for as long as its client likes, so they are counted.
@Loop package final class ServerSentEventStreams {
    typealias Place = ClientPlaces.Place

    private let places: ClientPlaces
    var count: Int { places.count }

    package init(_ limits: EventStreamLimits) {
        places = ClientPlaces(
            all: limits.all, perUser: limits.perUser, perAddress: limits.perAddress, share: limits.share,
            advice: "Close another event stream first, or wait as long as Retry-After says.")
    }

    /// A place for a stream of a user in client networks.
    ///
    /// - Throws: as ``ClientPlaces/place(of:in:)``.
    func place(of user: UUID, in networks: [ClientNetwork]) throws(Problem) -> Place {
        try places.place(of: user, in: networks)
    }
}
