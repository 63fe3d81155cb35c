package import Contracts
package import EventConsumer
import EventSourcing
package import EventStore
import ObjectStorage
import Observability
import Postgres
import Primitives
package import Runtime

/// What a service does when another one has written its part of an export. Goes through the gate, as a hand-over does.
package typealias ExportPartWork =
    @Loop @Sendable (ExportPartWritten, ReceivedMessage, any AppendGate) async throws -> Void

/// Row writes that go with the request for a part: how its owner is told of it. For a repeat none are asked for.
package typealias ExportNotice = @Loop @Sendable (ExportRequested) async throws -> [RowCall]

/// Writes and removes a service's parts of exports.
///
/// A message only records that a part is asked for; the part is written beside the messages, in turns (``ExportTurns``) and in any number
/// of instances: of two that write the same one, one is kept. A death before the append leaves nothing but objects that the sweeper
/// removes, and the row with which the next start begins again.
@Loop package struct ExportParts {
    private let context: ServiceContext
    private let objects: any ObjectStore
    private let service: ServiceName
    private let source: ExportSource
    private let notice: ExportNotice?
    private let log = Logger(label: "export-parts")
    private let turns = ExportTurns<ExportRequested>()

    init(
        _ context: ServiceContext, _ objects: any ObjectStore, _ service: ServiceName, notice: ExportNotice? = nil,
        source: @escaping ExportSource
    ) {
        self.context = context
        self.objects = objects
        self.service = service
        self.source = source
        self.notice = notice
    }

    /// Records that a part is asked for; nothing when nobody waits for it any more, or when its owner was erased.
    func ask(_ request: ExportRequested, _ message: ReceivedMessage, through gate: any AppendGate) async throws {
        guard request.deadline > .now() else { return }
        let stream = ExportPartEvent.stream(request.exportId)
        // There is one already where the service that asks has forgotten an export in a restore.
        let version = try await context.store.read(stream).last?.version ?? 0
        let notice = version == 0 ? try await notice?(request) ?? [] : []
        let append = Append(
            id: message.appendID, requestHash: message.requestHash, metadata: message.metadata(actor: service.rawValue),
            writes: [
                StreamWrite(stream, expectedVersion: version, events: [NewEvent(ExportPartEvent.asked(request))])
            ], calls: [KitRows.askExportPart(request.exportId, request.ownerId, request.deadline)] + notice)
        do {
            try await gate.append(append)
        } catch {
            // Late for an erased user.
            guard case .erased = error else { throw error }
        }
    }

    /// Writes parts until the task is cancelled. A failure is logged once and tried again.
    package func run() async {
        await turns.run(
            RepeatedWork(log, orElse: "a part of an export could not be written"), asked, work: write)
    }

    /// Writes all parts that are asked for, the oldest first: one that fails holds up no other.
    ///
    /// - Throws: the last failure, after the others had their turn; `PostgresError` or `CancellationError`.
    package func work() async throws { try await turns.all(asked, work: write) }

    private func asked(last: [UUID]) async throws -> [ExportRequested] {
        try await context.store.pool.query(
            """
            select export_id, owner_id, deadline from export_parts
            order by array_position($1::uuid[], export_id) nulls first, number
            limit \(ExportTurns<ExportRequested>.most)
            """, [.uuids(last)]
        ).rows.map { ExportRequested(exportId: $0.uuid(0), ownerId: $0.uuid(1), deadline: $0.time(2)) }
    }

    private func write(_ request: ExportRequested) async throws {
        guard request.deadline > .now() else { return try await forget(request) }
        // While it waited for its turn another instance may have written it, or the export have ended.
        guard try await isAsked(request.exportId) else { return }
        let stream = ExportPartEvent.stream(request.exportId)
        // Its row stands and falls with it.
        guard let asked = try await context.store.read(stream).last else { return try await forget(request) }
        let writer = ExportWriter(
            context, objects, service, exportId: request.exportId, owner: request.ownerId, deadline: request.deadline)
        do {
            let index = try await writer.run(source)
            let part = ExportPartEvent.written(
                exportId: request.exportId, ownerId: request.ownerId, index: index)
            var metadata = asked.metadata
            metadata.causation = asked.id
            // Each writing is a request of its own: another one's part is not taken for this one's, whose files nobody would remove.
            try await context.store.append(
                Append(
                    id: .v5(namespace: asked.id, name: "part"), requestHash: UUID.v7().bytes, metadata: metadata,
                    writes: [StreamWrite(stream, expectedVersion: asked.version, events: [NewEvent(part)])],
                    // First: what an export that is over has given up cannot be kept, and that is no failure.
                    calls: [KitRows.endExportPart(request.exportId)] + writer.keeping))
        } catch AppendError.erased {
            // The erasure removes what was written.
            try await forget(request)
        } catch AppendError.idReused, AppendError.conflict, AppendError.guarded(.exportPartElsewhere) {
            // Written by another instance, or the export is over.
            await writer.giveUp()
        }
    }

    private func isAsked(_ export: UUID) async throws -> Bool {
        try await context.store.pool.query("select 1 from export_parts where export_id = $1", [.uuid(export)]).count > 0
    }

    private func forget(_ request: ExportRequested) async throws {
        let metadata = EventMetadata(owner: nil, correlation: .v7(), actor: service.rawValue)
        try await context.store.append(
            Append(
                id: .v7(), requestHash: [], metadata: metadata, writes: [],
                calls: [KitRows.forgetExportPart(request.exportId)], thoughErased: true))
    }

    /// Gives up the files of an export that is over, and writes no more; the sweeper removes them.
    static func remove(
        _ closed: ExportClosed, _ message: ReceivedMessage, by service: ServiceName, through gate: any AppendGate
    ) async throws {
        try await gate.append(
            Append(
                id: message.appendID, requestHash: message.requestHash,
                metadata: message.metadata(actor: service.rawValue), writes: [], calls: giving(up: closed.exportId),
                thoughErased: true))
    }

    /// What removes a part that was asked for by an export which reporting does not know any more: nobody would say that it is over.
    ///
    /// - Throws: `EventDecodingError` if this build cannot read the event.
    static func takingBack(_ event: RecordedEvent, by service: ServiceName) throws -> Append {
        let part = try event.decoded(as: ExportPartEvent.self)
        let id = UUID.v5(namespace: event.id, name: "orphan")
        return Append(
            id: id, requestHash: id.bytes,
            metadata: EventMetadata(
                owner: nil, correlation: event.metadata.correlation, causation: event.id, actor: service.rawValue),
            writes: [], calls: giving(up: part.exportId), thoughErased: true)
    }

    private static func giving(up export: UUID) -> [RowCall] {
        [KitRows.forgetExportPart(export), KitRows.discardPurpose(ExportWriter.purpose(export))]
    }
}

extension ExportRequested: OwnedExport {}
