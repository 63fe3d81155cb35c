import CoreSimulation
import Runtime

/// What a seed draws: which faults there are at all, how many instances, how much is said.
@Loop struct Plan {
    /// A class of faults; most runs have a few, so that each is also seen without the others' noise.
    enum Fault: String, CaseIterable, Sendable {
        /// Processes die, between any two steps that can be seen from outside.
        case deaths
        /// Processes end in order and come again.
        case ends
        /// Database connections break, and answers are lost.
        case brokenConnections
        /// Processes stand still and go on without knowing for how long.
        case stalls
        /// The database or the broker is away for a while.
        case outages
        /// The topic is deleted and made anew.
        case resets
        /// A partition loses its last records.
        case truncations
        /// The sender's database is replaced by an older dump.
        case restores
        /// The receiver's database is replaced by an older dump.
        case receiverRestores
        /// The group shares its partitions out anew.
        case rebalances
        /// Messages that cannot be handled.
        case poison
        /// Messages that kill the process.
        case killers
        /// Owners are erased.
        case erasures
        /// An operator has everything published again.
        case rewinds
    }

    var faults: Set<Fault>
    let partitions: Int32
    let owners: Int
    let relays: Int
    let consumers: Int
    /// How many words each owner says.
    let words: Int
    /// The longest pause between two words of an owner, in milliseconds.
    let pause: UInt64
    /// How long faults go on, in milliseconds.
    let length: Int64
    let odds: Surroundings.Odds

    init(_ surroundings: Surroundings) {
        var faults: Set<Fault> = []
        for fault in Fault.allCases where surroundings.happens(250) { faults.insert(fault) }
        // Nobody can tell what a lost topic held that a lost log had said: an operator restores both to one backup then.
        if faults.contains(.restores) { faults.subtract([.resets, .truncations]) }
        self.faults = faults
        partitions = Int32(1 + surroundings.below(2))
        owners = 1 + Int(surroundings.below(3))
        relays = 1 + Int(surroundings.below(2))
        consumers = 1 + Int(surroundings.below(2))
        words = 4 + Int(surroundings.below(14))
        pause = surroundings.pick([20, 200, 1_000])!
        length = Int64(2_000 + surroundings.below(8_000))
        var odds = Surroundings.Odds()
        odds.latency = surroundings.pick([200, 2_000, 20_000])!
        if faults.contains(.deaths) { odds.death = surroundings.pick([1, 3, 10])! }
        if faults.contains(.brokenConnections) { odds.brokenConnection = surroundings.pick([2, 10, 40])! }
        if faults.contains(.stalls) { odds.stall = surroundings.pick([1, 3])! }
        self.odds = odds
    }
}
