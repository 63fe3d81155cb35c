/// How much of something that a process has only so much of the networks of clients hold. A network may hold a number of
/// its own, and never more than its share of what the others leave: so a few networks cannot take it all, and the fuller
/// it gets, the less each of them may. Number and share of a wide network are as many times as much as its weight says, but
/// never more than half of what the others leave.
package struct NetworkShares {
    private let all: Int
    private let most: Int
    private let share: Int
    package private(set) var count = 0
    private var held: [String: Int] = [:]

    /// - Parameters:
    ///   - all: how much there is.
    ///   - most: how much of it one address may hold; a wide network as many times as its weight says.
    ///   - share: one address may hold one of so many parts of what the others leave; 1 for all of it.
    package init(all: Int, most: Int, share: Int) {
        self.all = all
        self.most = most
        self.share = share
    }

    /// Whether all of it is held.
    package var isFull: Bool { count >= all }

    /// Whether a client in these networks may hold one more, if there is one. Somebody who holds none always may.
    package func mayTake(_ networks: [ClientNetwork]) -> Bool {
        networks.allSatisfy { network in
            let own = held[network.name, default: 0]
            let left = all - (count - own)
            let parts = min(share, max(2, share / network.weight))
            return own < min(most * network.weight, max(1, left / parts))
        }
    }

    package mutating func take(_ networks: [ClientNetwork]) {
        count += 1
        for network in networks { held[network.name, default: 0] += 1 }
    }

    package mutating func leave(_ networks: [ClientNetwork]) {
        count -= 1
        for network in networks {
            held[network.name, default: 1] -= 1
            if held[network.name] == 0 { held[network.name] = nil }
        }
    }
}
