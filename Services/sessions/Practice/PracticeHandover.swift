import Contracts
import EventSourcing
import EventStore
import Postgres
import Primitives
import Runtime
import ServiceKit

/// Gives an account the sessions of an anonymous device that began before it was handed over, each once and under its own id.
///
/// - The same sitting, of the same kind and between the same moments, counts once: the account's stays, the device's is deleted.
/// - A day that has as many sessions as can be takes no more: the others stay with the device.
/// - A session that is changed on the device again and again while it is moved stays there, too.
/// - Of an account that was erased meanwhile nothing is left: they are deleted.
@Loop struct PracticeHandover {
    /// How many sessions one append moves.
    private static let most = 100

    private let handover: DeviceHandover
    private let store: EventStore

    init(_ handover: DeviceHandover, _ store: EventStore) {
        self.handover = handover
        self.store = store
    }

    /// Moves all of them. What was moved before a death is not the device's any more.
    ///
    /// - Throws: `AppendError`, `EventDecodingError` or `PostgresError`.
    func move() async throws {
        let streams = try await Erasure<Session>.Belongings.streams(
            of: handover.device, [LoggedSession.category], store
        ).streams
        for start in stride(from: 0, to: streams.count, by: Self.most) {
            try await move(Array(streams[start..<min(start + Self.most, streams.count)]))
        }
    }

    private func move(_ streams: [StreamName]) async throws {
        do {
            try await append(handover.metadata(actor: .sessions), streams, isMove: true)
        } catch AppendError.guarded(.dayFull) {
            if streams.count == 1 { return }
            for stream in streams { try await move([stream]) }
        } catch AppendError.conflict {
            // Whoever changes sessions all the while keeps those that they change, and nobody who waits behind this message.
            if streams.count == 1 { return }
            for stream in streams { try await move([stream]) }
        } catch AppendError.erased {
            try await delete(streams)
        }
    }

    private func delete(_ streams: [StreamName]) async throws {
        var metadata = handover.metadata(actor: .sessions)
        metadata.owner = handover.device
        do {
            try await append(metadata, streams, isMove: false)
        } catch AppendError.erased {
            // The device went, too, with all that it had.
        }
    }

    /// Moves or deletes those of the sessions that are the device's.
    private func append(_ metadata: EventMetadata, _ streams: [StreamName], isMove: Bool) async throws {
        if try await found(streams, isMove).isEmpty { return }
        try await store.append {
            let found = try await self.found(streams, isMove)
            // Once it is committed, the first of them is never the device's again.
            let id = UUID.v5(namespace: self.handover.appendID, name: (found.first?.stream ?? streams[0]).description)
            return Append(
                id: id, requestHash: self.handover.requestHash, metadata: metadata,
                decisions: try await self.decisions(found, isMove: isMove))
        }
    }

    private func decisions(_ found: [Found], isMove: Bool) async throws -> [Decision] {
        let told = isMove ? try await known(found) : []
        var decisions: [Decision] = []
        for one in found {
            let isMoved = isMove && !told.contains(one.sitting)
            decisions.append(
                try one.loaded.decide(
                    isMoved
                        ? .handOver(from: handover.device, to: handover.account) : .delete(by: handover.device)))
        }
        return decisions
    }

    /// A session of the device.
    private struct Found {
        let stream: StreamName
        let loaded: CommandHandler<LoggedSession>.Loaded
        let sitting: Sitting
    }

    /// Those that are the device's still, and began before it was handed over; of what is to be moved, those whose day has room.
    private func found(_ streams: [StreamName], _ isMove: Bool) async throws -> [Found] {
        let full = isMove ? try await fullDays() : []
        var found: [Found] = []
        for stream in streams {
            let loaded = try await CommandHandler<LoggedSession>(store).load(stream)
            guard case .logged(let session, let telling) = loaded.state else { continue }
            let time = telling.newest.time
            if session.ownerId == handover.device, handover.concerns(begunAt: time.startedAt),
                !full.contains(time.day.number)
            {
                found.append(Found(stream: stream, loaded: loaded, sitting: Sitting(session.kind, time)))
            }
        }
        return found
    }

    /// The account's days that take no more.
    private func fullDays() async throws -> Set<Int64> {
        let rows = try await store.pool.query(
            "select day from logged_days where owner_id = $1 and logged >= $2",
            [.uuid(handover.account), .int(LoggedSession.mostOfDay)]
        ).rows
        return Set(rows.map { $0.int(0) })
    }

    /// A sitting, whoever told it.
    private struct Sitting: Hashable {
        let kind: SessionKind
        let startedAt: Timestamp
        let endedAt: Timestamp

        init(_ kind: SessionKind, _ time: PracticeTime) {
            (self.kind, startedAt, endedAt) = (kind, time.startedAt, time.endedAt)
        }

        init(_ row: PostgresRow) {
            (kind, startedAt, endedAt) = (SessionKind(rawValue: row.text(0)), row.time(1), row.time(2))
        }
    }

    /// The sittings among these that the account has told, too.
    private func known(_ found: [Found]) async throws -> Set<Sitting> {
        let starts = found.map { $0.sitting.startedAt.rfc3339 }
        let rows = try await store.pool.query(
            """
            select kind, started_at, ended_at from practice_log
            where owner_id = $1 and started_at = any($2::text[]::timestamptz[])
            """, [.uuid(handover.account), .texts(starts)]
        ).rows
        return Set(rows.map { Sitting($0) })
    }
}
