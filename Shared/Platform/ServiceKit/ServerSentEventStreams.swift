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
    /// The place of one stream; free again as soon as nobody holds it.
    @Loop final class Place {
        private let streams: ServerSentEventStreams
        private let user: UUID
        private let networks: [ClientNetwork]

        fileprivate init(_ streams: ServerSentEventStreams, _ user: UUID, _ networks: [ClientNetwork]) {
            self.streams = streams
            self.user = user
            self.networks = networks
        }

        isolated deinit { streams.leave(user, networks) }
    }

    private let limits: EventStreamLimits
    private var ofUser: [UUID: Int] = [:]
    private var ofNetworks: NetworkShares
    var count: Int { ofNetworks.count }

    package init(_ limits: EventStreamLimits) {
        self.limits = limits
        ofNetworks = NetworkShares(all: limits.all, most: limits.perAddress, share: limits.share)
    }

    /// A place for a stream of a user in client networks.
    ///
    /// - Throws: the problem `too-many-requests` when the user or a network has as many as they may, and
    ///   `temporarily-unavailable` when the process has.
    func place(of user: UUID, in networks: [ClientNetwork]) throws(Problem) -> Place {
        guard ofUser[user, default: 0] < limits.perUser, ofNetworks.mayTake(networks) else {
            throw Problem(
                .tooManyRequests, detail: "Close another event stream first, or wait as long as Retry-After says.",
                headers: ["Retry-After": "10"])
        }
        guard !ofNetworks.isFull else { throw .unavailable }
        ofUser[user, default: 0] += 1
        ofNetworks.take(networks)
        return Place(self, user, networks)
    }

    private func leave(_ user: UUID, _ networks: [ClientNetwork]) {
        ofUser[user, default: 1] -= 1
        if ofUser[user] == 0 { ofUser[user] = nil }
        ofNetworks.leave(networks)
    }
}
