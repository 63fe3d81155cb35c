import Contracts
import Kafka
import Runtime
import ServiceKit
import Testing

@Suite struct `How far a service is behind` {
    private static func marks(_ low: Int64, _ high: Int64) -> PartitionReader.Watermarks {
        PartitionReader.Watermarks(low: low, high: high)
    }

    @Test @Loop func `is what topics hold behind what was read and what was removed`() async {
        let topic = Topic(.sessions)
        let first = TopicPartition(topic: topic.name, partition: 0)
        let second = TopicPartition(topic: topic.name, partition: 1)
        let behind = await LagWatch.behind([topic], [first: 7, second: 2]) { place in
            place.partition == 0 ? Self.marks(0, 10) : place.partition == 1 ? Self.marks(4, 9) : Self.marks(3, 3)
        }
        #expect(behind.map(\.records) == [3 + 5])
    }

    @Test @Loop func `is found out of the other topics when one cannot be asked`() async {
        let topics = [Topic(.identity), Topic(.sessions), Topic(.quota)]
        let behind = await LagWatch.behind(topics, [:]) { place in
            guard place.topic != topics[0].name else { throw CancellationError() }
            return Self.marks(0, 1)
        }
        #expect(behind.map(\.topic.name) == topics.map(\.name))
        #expect(behind.map(\.records) == [nil, Int64(topics[1].partitions), Int64(topics[2].partitions)])
    }
}
