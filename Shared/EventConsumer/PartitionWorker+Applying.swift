import Contracts
import EventRelay
import EventSourcing
import EventStore
import JSON
import Kafka
import Observability
import Postgres
import Primitives
import Runtime

extension PartitionWorker {
    /// Does what the chain's verdict on a record asks for; whether the partition got on.
    func judged(_ record: KafkaRecord, _ chain: ChainRecord?, _ verdict: ChainVerdict) async throws -> Bool {
        let next = current.behind(record.offset, chain, verdict)
        switch verdict {
        case .apply:
            try await apply(record, to: next)
            if alarm != nil {
                log.notice("chain is whole again", ["partition": .string("\(place)")])
                alarm = nil
            }
            return true
        case .gap(let expected, let found):
            if alarm == nil { try await raiseAlarm(expected, found, record) }
            try await applyErasure(record)
            return false
        case .fork(let fork) where alarm == nil || current.seen > fork:
            // A hole beyond the fork is no hole any more.
            try await takeBack(beyond: fork, chain?.lineage ?? [:], next)
            return true
        case .mark, .fork:
            if alarm == nil { current = next } else { noteMark(next) }
        case .foreign where alarm == nil: try await park(record, "foreign-record", to: next)
        case .zombie where alarm == nil:
            log.notice("record of an old lease ignored", ["partition": .string("\(place)")])
            current = next
        case .duplicate where alarm == nil: current = next
        // Beyond a gap the watermark stands still until a record closes the chain.
        case .foreign, .zombie, .duplicate: return false
        }
        return true
    }

    private func apply(_ record: KafkaRecord, to next: Watermark) async throws {
        let message: ReceivedMessage
        do throws(UnreadableRecord) { message = try ReceivedMessage(record) } catch {
            return try await park(record, error.code, to: next)
        }
        if parkedKeys?.contains(ParkedMessage.key(of: record)) == true, !handler.isErasure(message) {
            return try await park(record, "successor", to: next)
        }
        guard isSuspect else { return try await handle(message, record, next) }
        try await suspects.run {
            let watermark = self.committed
            let attempts = try await self.retrying {
                try await watermark.countAttempt(self.store.pool, at: ParkedMessage.identity(of: record))
            }
            guard let attempts else { throw LostPartition() }
            self.attemptsUnderWay = 1
            // The first death could not be counted, because nobody suspected the record then.
            if attempts >= 3 {
                try await self.park(record, "killed-the-process", to: next)
            } else {
                try await self.handle(message, record, next)
            }
            self.attemptsUnderWay = 0
        }
        isSuspect = false
    }

    private func handle(_ message: ReceivedMessage, _ record: KafkaRecord, _ next: Watermark) async throws {
        do {
            let move = committed.move(to: next)
            CrashPoint.reached("consumer.before-handle")
            // What the handler logs and does belongs to the request behind the message.
            let trace = message.traceparent.flatMap(TraceContext.init(traceparent:))
            let moved = try await TraceContext.$current.withValue(trace) {
                try await retrying { try await self.handler.handle(message, calls: [move]) }
            }
            CrashPoint.reached("consumer.after-handle")
            if moved {
                if doubtful > 0 { try await settle(next) }
                committed = next
            }
            current = next
        } catch let trouble as Unhandled {
            try await park(record, trouble.code, to: next)
        }
    }

    /// Makes sure that the watermark has moved: the calls of a repeated append do not run again.
    private func settle(_ next: Watermark) async throws {
        let from = committed
        let isSettled = try await retrying {
            if try await next.stands(self.store.pool) { return true }
            return try await from.move(self.store.pool, to: next)
        }
        if !isSettled { throw LostPartition() }
        doubtful -= 1
    }

    /// Tries again, as long as the trouble is not the message's own.
    func retrying<T: Sendable>(_ work: @Loop () async throws -> T) async throws -> T {
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
                    ["partition": .string("\(place)"), "code": .string(code), "reason": .string(description)])
            }
            try await Loop.sleep(for: pause)
            pause = min(pause * 2, .seconds(5))
        }
    }

    /// What holds the partition.
    ///
    /// - Throws: ``LostPartition`` or ``Unhandled`` when trying again cannot help.
    private static func cause(_ error: any Error) throws -> (code: String, description: String) {
        switch error {
        case is LostPartition, is Unhandled: throw error
        case let error as AppendError:
            switch error {
            case .unavailable, .conflict, .storeRefused: return ("append", error.description)
            case .guarded("watermark"): throw LostPartition()
            case .erased: throw Unhandled(code: "erased")
            case .idReused: throw Unhandled(code: "id-reused")
            case .guarded(let code): throw Unhandled(code: code)
            case .data(let constraint): throw Unhandled(code: "data-\(constraint)")
            }
        case let error as PostgresError: return ("database", error.description)
        // The own log cannot be read: only another build helps, and nothing may be skipped meanwhile.
        case let error as EventDecodingError: return ("unreadable-event", error.description)
        case let error as RetriableFailure: return (error.code, error.description)
        case let error as DeadlineExceeded: return ("deadline", error.description)
        case is CancellationError: return ("cancelled", "A part of the work was cancelled; it is tried again.")
        case let fault as MessageFault: throw Unhandled(code: fault.code)
        case let error as JSONError: throw Unhandled(code: "message-value-\(error.place)")
        default: throw Unhandled(code: "refused-\(error)")
        }
    }
}
