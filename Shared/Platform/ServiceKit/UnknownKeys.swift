package import HTTPServer
import Primitives
package import Runtime

/// Requests whose tokens name keys that are not known, or are not known themselves, because the message that announces them may
/// still be on its way. Anybody can make such a token, so what they may cost is bounded: few wait at once, and a name that was
/// waited for in vain is refused at once for a little while.
@Loop package final class UnknownKeys {
    /// How often it is looked again for what is waited for.
    package static let pollInterval = Duration.milliseconds(100)

    /// How many requests may wait at once, and how many of one client network while no other waits.
    static let mostWaiting = 64
    static let mostWaitingOfNetwork = 8
    /// How long a name is refused at once that was waited for in vain, and how many of them are remembered.
    private let memory: Duration
    static let mostRemembered = 1_024

    private var waiting = NetworkShares(
        all: UnknownKeys.mostWaiting, most: UnknownKeys.mostWaitingOfNetwork,
        share: UnknownKeys.mostWaiting / UnknownKeys.mostWaitingOfNetwork)
    private var refusedUntil: [String: Int64] = [:]
    private var refused: [String] = []

    package init(memory: Duration = .seconds(2)) { self.memory = memory }

    /// Whether a name can be that of a key: identity names them by UUIDs.
    nonisolated static func isName(_ name: String) -> Bool { UUID(name)?.description == name }

    /// Whether a name was waited for in vain a moment ago.
    func isRefused(_ name: String) -> Bool { refusedUntil[name].map { monotonicNanoseconds() < $0 } ?? false }

    /// Notes that a name was waited for in vain.
    func refuse(_ name: String) {
        if refusedUntil.updateValue(monotonicNanoseconds() + memory.nanosecondsClamped, forKey: name) == nil {
            refused.append(name)
        }
        guard refused.count > Self.mostRemembered else { return }
        // The oldest half at once, which is cheaper than one at a time.
        for name in refused.prefix(Self.mostRemembered / 2) { refusedUntil[name] = nil }
        refused.removeFirst(Self.mostRemembered / 2)
    }

    /// Looks again and again for what a request of a client in networks waits for.
    ///
    /// - Parameters:
    ///   - name: what it waits for; once it has waited in vain, this is refused at once for a while.
    ///   - wait: how long.
    /// - Returns: what `look` found; nil when it found nothing in time, or nothing is waited for.
    /// - Throws: the problem `temporarily-unavailable` when too many wait already; otherwise what `look` throws.
    package func waiting<T: Sendable>(
        for name: String, from networks: [ClientNetwork], atMost wait: Duration, _ look: () async throws -> T?
    ) async throws -> T? {
        guard wait > .zero, !isRefused(name) else { return nil }
        return try await waiting(from: networks) {
            let deadline = monotonicNanoseconds() + wait.nanosecondsClamped
            while monotonicNanoseconds() < deadline {
                try await Loop.sleep(for: Self.pollInterval)
                if let found = try await look() { return found }
            }
            refuse(name)
            return nil
        }
    }

    /// Lets a request of a client in networks wait while `work` runs.
    ///
    /// - Throws: the problem `temporarily-unavailable` when too many wait already; otherwise what `work` throws.
    func waiting<T>(from networks: [ClientNetwork], _ work: () async throws -> T) async throws -> T {
        guard !waiting.isFull, waiting.mayTake(networks) else { throw Problem.unavailable }
        waiting.take(networks)
        defer { waiting.leave(networks) }
        return try await work()
    }
}
