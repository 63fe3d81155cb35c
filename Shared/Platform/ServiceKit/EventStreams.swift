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
/// | `EVENT_STREAMS_PER_ADDRESS` | number | 64 | how many of them one IPv4 address, or one /64 of IPv6, has |
package struct EventStreamLimits: Sendable {
    package let all: Int
    package let perUser: Int
    package let perAddress: Int

    /// Reads the variables; problems stay in `environment` until it is finished.
    package init(_ environment: Environment) {
        all = environment.int("EVENT_STREAMS", default: 512, in: 1...900)
        perUser = environment.int("EVENT_STREAMS_PER_USER", default: 16, in: 1...900)
        perAddress = environment.int("EVENT_STREAMS_PER_ADDRESS", default: 64, in: 1...900)
    }
}

/// The open event streams of a process. Each holds a connection for as long as its client likes, so they are counted.
@Loop package final class EventStreams {
    /// The place of one stream; free again as soon as nobody holds it.
    @Loop final class Place {
        private let streams: EventStreams
        private let user: UUID
        private let network: String

        fileprivate init(_ streams: EventStreams, _ user: UUID, _ network: String) {
            self.streams = streams
            self.user = user
            self.network = network
        }

        isolated deinit { streams.leave(user, network) }
    }

    private let limits: EventStreamLimits
    private(set) var count = 0
    private var ofUser: [UUID: Int] = [:]
    private var ofNetwork: [String: Int] = [:]

    package init(_ limits: EventStreamLimits) { self.limits = limits }

    /// A place for a stream of a user at a client network.
    ///
    /// - Throws: the problem `too-many-requests` when the user or the network has as many as they may, and
    ///   `temporarily-unavailable` when the process has.
    func place(of user: UUID, at network: String) throws(Problem) -> Place {
        guard ofUser[user, default: 0] < limits.perUser, ofNetwork[network, default: 0] < limits.perAddress else {
            throw Problem(
                .tooManyRequests, detail: "Close another event stream first, or wait as long as Retry-After says.",
                headers: ["Retry-After": "10"])
        }
        guard count < limits.all else { throw .unavailable }
        count += 1
        ofUser[user, default: 0] += 1
        ofNetwork[network, default: 0] += 1
        return Place(self, user, network)
    }

    private func leave(_ user: UUID, _ network: String) {
        count -= 1
        ofUser[user, default: 1] -= 1
        if ofUser[user] == 0 { ofUser[user] = nil }
        ofNetwork[network, default: 1] -= 1
        if ofNetwork[network] == 0 { ofNetwork[network] = nil }
    }
}
