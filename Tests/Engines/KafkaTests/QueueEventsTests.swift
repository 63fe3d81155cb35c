import CKafka
import Runtime
import Testing

@testable import Kafka

@Suite("A queue's events", .timeLimit(.minutes(10)))
@Loop struct QueueEventsTests {
    @Test func `Events that a queue held before anybody looked are announced too`() async throws {
        // Nothing listens there, and the client reports that at once.
        let client = try KafkaClient(
            RD_KAFKA_PRODUCER, settings: KafkaSettings(bootstrap: "127.0.0.1:1", clientID: "test"), options: [],
            events: RD_KAFKA_EVENT_ERROR)
        while rd_kafka_outq_len(client.pointer) == 0 { try await Loop.sleep(for: .milliseconds(1)) }
        let events = QueueEvents(rd_kafka_queue_get_main(client.pointer))
        let announced = Signal()
        var codes: [KafkaError.Code] = []
        events.onReady = {
            events.take { event in
                codes.append(client.error(of: event).code)
                return true
            }
            announced.raise()
        }
        while codes.isEmpty { try await announced.wait(atMost: .seconds(30)) }
        #expect(codes.contains(.unreachable))
        events.close()
        await client.destroy()
    }
}
