import CompatibleSurface
package import Configuration
package import Contracts
package import EventConsumer
import EventSourcing
package import EventStore
package import HTTPServer
package import History
package import JSON
import ObjectStorage
import Observability
package import Primitives
import Providers
import Runtime
package import ServiceKit

/// Makes the reports of what was measured, and keeps them and what is read over many of them.
package enum ReportingService: Service {
    package typealias Root = Report
    package typealias Resources = ReportingResources

    package static let name = ServiceName.reporting
    package static let migrations =
        [
            Migration("reports", PackageResources.reports_sql),
            Migration("report_history", PackageResources.report_history_sql),
            Migration("report_history_registered", PackageResources.report_history_registered_sql),
            Migration("report_history_score", PackageResources.report_history_score_sql),
            Migration("report_history_wording", PackageResources.report_history_wording_sql),
            Migration("practice_days", PackageResources.practice_days_sql),
            Migration("practitioners", PackageResources.practitioners_sql),
            Migration("milestone_watch", PackageResources.milestone_watch_sql),
            Migration("milestone_watch_position", PackageResources.milestone_watch_position_sql),
            Migration("report_history_basis", PackageResources.report_history_basis_sql),
            Migration("goals", PackageResources.goals_sql),
            Migration("practice_changes", PackageResources.practice_changes_sql),
            Migration("report_shares", PackageResources.report_shares_sql),
            Migration("report_history_kept", PackageResources.report_history_kept_sql),
            Migration("exports", PackageResources.exports_sql),
        ] + ProviderTables.migrations + [Migration("report_drafts", PackageResources.report_drafts_sql)]
    package static let rowFunctions =
        ReportRows.all + PractitionerRows.all + ShareRows.all + ExportRows.all + DraftRows.all
        + ProviderTables.rowFunctions
    package static let problems = ProblemCode.reporting
    package static let objectAccess = ObjectAccess(
        owns: [.exportsOfReporting],
        reads: [.documents, .exportsOfIdentity, .exportsOfSessions, .exportsOfQuota])
    package static let reactions = Report.reactions
    package static let publication = publishing(PublishedByReporting.outgoing)
    package static let readModels = [
        ReadModelHistory.readModel(ReportProjection.self, of: Report.category),
        ReadModelHistory.readModel(PracticeDayProjection.self) { key in
            PracticeDayIdentity(key: key).map { [$0.stream] } ?? []
        },
        ReadModelHistory.readModel(PractitionerProjection.self) { key in
            [StreamName(rawValue: "\(Practitioner.category)-\(key)")]
                + (UUID(key).map { [StreamName.subject($0)] } ?? [])
        },
        ReadModelHistory.readModel(GoalsProjection.self) { key in
            [StreamName(rawValue: "\(Goals.category)-\(key)")] + (UUID(key).map { [StreamName.subject($0)] } ?? [])
        },
    ]
    package static let aggregates = [
        AggregateHistory(
            Report.self, categories: [Report.category, Report.practiceCategory, StreamName.subjectCategory],
            owners: [StreamName.subjectCategory],
            reactions: Report.reactions,
            command: ReportCommand.recalled),
        AggregateHistory(
            Practitioner.self, categories: [Practitioner.category], owners: [Practitioner.category],
            command: PractitionerCommand.recalled),
        AggregateHistory(
            Goals.self, categories: [Goals.category], owners: [Goals.category], command: GoalsCommand.recalled),
        AggregateHistory(
            Exports.self, categories: [Exports.category], owners: [Exports.category],
            command: ExportsCommand.recalled),
        AggregateHistory(
            Shares.self, categories: [Shares.category], owners: [Shares.category], command: SharesCommand.recalled),
    ]

    package static let erasure: Erasure<Report>? = Erasure(
        belongings: { subject, store in
            let reports = try await ReportRows.sessions(of: subject, store.pool).map(Report.stream)
            let days = try await Erasure<Report>.Belongings.streams(of: subject, [Report.practiceCategory], store)
            let shares = try await ShareRows.count(of: subject, store.pool)
            return .init(streams: days.streams + reports, rows: days.rows + Int64(reports.count) + shares)
        }, forget: .erase, record: ReportCommand.recordErasure,
        last: {
            [
                ReportRows.forget($0), PractitionerRows.forget($0), ExportRows.forget($0), DraftRows.forget($0),
                Spending.forget($0),
            ]
        },
        isAtOnce: { $0.category == Report.category })

    /// Sessions come to the account by themselves; with them goes what was frozen. Grace and milestones are the account's own.
    package static let handover: DeviceHandover.Work? = { handover, store, gate in
        let commands = CommandHandler<Practitioner>(store, through: gate)
        let frozen = try await commands.load(Practitioner.stream(handover.device)).state.frozen
        do {
            _ = try await commands.handle(
                .adopt(ownerId: handover.account, frozen), on: Practitioner.stream(handover.account),
                id: handover.appendID, requestHash: handover.requestHash,
                metadata: handover.metadata(of: handover.account, actor: .reporting))
        } catch AppendError.erased {
            // The account has nothing left that could need them.
        }
    }

    /// What was announced stands: the analysis that is made again finds the report written. A logged session that the restored store
    /// of `sessions` does not know any more counts no longer.
    package static func compensation(for event: ReportEvent) -> Reaction<ReportCommand> {
        switch event {
        case .practiceCounted(let day, let session, _):
            .apply(day.stream, .withdraw(day, sessionId: session))
        case .written, .recordingLearned, .failed, .deleted, .erased, .practiceWithdrawn, .practiceForgotten,
            .graceChanged, .dayFrozen, .dayThawed, .milestoneReached, .subjectErased, .goalSet, .goalMet, .goalMissed,
            .goalDropped, .reportShared, .shareRevoked, .uploadNoted, .export, .wording, .retentionLearned:
            .ignore
        }
    }

    /// After a restore: an export that is over, above all one that its owner has deleted, is not there again.
    ///
    /// - Throws: `JSONError` for a message that cannot be read; what appending throws.
    @Loop package static func decideAgain(_ message: ReceivedMessage, _ store: EventStore) async throws -> Bool {
        guard message.incoming.type == ExportClosed.type else { return false }
        let closed = try message.incoming.read(ExportClosed.self)
        return try await CommandHandler<Exports>(store).decideAgain(
            .delete(ExportIdentity(exportId: closed.exportId, ownerId: closed.ownerId)),
            on: Exports.stream(closed.ownerId), because: message)
    }

    package static func problem(of refusal: RowRefusal) -> Problem? {
        refusal == .reportGone ? .notFound : refusal.problem
    }

    package static func check(_ environment: Environment) { _ = ReportingSettings(environment) }

    @Loop package static func build(_ context: ServiceContext) async throws -> ServiceParts<ReportingResources> {
        let settings = ReportingSettings(context.environment)
        let objects = settings.objects.makeStore()
        let documents = ReportDocuments(objects)
        let reports = LastReports(context)
        let routes = ReportRoutes(context)
        let practice = PracticeRoutes(context)
        let milestones = MilestoneWatch(context)
        let goals = GoalWatch(context)
        let usage = Usage(context)
        let parts = ReceivedParts(context.store, objects)
        let keeper = ExportKeeper(context, objects, ReportingExport(usage))
        let cards = SharedCards(context, settings)
        let sweeper = ExpirySweeper([("shares", { try await cards.sweep() })])
        let providers = settings.providers.declarations.map { Provider($0) }
        let catchUp = context.catchUp(with: reads, log: Logger(label: "wording"))
        let wording = WordingWorker(context, providers, settings.providers.budget, after: catchUp)
        let spent = ProviderTables.sweeper(context.store)
        var service = ServiceParts(
            resources: ReportingResources(
                document: { try await documents.read($0) }, lastReports: { try await reports.of($0) },
                recording: { try await Recording($0, context.zones) },
                mayBeWorded: { try await wording.mayBeAsked(for: $0) }),
            routes: {
                routes.add(to: $0)
                practice.add(to: $0)
                ProgressRoutes(context).add(to: $0)
                GoalRoutes(context).add(to: $0)
                ShareRoutes(context, cards).add(to: $0)
                AppAnalyticsRoutes(context).add(to: $0)
                usage.add(to: $0)
                ExportRoutes(context, settings, objects, parts).add(to: $0)
                guard context.settings.hasCompatibleSurface else { return }
                ReportTableRoutes(context).add(to: CompatibleRoutes($0, context, .rest, refusals: problem(of:)))
            },
            operators: { ProviderOperators(providers, settings.providers.budget).add(to: $0) },
            objects: objects,
            background: [
                { await milestones.run() }, { await goals.run() }, { await sweeper.run() }, { await keeper.run() },
                { await wording.run() }, { await spent.run() }, { if !providers.isEmpty { await catchUp.run() } },
            ])
        service.exportParts = { try await parts.receive($0, $1, through: $2) }
        return service
    }
}

/// What reactions look things up in.
package struct ReportingResources: Sendable {
    /// A document that analysis left; empty when it is no JSON object, nil when it is not there or is another one than the
    /// reference says.
    package let document: @Loop @Sendable (DocumentReference) async throws -> JSONObject?
    /// An owner's last reports.
    package let lastReports: @Loop @Sendable (UUID) async throws -> ReportsBefore
    /// When and where a session was begun.
    package let recording: @Loop @Sendable (SessionCreated) async throws -> Recording
    /// Whether an owner's report may wait for sentences of a provider.
    package let mayBeWorded: @Loop @Sendable (UUID) async throws -> Bool

    package init(
        document: @escaping @Loop @Sendable (DocumentReference) async throws -> JSONObject?,
        lastReports: @escaping @Loop @Sendable (UUID) async throws -> ReportsBefore,
        recording: @escaping @Loop @Sendable (SessionCreated) async throws -> Recording,
        mayBeWorded: @escaping @Loop @Sendable (UUID) async throws -> Bool = { _ in false }
    ) {
        self.document = document
        self.lastReports = lastReports
        self.recording = recording
        self.mayBeWorded = mayBeWorded
    }
}
