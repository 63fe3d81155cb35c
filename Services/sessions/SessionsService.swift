import CompatibleSurface
package import Configuration
package import Contracts
package import EventConsumer
package import EventSourcing
package import EventStore
package import HTTPServer
package import History
import ObjectStorage
import Observability
import Postgres
import Primitives
import RestTables
import Runtime
package import ServiceKit
import Uploads

/// The service, declared and put together.
package enum SessionsService: Service {
    package typealias Root = Session
    package typealias Resources = SessionsResources

    package static let name = ServiceName.sessions
    package static let migrations = [
        Migration("session_list", PackageResources.session_list_sql),
        Migration("overdue_sessions", PackageResources.overdue_sessions_sql),
        Migration("session_objects", PackageResources.session_objects_sql),
        Migration("session_list_registered", PackageResources.session_list_registered_sql),
        Migration("upload_turns", PackageResources.upload_turns_sql),
        Migration("network_analyses", PackageResources.network_analyses_sql),
        Migration("network_analyses_with_append", PackageResources.network_analyses_with_append_sql),
        Migration("only_sessions", PackageResources.only_sessions_sql),
        Migration("refused_creations", PackageResources.refused_creations_sql),
        Migration("practice_log", PackageResources.practice_log_sql),
        Migration("logged_days", PackageResources.logged_days_sql),
        Migration("refused_creations_locked", PackageResources.refused_creations_locked_sql),
        Migration("handed_over", PackageResources.handed_over_sql),
        Migration("full_days", PackageResources.full_days_sql),
        Migration("handovers", PackageResources.handovers_sql),
        Migration("kept_media", PackageResources.kept_media_sql),
        Migration("handover_account", PackageResources.handover_account_sql),
        Migration("resumable_uploads", PackageResources.resumable_uploads_sql),
        Migration("compatible_sessions", PackageResources.compatible_sessions_sql),
        Migration("waiting_line", PackageResources.waiting_line_sql),
        Migration("stuck_rows_rest", PackageResources.stuck_rows_rest_sql),
        Migration("media_by_time", PackageResources.media_by_time_sql),
    ]
    package static let rowFunctions =
        NetworkLimit.rows + SessionRows.all + InitLimit.rows + PracticeRows.all + HandoverRows.all + RetentionRows.all
        + ResumableRows.all
    package static let problems =
        ProblemCode.sessions + ProblemCode.uploads + ProblemCode.practice + ProblemCode.retention
    package static let objectAccess = ObjectAccess(owns: [.uploads, .media, .exportsOfSessions])
    package static let reactions = Session.reactions
    package static let publication = publishing(PublishedBySessions.outgoing)
    package static let readModels = [
        ReadModelHistory.readModel(SessionProjection.self, of: Session.category),
        ReadModelHistory.readModel(PracticeProjection.self, of: LoggedSession.category),
    ]
    package static let aggregates = [
        AggregateHistory(
            Session.self, categories: [Session.category, StreamName.subjectCategory],
            owners: [StreamName.subjectCategory],
            reactions: Session.reactions,
            command: SessionCommand.recalled),
        AggregateHistory(
            LoggedSession.self, categories: [LoggedSession.category], command: LoggedSessionCommand.recalled),
        AggregateHistory(Handover.self, categories: [Handover.category], command: HandoverCommand.recalled),
        AggregateHistory(
            MediaRetention.self, categories: [MediaRetention.category], owners: [MediaRetention.category],
            command: MediaRetentionCommand.recalled),
    ]

    package static let erasure: Erasure<Session>? = Erasure(
        belongings: { try await .streams(of: $0, [Session.category, LoggedSession.category], $1) }, forget: .erase,
        record: SessionCommand.recordErasure,
        last: {
            [
                SessionRows.forgetCreations($0), InitLimit.forget($0), PracticeRows.forget($0),
                RetentionRows.forget($0), ResumableRows.forget($0),
            ]
        })

    /// Begins it; ``PracticeHandovers`` goes on with it.
    package static let handover: DeviceHandover.Work? = { handover, store, gate in
        try await PracticeHandovers.begin(handover, store, through: gate)
    }

    /// Another service was restored and forgot why: an admission or an ending was told to the client and stands, and the
    /// other services settle on the ending.
    package static func compensation(for _: SessionEvent) -> Reaction<SessionCommand> { .ignore }

    /// Identity has forgotten that a device was handed over, or never said it: nothing more of it moves.
    ///
    /// - Throws: `EventDecodingError`, `AppendError` or `PostgresError`.
    @Loop package static func takeBack(
        _ event: RecordedEvent, _ store: EventStore, through gate: any AppendGate
    ) async throws {
        guard case .handoverBegun(let terms) = try event.decoded(as: SessionEvent.self) else { return }
        try await PracticeHandovers.end(terms, because: event, store, through: gate)
    }

    /// After a restore a recording that was removed stays removed, too.
    ///
    /// - Throws: `ConfigurationError` for kinds and limits that cannot be read.
    @Loop package static func decidingAgain(_ store: EventStore, _ environment: Environment) throws -> DecidingAgain {
        let media = try MediaRestore(store, environment)
        return { message in
            if let isDecided = try await media.decideAgain(message) { return isDecided }
            return try await decideAgain(message, store)
        }
    }

    /// After a restore: what its owner deleted stays deleted.
    ///
    /// - Throws: `JSONError` for a message that cannot be read; what appending throws.
    @Loop package static func decideAgain(_ message: ReceivedMessage, _ store: EventStore) async throws -> Bool {
        if message.incoming.type == SessionWithdrawn.type {
            let withdrawn = try message.incoming.read(SessionWithdrawn.self)
            guard withdrawn.reason == .deleted else { return false }
            let commands = CommandHandler<LoggedSession>(store)
            let stream = LoggedSession.stream(withdrawn.sessionId)
            // It may be the device's again from which the account had it.
            let owner = try await commands.load(stream).state.session?.ownerId ?? withdrawn.ownerId
            return try await commands.decideAgain(.delete(by: owner), on: stream, because: message)
        }
        guard message.incoming.type == SessionDeleted.type else { return false }
        let deleted = try message.incoming.read(SessionDeleted.self)
        return try await CommandHandler<Session>(store).decideAgain(
            .delete(by: deleted.ownerId), on: Session.stream(deleted.sessionId), because: message)
    }

    package static func problem(of refusal: RowRefusal) -> Problem? { refusal.problem }

    package static func check(_ environment: Environment) { _ = SessionsSettings(environment) }

    @Loop package static func build(_ context: ServiceContext) async throws -> ServiceParts<SessionsResources> {
        let settings = SessionsSettings(context.environment)
        let objects = settings.objects.makeStore()
        let networks = NetworkLimit(context.store.pool, settings)
        let refusals = RefusalLimit(context.store.pool, settings)
        let inits = InitLimit(context.store.pool)
        let uploads = UploadStore(context.store, objects, patience: settings.sessionLifetime)
        let newSessions = NewSessions(context.store, settings, networks, refusals)
        let routes = SessionRoutes(context, settings, uploads, newSessions, WaitingLine(context.store.pool))
        let pieces = ResumableReceiving(context.store, settings, uploads, objects)
        let resumable = ResumableUploads(context.store.pool)
        let recordings = RecordingSending(objects, settings.retention)
        let receiving = StorageReceiving(context.store, settings, uploads, objects)
        let practice = PracticeLog(context, settings)
        let handovers = PracticeHandovers(context)
        let clock = clock(context.store)
        let mediaClock = mediaClock(context.store, settings.retention)
        let mediaLimitsClock = mediaLimitsClock(context.store, settings.retention)
        let forgetting = forgettingClock(context.store)
        let store = context.store
        let export = SessionsExport(context)
        let sweeper = ExpirySweeper([
            ("analyses of networks", { try await networks.sweep() }),
            ("refused creations", { try await refusals.sweep() }),
            ("resumable uploads", { try await resumable.sweep() }),
            ("sessions begun on the compatible surface", { try await inits.sweep() }),
        ])
        var service = ServiceParts(
            resources: SessionsResources(period: { try await period(of: $0, settings, store) }),
            routes: {
                routes.add(to: $0)
                ResumableRoutes(context, settings, pieces).add(to: $0)
                MediaRoutes(context, settings, recordings).add(to: $0)
                RetentionRoutes(context, settings).add(to: $0)
                PracticeRoutes(context, practice).add(to: $0)
                AppPracticeRoutes(context, practice).add(to: $0)
                guard context.settings.hasCompatibleSurface else { return }
                SessionTableRoutes(context).add(
                    to: CompatibleRoutes($0, context, .rest, refusals: problem(of:)))
                let storage = CompatibleRoutes(
                    $0, context, .storage, refusals: problem(of:), translation: CompatibleError.ofStorage)
                StorageRoutes(context, settings, receiving, recordings).add(to: storage)
                StorageResumableRoutes(context, settings, pieces).add(to: storage)
                SessionFunctionRoutes(context, settings, uploads, newSessions).add(
                    to: CompatibleRoutes($0, context, .functions, refusals: problem(of:)))
            }, objects: objects,
            background: [
                { await clock.run() }, { await mediaClock.run() },
                { await mediaLimitsClock.run(every: .seconds(3_600)) }, { await forgetting.run() },
                { await sweeper.run() }, { await handovers.run() },
            ])
        service.export = { try await export.write($0) }
        return service
    }

    /// For how long the recording of a session is kept that ends now, by its owner's choice at this moment. A choice that comes
    /// while this is decided is found by the clock.
    @Loop private static func period(
        of ready: ReportReady, _ settings: SessionsSettings, _ store: EventStore
    ) async throws -> MediaPeriod {
        let choice = try await CommandHandler<MediaRetention>(store).load(MediaRetention.stream(ready.ownerId)).state
        guard choice.keepMediaDays > 0,
            let session = try await CommandHandler<Session>(store).load(Session.stream(ready.sessionId)).state.identity,
            // A kind that is not declared any more keeps nothing.
            let rules = settings.kinds.upload(of: session.kind)
        else { return .none }
        return settings.retention.period(of: choice.keepMediaDays, limit: rules.keptDays, since: .now())
    }

    /// Takes away recordings whose time is over, or is by a smaller choice.
    @Loop private static func mediaClock(_ store: EventStore, _ retention: RetentionSettings) -> OverdueClock<Session> {
        mediaClock("media-clock", finding: "overdue_media", store, retention)
    }

    /// The same for what the other clock has not found in its time. Looks at all that is kept: when the service starts, perhaps with another
    /// limit, and now and then.
    @Loop static func mediaLimitsClock(_ store: EventStore, _ retention: RetentionSettings) -> OverdueClock<Session> {
        mediaClock("media-limits-clock", finding: "overlong_media", store, retention)
    }

    @Loop private static func mediaClock(
        _ name: String, finding function: String, _ store: EventStore, _ retention: RetentionSettings
    ) -> OverdueClock<Session> {
        OverdueClock(
            Session.self, store, name: name, actor: "sessions-clock",
            candidates: """
                select session_id, owner_id, allowed_until, now()
                from \(function)(\(retention.mostDays), interval '\(retention.day.components.seconds) seconds')
                """
        ) { row in
            let (id, until, now) = (row.uuid(0), row.time(2), row.time(3))
            // The same moment is first a limit, and later over.
            let name = "\(until <= now ? "remove" : "limit")-media \(until.microseconds)"
            return OverdueClock.Due(
                .limitMedia(until: until, at: now), on: Session.stream(id), owner: row.uuid(1),
                id: UUID.v5(namespace: id, name: name))
        }
    }

    /// Removes sessions of nobody when nobody can read them any more: their device has what it wanted.
    @Loop private static func forgettingClock(_ store: EventStore) -> OverdueClock<Session> {
        OverdueClock(
            Session.self, store, name: "forgetting-clock", actor: "sessions-clock",
            candidates: """
                select session_id, owner_id
                from unreachable_sessions(interval '\(SessionCapability.lifetime.components.seconds) seconds')
                """
        ) { row in
            let (id, owner) = (row.uuid(0), row.uuid(1))
            return OverdueClock.Due(
                .delete(by: owner), on: Session.stream(id), owner: owner, id: UUID.v5(namespace: id, name: "forget"))
        }
    }

    /// Ends what nobody goes on with: sessions that were not finalized in time, and work that nobody answers.
    @Loop private static func clock(_ store: EventStore) -> OverdueClock<Session> {
        OverdueClock(
            Session.self, store, name: "clock", actor: "sessions-clock",
            candidates: "select session_id, owner_id, is_work, now() from overdue_sessions()"
        ) { row in
            let id = row.uuid(0)
            let isWork = row.bool(2)
            return OverdueClock.Due(
                isWork ? .failOverdue(at: row.time(3)) : .expire(at: row.time(3)), on: Session.stream(id),
                owner: row.uuid(1), id: UUID.v5(namespace: id, name: isWork ? "fail-overdue" : "expire"))
        }
    }
}
