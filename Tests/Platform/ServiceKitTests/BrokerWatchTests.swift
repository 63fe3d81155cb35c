import Kafka
import Primitives
import Runtime
import ServiceKit
import Testing

@Suite(.timeLimit(.minutes(10))) @Loop struct `A watch over the broker` {
    private static let topic = "watched"
    private static let interval = Duration.milliseconds(800)

    private let broker: MockBroker

    init() throws { broker = try MockBroker(topics: [TopicDefinition(name: Self.topic, partitions: 1)]) }

    /// What was told, and how telling goes.
    @Loop private final class Told {
        var absences: [BrokerPresence.Absence] = []
        var before: LoopWait?
        /// Whether there was something to tell.
        var hasBegun = false

        func tell(_ absence: BrokerPresence.Absence) async throws {
            hasBegun = true
            if let before { try await before.wait() }
            absences.append(absence)
        }
    }

    /// Runs a body beside a watch that has had its first answers.
    private func watching(_ body: @Loop (BrokerWatch, Told) async throws -> Void) async throws {
        let told = Told()
        let watch = BrokerWatch(broker.settings, Self.topic, every: Self.interval) { try await told.tell($0) }
        let tasks = [Loop.task { await watch.look() }, Loop.task { await watch.report() }]
        try await answers(watch, 2)
        try await body(watch, told)
        for task in tasks {
            task.cancel()
            _ = await task.result
        }
        await broker.close()
    }

    private func answers(_ watch: BrokerWatch, _ more: Int) async throws {
        let wanted = watch.answers + more
        while watch.answers < wanted { try await Loop.sleep(for: .milliseconds(10)) }
    }

    /// Keeps the broker from answering for several looks, and waits until it answers again.
    private func away(_ watch: BrokerWatch, hanging: Bool) async throws {
        if hanging { broker.setDelay(milliseconds: 4_500) } else { broker.setUp(false) }
        try await Loop.sleep(for: Self.interval * 4)
        if hanging { broker.setDelay(milliseconds: 0) } else { broker.setUp(true) }
        try await answers(watch, 1)
    }

    @Test(arguments: [true, false])
    func `tells that the broker was away, whether it hung or was gone`(hanging: Bool) async throws {
        try await watching { watch, told in
            // On a busy machine the watch itself may stand still meanwhile, and then it does not know.
            while told.absences.isEmpty {
                try await away(watch, hanging: hanging)
                try await answers(watch, 3)
            }
            for absence in told.absences { #expect(absence.until - absence.from > Self.interval * 2) }
        }
    }

    @Test func `looks on while it cannot tell, and takes that for nobody's absence`() async throws {
        try await watching { watch, told in
            let database = LoopWait()
            told.before = database
            while !told.hasBegun {
                try await away(watch, hanging: false)
                try await answers(watch, 2)
            }
            let back = Timestamp.now()
            // Far longer than an absence that is told.
            try await answers(watch, 5)
            told.before = nil
            database.resume()
            try await answers(watch, 3)
            #expect(told.absences.allSatisfy { $0.until <= back })
        }
    }
}
