package import Contracts
import Primitives

/// When a service that is not heard of counts as one that stands still, looked at once a second: soon, and yet not because a machine
/// with much to do delays a heartbeat.
package struct SilenceWatch {
    /// For how long there is no heartbeat before a second look is worth while.
    package static let suspicion = Duration.seconds(3)
    /// How long others must have been heard of behind its last heartbeat: then the database and the machine have time for those.
    private static let proof = Duration.seconds(2)

    /// Those of which the machine says that they stand still.
    private let known: Set<ServiceName>
    private var looks = 0

    package init(known: Set<ServiceName> = []) { self.known = known }

    /// The silence that a further look judges by; nil when the look before has settled everything.
    ///
    /// - Parameter lives: what the look before has found.
    package mutating func next(_ lives: [ServiceLives]) -> Duration? {
        let suspects = lives.filter { Self.silentSince($0) != nil && !known.contains($0.service) }
        guard let first = suspects.compactMap(Self.silentSince).min() else { return nil }
        looks += 1
        if looks == 1 { return .seconds(4) }
        let heard = lives.filter { Self.silentSince($0) == nil }.flatMap(\.instances).map(\.seenAt).max()
        // Where nobody is heard of, nobody in particular stands still yet.
        if looks > 2 || heard.map({ $0 - first >= Self.proof }) ?? false { return nil }
        return .seconds(5)
    }

    private static func silentSince(_ lives: ServiceLives) -> Timestamp? {
        lives.outages.last.flatMap { $0.until == nil && $0.ending == .silent ? $0.from : nil }
    }
}
