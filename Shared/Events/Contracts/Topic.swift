import Primitives

/// One generation of a service's topic: its name, its number of partitions and the hash that chooses among them.
///
/// Number and hash never change within a generation, because the order of a key's messages rests on them; another
/// number is another topic.
package struct Topic: Sendable, Hashable {
    /// The Kafka topic's name, `mirrormate.<service>.v<generation>`.
    package let name: String
    /// How many partitions it has for its whole life.
    package let partitions: Int32
    /// Counts a service's topics, from 1.
    package let generation: Int

    /// The topic on which a service publishes today.
    package init(_ service: ServiceName) {
        name = "mirrormate.\(service.rawValue).v1"
        partitions = 8
        generation = 1
    }

    /// A topic by its name, for tests and tools; services use ``init(_:)``.
    package init(name: String, partitions: Int32, generation: Int = 1) {
        self.name = name
        self.partitions = partitions
        self.generation = generation
    }

    /// The service that publishes on a topic of this name, whatever its generation; nil for any other name.
    package static func service(ofName name: String) -> ServiceName? {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 3 && parts[0] == "mirrormate" ? ServiceName(rawValue: String(parts[1])) : nil
    }

    /// The partition of a key: FNV-1a, 64 bits, over the key's UTF-8 bytes, modulo the number of partitions.
    package func partition(of key: MessageKey) -> Int32 {
        Int32(StableHash.fnv1a64(key.description) % UInt64(partitions))
    }
}
