package import Contracts
package import EventConsumer
package import Observability

extension ServiceContext {
    /// Tells when all that services had said when this process started is known here. It looks while its `run` does.
    package func catchUp(with services: [ServiceName], log: Logger) -> TopicCatchUp {
        TopicCatchUp(store, settings.kafka, services.map { Topic($0) }, log: log)
    }
}
