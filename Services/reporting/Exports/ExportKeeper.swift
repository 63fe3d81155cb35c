import Contracts
import EventSourcing
import EventStore
import ObjectStorage
import Observability
import Postgres
import Primitives
import Runtime
import ServiceKit

/// Looks after exports: writes this service's own part, and ends those whose time is over, in turns (``ExportTurns``). Any number of
/// instances may look; a part that was written twice is kept once.
@Loop struct ExportKeeper {
    private let context: ServiceContext
    private let objects: any ObjectStore
    private let own: ReportingExport
    private let gate: (any AppendGate)?
    private let log = Logger(label: "exports")
    private let turns = ExportTurns<ExportIdentity>()

    /// - Parameter gate: where appends go instead of straight to the store.
    init(
        _ context: ServiceContext, _ objects: any ObjectStore, _ own: ReportingExport,
        through gate: (any AppendGate)? = nil
    ) {
        self.context = context
        self.objects = objects
        self.own = own
        self.gate = gate
    }

    private var commands: CommandHandler<Exports> { CommandHandler(context.store, through: gate) }

    /// Looks until the task is cancelled. A failure is logged once and tried again.
    func run() async {
        await turns.run(RepeatedWork(log, orElse: "an export could not be looked after"), due, work: look(at:))
    }

    /// One round over all that is due: one that fails holds up no other.
    ///
    /// - Throws: the last failure, after the others had their turn.
    func look() async throws { try await turns.all(due, work: look(at:)) }

    private func due(last: [UUID]) async throws -> [ExportIdentity] {
        try await context.store.pool.query(
            """
            select export_id, owner_id from open_exports where due_at <= clock_timestamp()
            order by array_position($1::uuid[], export_id) nulls first, due_at
            limit \(ExportTurns<ExportIdentity>.most)
            """, [.uuids(last)]
        ).rows.map { ExportIdentity(exportId: $0.uuid(0), ownerId: $0.uuid(1)) }
    }

    private func look(at export: ExportIdentity) async throws {
        let stream = Exports.stream(export.ownerId)
        let metadata = EventMetadata(owner: export.ownerId, correlation: .v7(), actor: "exports-clock")
        do {
            let known = try await commands.load(stream).state[export.exportId]
            if let known, known.standing == .open, known.missing.contains(ReportingService.name.rawValue),
                .now() < known.terms.deadline
            {
                let writer = ExportWriter(
                    context, objects, ReportingService.name, exportId: export.exportId, owner: export.ownerId,
                    deadline: known.terms.deadline)
                let part = ExportPart(
                    index: try await writer.run(own.write), files: Int64(writer.files.count),
                    sizeBytes: writer.files.reduce(0) { $0 + $1.sizeBytes })
                let outcome = try await commands.handle(
                    .receive(export, service: ReportingService.name.rawValue, part, at: .now()), on: stream,
                    id: .v7(), requestHash: [], metadata: metadata,
                    calls: { before, events in
                        // What belongs to no export goes; of one that this part makes too large it is given up in this append.
                        Exports.fold(events, from: before)[export.exportId]?.isStanding == true && !events.isEmpty
                            ? writer.keeping : []
                    })
                // With a receipt it was appended, though the first answer to it may have been lost: what it keeps is in use.
                if outcome.receipt == nil { await writer.giveUp() }
            } else {
                _ = try await commands.handle(
                    .look(export, at: .now()), on: stream, id: .v7(), requestHash: [], metadata: metadata)
            }
        } catch AppendError.erased {
            // Its owner was erased meanwhile: the erasure removes what there is.
        }
    }
}

extension ExportIdentity: OwnedExport {}
