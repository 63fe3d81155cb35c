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
    /// Does what the chain's verdict on a record asks for.
    func judged(_ record: KafkaRecord, _ chain: ChainRecord?, _ verdict: ChainVerdict) async throws {
        let next = lane.planned.behind(record.offset, chain, verdict)
        switch verdict {
        case .apply:
            try await isSuspect(record) ? applySuspect(record, to: next) : open(record, to: next)
            if alarm != nil {
                log.notice("chain is whole again", ["partition": .string("\(place)")])
                alarm = nil
            }
        case .gap(let expected, let found):
            if alarm == nil { try await raiseAlarm(expected, found, record) }
            try await applyErasure(record)
        case .fork(let fork) where alarm == nil || lane.planned.seen > fork:
            // A hole beyond the fork is no hole any more.
            try await takeBack(beyond: fork, chain?.lineage ?? [:], next)
        case .mark, .fork:
            if alarm == nil { lane.note(next) } else { noteMark(next) }
        case .foreign where alarm == nil:
            lane.open(next, key: ParkedMessage.key(of: record)) { pending in
                try await self.park(record, "foreign-record", pending)
            }
        case .zombie where alarm == nil:
            log.notice("record of an old lease ignored", ["partition": .string("\(place)")])
            lane.note(next)
        case .duplicate where alarm == nil: lane.note(next)
        // Beyond a gap the watermark stands still until a record closes the chain.
        case .foreign, .zombie, .duplicate: break
        }
    }

    private func open(_ record: KafkaRecord, to next: Watermark) {
        lane.open(next, key: ParkedMessage.key(of: record)) { pending in try await self.apply(record, pending) }
    }

    /// Whether the record may have been under way when the owner before ended without order.
    private func isSuspect(_ record: KafkaRecord) -> Bool {
        if record.offset >= suspectEnd { suspectsLeft = 0 }
        return suspectsLeft > 0
    }

    /// Handles one record alone in the whole process, with an attempt counted before: a death is then its own.
    private func applySuspect(_ record: KafkaRecord, to next: Watermark) async throws {
        try await rest()
        try await suspects.run {
            let watermark = self.lane.stored
            let attempts = try await self.retrying {
                try await watermark.countAttempt(self.store.pool, at: ParkedMessage.identity(of: record))
            }
            guard let attempts else { throw LostPartition() }
            self.attemptsUnderWay = 1
            // The first death could not be counted, because nobody suspected the record then.
            if attempts >= 3 {
                self.lane.open(next, key: ParkedMessage.key(of: record)) { pending in
                    try await self.park(record, "killed-the-process", pending)
                }
            } else {
                self.open(record, to: next)
            }
            try await self.rest()
            self.attemptsUnderWay = 0
        }
        suspectsLeft -= 1
    }

    private func apply(_ record: KafkaRecord, _ pending: PendingMessage) async throws {
        let message: ReceivedMessage
        do throws(UnreadableRecord) { message = try ReceivedMessage(record) } catch {
            return try await park(record, error.code, pending)
        }
        if parkedKeys?.contains(pending.key) == true, !handler.isErasure(message) {
            return try await park(record, "successor", pending)
        }
        do {
            CrashPoint.reached("consumer.before-handle")
            // What the handler logs and does belongs to the request behind the message.
            let trace = message.traceparent.flatMap(TraceContext.init(traceparent:))
            try await TraceContext.$current.withValue(trace) {
                try await retrying { try await self.handler.handle(message, through: pending) }
                log.debug("message handled", ["type": .string(message.incoming.type.description)])
            }
            CrashPoint.reached("consumer.after-handle")
        } catch let trouble as Unhandled {
            try await park(record, trouble.code, pending)
        }
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
            case .unavailable, .conflict, .storeRefused, .groupRefused: return ("append", error.description)
            case .guarded(.watermark): throw LostPartition()
            case .erased: throw Unhandled(code: "erased")
            case .idReused: throw Unhandled(code: "id-reused")
            case .guarded(let refusal): throw Unhandled(code: refusal.description)
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
