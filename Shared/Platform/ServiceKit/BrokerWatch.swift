package import Kafka
import Observability
package import Runtime

/// Looks again and again whether the broker answers, and tells of the times in which it did not.
///
/// Looking and telling wait for nothing of each other: a database that hangs keeps nobody from looking.
@Loop package final class BrokerWatch {
    /// How many looks were answered.
    package private(set) var answers = 0
    private let kafka: KafkaSettings
    private let place: TopicPartition
    private let interval: Duration
    private let tell: @Loop (BrokerPresence.Absence) async throws -> Void
    private let up = Metrics.shared.gauge("consumer_broker_up", help: "1 when the last look at the broker succeeded.")
    private var presence: BrokerPresence
    /// How many half intervals have gone by without an answer since a look began; nil when the last one was answered.
    private var waits: Int?
    /// What could not be told yet.
    private var untold: [BrokerPresence.Absence] = []

    /// - Parameters:
    ///   - topic: of which the broker is asked.
    ///   - interval: the pause between two looks. An absence of more than two and a half is told.
    ///   - tell: tells that the broker answers again; repeated until it succeeds.
    package init(
        _ kafka: KafkaSettings, _ topic: String, every interval: Duration = .seconds(2),
        tell: @escaping @Loop (BrokerPresence.Absence) async throws -> Void
    ) {
        self.kafka = kafka
        place = TopicPartition(topic: topic, partition: 0)
        self.interval = interval
        self.tell = tell
        presence = BrokerPresence(patience: interval * 5 / 2, standstill: interval * 2)
    }

    /// Looks until the task is cancelled. While the broker cannot be reached, or does not answer, `consumer_broker_up` is 0.
    package func look() async {
        let waiting = Loop.task { try await self.noteWaiting() }
        defer { waiting.cancel() }
        while !Task.isCancelled {
            do {
                let reader = try PartitionReader(settings: kafka)
                do {
                    while true {
                        try await look(by: reader)
                        try await Loop.sleep(for: interval)
                    }
                } catch is CancellationError {
                    // A look may still hang in it; it ends with its last user.
                    return
                } catch {
                    await reader.close()
                    throw error
                }
            } catch {
                up.set(0)
                try? await Loop.sleep(for: interval)
            }
        }
    }

    /// Tells what there is to tell until the task is cancelled.
    package func report() async {
        while !Task.isCancelled {
            while let next = untold.first {
                // Without the database, or while the store refuses appends, it is told later.
                do { try await tell(next) } catch { break }
                untold.removeFirst()
            }
            try? await Loop.sleep(for: interval / 2)
        }
    }

    private func look(by reader: PartitionReader) async throws {
        note(presence.looks(at: .now()))
        waits = waits ?? 0
        let ended = LoopWait()
        let look = Loop.task {
            defer { ended.resume() }
            do {
                _ = try await reader.watermarks(self.place, within: self.interval)
            } catch let error as KafkaError where error.code == .unknownTopic || error.code == .unauthorized {
                // An answer too.
            }
        }
        try await ended.wait()
        try await look.value
        waits = nil
        up.set(1)
        answers += 1
        note(presence.answers(at: .now()))
    }

    /// Notes that there is no answer yet: the library may wait for a broker that stands still far longer than it is told to.
    private func noteWaiting() async throws {
        while true {
            try await Loop.sleep(for: interval / 2)
            guard let waits else { continue }
            self.waits = waits + 1
            note(presence.looks(at: .now()))
            if waits > 2 { up.set(0) }
        }
    }

    private func note(_ absence: BrokerPresence.Absence?) {
        if let absence { untold.append(absence) }
    }
}
