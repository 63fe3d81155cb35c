import EventSourcing
import EventStore
import JSON
package import Kafka
package import Observability
import Postgres
import Primitives
package import Runtime

/// Holds a partition while something outside is in trouble: the work is tried again, with growing pauses, until it succeeds.
@Loop package struct Retrying {
    let partition: TopicPartition
    let log: Logger

    package init(partition: TopicPartition, log: Logger) {
        self.partition = partition
        self.log = log
    }

    /// Runs the work until it succeeds.
    ///
    /// - Throws: ``LostPartition`` or ``Unhandled`` when trying again cannot help, `CancellationError` when the task ends.
    package func callAsFunction<T: Sendable>(_ work: @Loop () async throws -> T) async throws -> T {
        var pause = Duration.milliseconds(50)
        while true {
            do {
                return try await work()
            } catch {
                // Whatever a handler made of the end of its task, it says nothing of the message.
                if Task.isCancelled { throw CancellationError() }
                let (code, description) = try Self.cause(error)
                log.warning(
                    "partition is held",
                    ["partition": .string("\(partition)"), "code": .string(code), "reason": .string(description)])
            }
            try await Loop.sleep(for: pause)
            pause = min(pause * 2, .seconds(5))
        }
    }

    /// What holds the partition.
    private static func cause(_ error: any Error) throws -> (code: String, description: String) {
        switch error {
        case is LostPartition, is Unhandled: throw error
        case let error as AppendError:
            switch error {
            case .unavailable, .conflict, .storeRefused, .groupRefused: return ("append", error.description)
            case .guarded(.watermark): throw LostPartition()
            case .erased: throw Unhandled.erased
            case .idReused: throw Unhandled.idReused
            case .guarded(let refusal): throw Unhandled.refused(refusal)
            case .data(let constraint): throw Unhandled.data("\(constraint)")
            }
        case let error as PostgresError: return ("database", error.description)
        case let error as KafkaError: return (error.code.rawValue, error.description)
        // The own log cannot be read: only another build helps, and nothing may be skipped meanwhile.
        case let error as EventDecodingError: return ("unreadable-event", error.description)
        case let error as RetriableFailure: return (error.code, error.description)
        case let error as DeadlineExceeded: return ("deadline", error.description)
        case is CancellationError: return ("cancelled", "A part of the work was cancelled; it is tried again.")
        case let fault as MessageFault: throw Unhandled.fault(fault.code)
        case let error as JSONError: throw Unhandled.fault("message-value-\(error.place)")
        default: throw Unhandled.fault("refused-\(error)")
        }
    }
}

/// Another owner has moved the partition's watermark.
struct LostPartition: Error {}
