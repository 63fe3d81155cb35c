/// A topic to be made.
package struct TopicDefinition: Sendable {
    package var name: String
    package var partitions: Int32
    /// Copies of each partition; -1 for the broker's default.
    package var replication: Int32
    /// Topic options such as `retention.ms`.
    package var configuration: [(name: String, value: String)]

    package init(
        name: String, partitions: Int32, replication: Int32 = -1, configuration: [(name: String, value: String)] = []
    ) {
        self.name = name
        self.partitions = partitions
        self.replication = replication
        self.configuration = configuration
    }
}
