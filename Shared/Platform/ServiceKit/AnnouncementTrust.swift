import Contracts
package import EventConsumer
import EventRelay
import EventStore
import JSON
package import Kafka
import Observability
package import Postgres
import Primitives
package import Runtime

/// Which of identity's announcements a service believes: signed ones with a good signature, and unsigned ones of release 1
/// only for as long as identity has not said from which position on it signs.
@Loop package final class AnnouncementTrust {
    /// What every generation of identity's topic begins with.
    private static let topics = "mirrormate.identity."
    private static let names = Set(Announcements.signed.union(Announcements.unsigned).map(\.description))

    private let pool: PostgresPool
    private let keys: AnnouncementKeys
    private let log = Logger(label: "announcements")
    /// The position from which on identity signs, once it is known.
    private var begun: Int64?

    package init(_ pool: PostgresPool, _ keys: AnnouncementKeys) {
        self.pool = pool
        self.keys = keys
    }

    /// Why a record must not be believed; nil for every other message than identity's announcements.
    ///
    /// - Throws: `PostgresError`.
    package func doubt(_ record: KafkaRecord) async throws -> RecordDoubt? {
        guard record.topic.hasPrefix(Self.topics), let name = record.header(MessageHeaders.type),
            Self.names.contains(name), let type = MessageType(name)
        else { return nil }
        if Announcements.signed.contains(type) {
            guard let signature = record.header(MessageHeaders.signature) else { return .unsigned }
            guard let content = AnnouncementContent(record), keys.verifies(signature, of: content) else {
                return .forged
            }
            if type == AnnouncementsBegun.type { note(content.position) }
            return nil
        }
        guard Announcements.unsigned.contains(type), let begun = try await beginning(),
            let position = ChainRecord(record)?.position, position > begun
        else { return nil }
        return .unsigned
    }

    /// Whether unsigned announcements say nothing any more: all that they said is announced again with a signature.
    ///
    /// - Throws: `PostgresError`.
    package func isSigned() async throws -> Bool { try await beginning() != nil }

    /// Looks into identity's topic for the position from which on it signs, unless it is known, and catches up on what was
    /// signed.
    ///
    /// A service that reads the topic for the first time, or again, must know the position before it meets unsigned
    /// announcements after it. And while an earlier release of the service still ran beside identity's, it passed signed
    /// ones by. Tries until the broker answers. An announcement that this build cannot handle is passed by, as a consumer parks it:
    /// the others must not wait for it.
    ///
    /// - Parameter apply: does what an announcement asks for, with errors as of `MessageHandler.handle`; called at least once
    ///   for each signed one.
    package func seek(
        _ kafka: KafkaSettings, _ apply: @Loop (ReceivedMessage) async throws -> Void = { _ in }
    ) async {
        var pause = Duration.milliseconds(200)
        while !Task.isCancelled {
            do {
                if try await beginning() == nil { try await scan(kafka, apply) }
                return
            } catch {
                if Task.isCancelled { return }
                begun = nil
                log.warning("identity's announcements cannot be read yet", ["reason": .string("\(error)")])
            }
            try? await Loop.sleep(for: pause)
            pause = min(pause * 2, .seconds(5))
        }
    }

    private func scan(_ kafka: KafkaSettings, _ apply: @Loop (ReceivedMessage) async throws -> Void) async throws {
        let topic = Topic(.identity)
        let reader = try PartitionReader(settings: kafka)
        func read(_ partition: Int32, _ body: @Loop (KafkaRecord) async throws -> Void) async throws {
            let place = TopicPartition(topic: topic.name, partition: partition)
            _ = try await reader.readToEnd(place) { records in for record in records { try await body(record) } }
        }
        do {
            try await read(topic.partition(of: .system)) { _ = try await self.doubt($0) }
            // Found just now, and not by the consumer: what is signed may have been passed by.
            if begun != nil {
                for partition in 0..<topic.partitions {
                    let retrying = Retrying(
                        partition: TopicPartition(topic: topic.name, partition: partition), log: log)
                    try await read(partition) { record in
                        guard let type = record.header(MessageHeaders.type).flatMap({ MessageType($0) }),
                            Announcements.signed.contains(type), try await self.doubt(record) == nil,
                            let message = try? ReceivedMessage(record)
                        else { return }
                        do {
                            try await retrying { try await apply(message) }
                        } catch let trouble as Unhandled {
                            log.error(
                                "an announcement cannot be handled",
                                [
                                    "partition": .string("\(record.topicPartition)"), "offset": .int(record.offset),
                                    "code": .string(trouble.code),
                                ])
                        }
                    }
                }
            }
            await reader.close()
        } catch let error as KafkaError where error.code == .unknownTopic {
            await reader.close()
        } catch {
            await reader.close()
            throw error
        }
    }

    private func note(_ position: Int64) { begun = min(begun ?? position, position) }

    private func beginning() async throws -> Int64? {
        if let begun { return begun }
        let row = try await pool.query("select min(position) from announcements_begun").rows[0]
        if let position = row.optional(0, PostgresRow.int) { note(position) }
        return begun
    }
}

extension AnnouncementContent {
    /// What a record says that its signature covers; nil for a record that cannot be an announcement.
    fileprivate init?(_ record: KafkaRecord) {
        guard let chain = ChainRecord(record), let position = chain.position,
            let type = record.header(MessageHeaders.type).flatMap({ MessageType($0) }),
            let key = record.key.flatMap({ String(validating: $0, as: UTF8.self) })
        else { return nil }
        self.init(
            type: type, key: key, id: chain.id, incarnation: chain.incarnation, position: position,
            value: record.value ?? [])
    }
}
