import Contracts
import Kafka
import Testing

@testable import ServiceKit

@Suite struct `The topic of a service` {
    @Test(arguments: ServiceName.allCases)
    func `keeps all that is ever said in it, whatever the broker's own settings are`(
        service: ServiceName
    ) {
        let definition = ServiceProgram.definition(of: Topic(service))
        #expect(definition.name == Topic(service).name && definition.partitions == Topic(service).partitions)
        #expect(
            Dictionary(uniqueKeysWithValues: definition.configuration.map { ($0.name, $0.value) }) == [
                "retention.ms": "-1", "retention.bytes": "-1", "cleanup.policy": "delete",
            ])
    }
}
