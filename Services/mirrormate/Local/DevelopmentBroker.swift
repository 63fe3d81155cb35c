import Contracts
import Glibc
import Kafka
import Runtime

/// The hidden command `dev-broker`: librdkafka's in-memory broker as a process of its own.
@Loop enum DevelopmentBroker {
    /// Serves until SIGTERM or SIGINT.
    static func run(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
        let signals = TerminationSignals()
        let topics = ServiceName.allCases.map { Topic($0) }
        let broker = try MockBroker(topics: topics.map { TopicDefinition(name: $0.name, partitions: $0.partitions) })
        console.note("Development broker at \(broker.bootstrap): \(Broker.developmentLimits).")
        if let file = arguments[Flags.readyFile] {
            try Files.write("\(getpid()) \(broker.bootstrap)\n", to: file)
        }
        try await signals.next()
        await broker.close()
        return .success
    }
}
