import Kafka
import Runtime
import Testing

@Suite(.timeLimit(.minutes(10))) @Loop struct `What brokers refuse for the moment` {
    private let passing = KafkaError(.other, detail: "too few brokers", isRetriable: true)

    @Test func `is tried again until it is done`() async throws {
        var answers: [Result<Bool, KafkaError>] = [
            .failure(passing), .success(false), .failure(passing), .success(true), .success(true),
        ]
        try await KafkaAdmin.insist(within: .seconds(600)) { (_) async throws(KafkaError) in
            try answers.removeFirst().get()
        }
        #expect(answers.count == 1)
    }

    @Test func `ends with its cause, though the last try has no time to hear it`() async throws {
        var tries = 0
        let error = await #expect(throws: KafkaError.self) {
            try await KafkaAdmin.insist(within: .milliseconds(60)) { (_) async throws(KafkaError) in
                tries += 1
                throw tries == 1 ? passing : KafkaError(.timedOut, isRetriable: true)
            }
        }
        #expect(error == passing)
    }

    @Test func `is no cause any more when it has passed`() async throws {
        var tries = 0
        let error = await #expect(throws: KafkaError.self) {
            try await KafkaAdmin.insist(within: .milliseconds(60)) { (_) async throws(KafkaError) in
                tries += 1
                if tries == 1 { throw passing }
                return false
            }
        }
        // On a machine that stands still meanwhile there is no second try.
        #expect(error?.code == (tries == 1 ? .other : .timedOut))
    }

    @Test func `is another thing than what they refuse for good, which ends at once`() async throws {
        var tries = 0
        let error = await #expect(throws: KafkaError.self) {
            try await KafkaAdmin.insist(within: .seconds(600)) { (_) async throws(KafkaError) in
                tries += 1
                throw KafkaError(.unauthorized)
            }
        }
        #expect(error?.code == .unauthorized && tries == 1)
    }
}
