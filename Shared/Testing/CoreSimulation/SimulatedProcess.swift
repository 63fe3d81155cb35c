package import Runtime

/// One process of a service: everything that its code does to the outside crosses here, and here it can stand still or die.
@Loop package final class SimulatedProcess {
    package let name: String
    package let surroundings: Surroundings
    /// Whether it has died: nothing that its code still does has any effect.
    package private(set) var isDead = false
    /// Whether it is spared from dying and standing still.
    package var isImmortal = false
    /// Called once when it dies.
    package var onDeath: @Loop () -> Void = {}
    private var tasks: [Task<Void, any Error>] = []
    private var wakes: Int64 = 0

    package init(_ name: String, _ surroundings: Surroundings) {
        self.name = name
        self.surroundings = surroundings
    }

    /// Runs work in the process.
    package func run(_ work: @escaping @Loop () async -> Void) { tasks.append(Loop.task { await work() }) }

    /// Dies as by kill -9: its memory is gone, what it wrote stays.
    package func die(_ place: String) {
        guard !isDead else { return }
        isDead = true
        surroundings.note("\(name) dies at \(place)")
        for task in tasks { task.cancel() }
        onDeath()
    }

    /// Ends in order, as by SIGTERM.
    package func stop() async {
        for task in tasks { task.cancel() }
        for task in tasks { _ = await task.result }
        isDead = true
    }

    /// Stands still for a while; what it has on its way arrives nevertheless.
    package func stall(for duration: Duration) {
        wakes = max(wakes, monotonicNanoseconds() + duration.nanosecondsClamped)
        surroundings.note("\(name) stands still for \(duration)")
    }

    /// Goes to the outside and comes back with an answer.
    ///
    /// - Parameter effect: what happens there, at one moment; not at all when the process dies on the way.
    /// - Throws: what `effect` throws, or `CancellationError` when the process died or the task was cancelled; then the effect
    ///   may have happened.
    package func cross<T>(_ place: String, _ effect: @Loop () throws -> T) async throws -> T {
        try await pass(place)
        let result = Result { try effect() }
        try await pass(place)
        return try result.get()
    }

    /// One way of a crossing.
    ///
    /// - Throws: `CancellationError` when the process is dead.
    package func pass(_ place: String) async throws {
        if isDead { throw CancellationError() }
        if !isImmortal, surroundings.happens(surroundings.odds.death) { die(place) }
        if !isImmortal, surroundings.happens(surroundings.odds.stall) {
            stall(for: .milliseconds(Int64(200 + surroundings.below(12_000))))
        }
        try await Loop.sleep(for: surroundings.latency())
        while !isDead, wakes > monotonicNanoseconds() {
            try await Loop.sleep(for: .nanoseconds(wakes - monotonicNanoseconds()))
        }
        if isDead { throw CancellationError() }
    }
}
