import CoreSimulation
import Glibc
import Runtime
import Testing

/// Relay, topic and consumer as they are, over a log and a broker that a seed breaks; `docs/simulation.md` says how.
@Suite(
    .enabled(
        if: getenv("SIMULATION_SEEDS") != nil || getenv("SIMULATION_SEED") != nil,
        "SKIPPED: Tests/run simulation runs it."),
    .serialized)
@Loop struct `Relay and consumer, whatever breaks` {
    @Test func `lose nothing, double nothing and come to rest`() async throws {
        if let seed = Self.number("SIMULATION_SEED") {
            let (failures, simulation) = await Self.run(seed, tellsStory: true)
            print(simulation.surroundings.story.joined(separator: "\n"))
            #expect(failures.isEmpty)
            return
        }
        let seeds = try #require(Self.number("SIMULATION_SEEDS"))
        // `SIMULATION_PART=0/2`: every second seed, from the first one.
        let part =
            getenv("SIMULATION_PART").map { String(cString: $0).split(separator: "/").map { UInt64($0)! } } ?? [0, 1]
        var sometimes: [String: Int] = [:]
        for seed in stride(from: part[0] + 1, through: seeds, by: Int(part[1])) {
            if getenv("SIMULATION_PROGRESS") != nil { print("at \(seed)") }
            fflush(nil)
            let isRepeated = seed % 50 == 1
            let (failures, simulation) = await Self.run(seed, tellsStory: isRepeated)
            for failure in failures {
                print(
                    "seed \(seed) [\(simulation.plan.faults.map(\.rawValue).sorted().joined(separator: " "))]: \(failure)"
                )
                Issue.record("seed \(seed): \(failure) (make simulation SEED=\(seed) repeats it)")
            }
            // For whoever asks only whether there is one.
            if !failures.isEmpty, getenv("SIMULATION_FIRST") != nil { return }
            sometimes.merge(simulation.surroundings.sometimes) { $0 + $1 }
            if isRepeated {
                let again = await Self.run(seed, tellsStory: true).1
                #expect(again.surroundings.story == simulation.surroundings.story, "seed \(seed) ran in two ways")
            }
        }
        // A run that never gets there proves nothing.
        for state in Self.states where seeds / part[1] >= 1_000 && sometimes[state] == nil {
            Issue.record("In \(seeds) seeds it never happened that \(state).")
        }
        for (state, count) in sometimes.sorted(by: { $0.key < $1.key }) { print("\(count) × \(state)") }
    }

    /// What must have happened somewhere in all runs.
    private static let states = [
        "a process died", "a message killed a process", "a parked message was released", "a partition lost its end",
        "a topic was reset", "a producer went on in a partition that lost records",
        "records arrived after their producer was gone", "the answer to a statement was lost",
        "the sender's database was set back", "the receiver's database was set back", "a restore was confirmed",
        "a restore took messages back", "an effect was taken back", "an operator rewound the relay",
        "an owner was erased", "a consumer's offset was not there any more",
        "a member lost its partitions without answering",
    ]

    private static func run(_ seed: UInt64, tellsStory: Bool = false) async -> ([String], Simulation) {
        await VirtualTime.run {
            let simulation = Simulation(seed: seed, tellsStory: tellsStory)
            return (await simulation.run(), simulation)
        }
    }

    private static func number(_ name: String) -> UInt64? { getenv(name).flatMap { UInt64(String(cString: $0)) } }
}
