package import Configuration
package import Contracts
package import EventConsumer
package import EventSourcing
package import EventStore
package import HTTPServer
package import History
package import ObjectStorage
package import Observability
package import Postgres
package import Projections
package import Runtime

/// The declaration of a service: its name, what it consumes, decides, stores and publishes. The kit makes everything else
/// from it, in production, in tests and for debugging.
package protocol Service: SendableMetatype {
    /// The aggregate that handles messages of other services.
    associatedtype Root: Aggregate
    /// What reactions use for their lookups.
    associatedtype Resources: Sendable

    /// Its name, which is also that of its schema, its login role and its topic.
    static var name: ServiceName { get }
    /// Its own SQL files, which follow those of the platform, in order.
    static var migrations: [Migration] { get }
    /// The row functions of its own SQL files; a test compares them with the schema.
    static var rowFunctions: [RowDeclaration] { get }
    /// What it does about the messages of others, and thereby which topics it reads.
    static var reactions: Reactions<Root, Resources> { get }
    /// What to do about an own event whose cause was undone by another service's restore.
    static func compensation(for event: Root.Event) -> Reaction<Root.Command>
    /// Takes back what an event of another aggregate than the root has begun, whose cause was undone by another service's restore;
    /// by default nothing. Called for events without a ``compensation(for:)``; a repeat must change nothing.
    ///
    /// - Throws: `EventDecodingError`, `AppendError` or `PostgresError`.
    @Loop static func takeBack(_ event: RecordedEvent, _ store: EventStore, through gate: any AppendGate) async throws
    /// How everything that it has of a user is removed; nil for the service that decides erasures itself.
    static var erasure: Erasure<Root>? { get }
    /// How an account gets what an anonymous device has; nil for services where the device keeps it.
    static var handover: DeviceHandover.Work? { get }
    /// What is published of a private event.
    static var publication: Publication { get }
    /// Its aggregates, for replays and timelines.
    static var aggregates: [AggregateHistory] { get }
    /// Its read models: projectors, drift watches and debugging are made from this list.
    static var readModels: [ReadModelHistory] { get }
    /// An event described for people; nil where its name is enough.
    ///
    /// - Throws: `EventDecodingError` if this build cannot read it.
    static func words(_ event: RecordedEvent) throws(EventDecodingError) -> String?
    /// Why a caller whose access token is good is refused nevertheless; nil while the login session lasts. By default what
    /// the service has heard of identity.
    ///
    /// - Throws: `PostgresError`.
    @Loop static func refusal(
        of caller: Caller, _ ended: EndedLogins, _ store: EventStore
    ) async throws -> ProblemCode?
    /// What it does in the object store; by default nothing.
    static var objectAccess: ObjectAccess { get }
    /// The problems that it answers with besides those of the platform.
    static var problems: [ProblemCode] { get }
    /// The problem that a client gets when one of its row functions refuses; nil for a fault.
    static func problem(of refusal: RowRefusal) -> Problem?
    /// Decides again what a restore has undone but must not: deletions, erasures, retirements of keys, ended login sessions.
    ///
    /// Called for each message of the service's own topic that the restored history lacks; repeatable.
    ///
    /// - Returns: whether something was decided.
    /// - Throws: `JSONError` for a malformed message, the domain's refusal, `AppendError` or `PostgresError`. The
    ///   confirmation of the restore fails then and can be repeated.
    @Loop static func decideAgain(_ message: ReceivedMessage, _ store: EventStore) async throws -> Bool
    /// What decides again for one pass over those messages, when one is understood by others before it: each partition comes in its
    /// order. By default ``decideAgain(_:_:)``, for each message alone.
    ///
    /// - Throws: `ConfigurationError` for a variable that cannot be read; nothing was confirmed then.
    @Loop static func decidingAgain(_ store: EventStore, _ environment: Environment) throws -> DecidingAgain
    /// Gives up what a backup brings back that was begun and may have been stopped since without a message of it; by default nothing.
    ///
    /// Called when a restore is confirmed, after ``decideAgain(_:_:)``; repeatable.
    ///
    /// - Returns: how much was given up.
    /// - Throws: what appending throws. The confirmation of the restore fails then and can be repeated.
    @Loop static func giveUpAfterRestore(_ store: EventStore) async throws -> Int
    /// Further commands for operators; none by default.
    static var commands: [ServiceCommand] { get }
    /// Reads the service's own variables before anything is opened, so that one start lists all that is wrong with them.
    static func check(_ environment: Environment)
    /// What is wrong with the service's own work, by its rows; nothing by default. It changes nothing.
    ///
    /// - Throws: `PostgresError`.
    @Loop static func findings(_ pool: PostgresPool) async throws -> [ServiceFinding]
    /// Builds the parts over a store that is open and a schema that is up to date.
    ///
    /// - Throws: whatever makes a start impossible, such as `ConfigurationError` or `PostgresError`.
    @Loop static func build(_ context: ServiceContext) async throws -> ServiceParts<Resources>
}

/// Decides again what a message of the service's own topic says, as ``Service/decideAgain(_:_:)`` does.
package typealias DecidingAgain = @Loop (ReceivedMessage) async throws -> Bool

/// What is published of a private event.
package typealias Publication = @Sendable (RecordedEvent) throws(EventDecodingError) -> Outgoing?

extension Service {
    package static func words(_: RecordedEvent) throws(EventDecodingError) -> String? { nil }
    /// Most services publish nothing that must be decided again: they follow the messages of those that do.
    ///
    /// - Throws: nothing.
    @Loop package static func decideAgain(_: ReceivedMessage, _: EventStore) async throws -> Bool { false }
    /// Most need no message to understand another.
    ///
    /// - Throws: nothing.
    @Loop package static func decidingAgain(_ store: EventStore, _: Environment) throws -> DecidingAgain {
        { try await decideAgain($0, store) }
    }
    /// Most services begin nothing that comes about by itself.
    ///
    /// - Throws: nothing.
    @Loop package static func giveUpAfterRestore(_: EventStore) async throws -> Int { 0 }
    /// What the service has heard of identity.
    ///
    /// - Throws: nothing.
    @Loop package static func refusal(
        of caller: Caller, _ ended: EndedLogins, _: EventStore
    ) async throws -> ProblemCode? { ended.refusal(of: caller) }
    package static var handover: DeviceHandover.Work? { nil }
    /// Most services begin nothing that goes on behind an event of another aggregate.
    ///
    /// - Throws: nothing.
    @Loop package static func takeBack(_: RecordedEvent, _: EventStore, through _: any AppendGate) async throws {}
    package static var commands: [ServiceCommand] { [] }
    package static var objectAccess: ObjectAccess { ObjectAccess() }
    package static func check(_: Environment) {}
    /// Most services' work is what the platform looks at anyway.
    ///
    /// - Throws: nothing.
    @Loop package static func findings(_: PostgresPool) async throws -> [ServiceFinding] { [] }
    package static func problem(of _: RowRefusal) -> Problem? { nil }

    /// The services whose topics it reads.
    package static var reads: [ServiceName] { reactions.services }

    /// A publication over the service's own event type; of the kit's events only the parts of exports are published.
    package static func publishing<Event: PrivateEvent>(
        _ outgoing: @escaping @Sendable (Event) -> Outgoing?
    ) -> Publication {
        { (recorded) throws(EventDecodingError) in
            if ExportPartEvent.isOne(recorded.type) {
                return try recorded.decoded(as: ExportPartEvent.self).outgoing(from: name)
            }
            if KitEvents.isOne(recorded.type) { return nil }
            return outgoing(try recorded.decoded(as: Event.self))
        }
    }

    /// How the service's code reads its own log, for tools that look at histories.
    package static var history: ServiceHistory {
        ServiceHistory(
            name, reads: reads, hears: reactions.types, aggregates: aggregates, readModels: readModels,
            words: { (recorded) throws(EventDecodingError) in
                if LifeEvent.isOne(recorded.type) { return try recorded.decoded(as: LifeEvent.self).words }
                return KitEvents.isOne(recorded.type) ? nil : try words(recorded)
            }, publication: publication)
    }
}

extension Service where Resources == NoResources {
    /// The parts of a service whose reactions need no lookups.
    @Loop package static func parts(
        routes: @escaping (Router) -> Void, operators: @escaping (OperatorRoutes) -> Void = { _ in },
        objects: (any ObjectStore)? = nil, background: [@Loop () async -> Void] = [], seal: AnnouncementSeal? = nil,
        export: ExportSource? = nil, exportNotice: ExportNotice? = nil
    ) -> ServiceParts<NoResources> {
        var parts = ServiceParts(
            resources: NoResources(), routes: routes, operators: operators, objects: objects, background: background)
        parts.seal = seal
        parts.export = export
        parts.exportNotice = exportNotice
        return parts
    }
}

/// The resources of a service whose reactions need no lookups.
package struct NoResources: Sendable {
    package init() {}
}

/// What a service is built from.
@Loop package struct ServiceContext {
    package let settings: ServiceSettings
    /// For the service's own variables; problems found while building end the start.
    package let environment: Environment
    package let store: EventStore
    /// Reads on behalf of users: sees no rows but those of the owner that each query names.
    package let owners: OwnerReads
    package let tokens: TokenVerifier
    /// The access tokens of the compatible surface.
    package let compatibleTokens: TokenVerifier
    /// The tokens of apps that cannot refresh.
    package let appTokens: AppTokens
    /// The login sessions that have ended, as the service has heard of them.
    package let ended: EndedLogins
    /// The event streams that are open.
    package let eventStreams: ServerSentEventStreams
    package let hashes: RequestHashes
    package let security: SecurityLog
    package let zones: TimeZones
    package let log: Logger
    private let projectors: [String: any LiveReadModel]

    init(
        settings: ServiceSettings, environment: Environment, store: EventStore, owners: OwnerReads,
        tokens: TokenVerifier, compatibleTokens: TokenVerifier, appTokens: AppTokens, ended: EndedLogins,
        hashes: RequestHashes, security: SecurityLog, projectors: [String: any LiveReadModel], log: Logger
    ) {
        self.settings = settings
        self.environment = environment
        self.store = store
        self.owners = owners
        self.tokens = tokens
        self.compatibleTokens = compatibleTokens
        self.appTokens = appTokens
        self.ended = ended
        eventStreams = ServerSentEventStreams(settings.eventStreams)
        self.hashes = hashes
        self.security = security
        self.projectors = projectors
        zones = TimeZones(store.pool)
        self.log = log
    }

    /// The fold of one of the service's own read models, for tasks that wait for its changes.
    package func live<Model: ReadModel>(_: Model.Type) -> any LiveReadModel {
        guard let model = projectors[Model.name] else {
            preconditionFailure("\(Model.name) is not in the service's list of read models.")
        }
        return model
    }
}

/// What a service consists of besides what its declaration says.
@Loop package struct ServiceParts<Resources: Sendable> {
    /// What reactions use for their lookups.
    package var resources: Resources
    /// Adds the routes of the public port.
    package var routes: (Router) -> Void
    /// Adds the routes of operators to the admin port.
    package var operators: (OperatorRoutes) -> Void
    /// The object store, which is prepared before anything is served and swept while the service runs.
    package var objects: (any ObjectStore)?
    /// What runs in the background: workers, clocks. Each ends when its task is cancelled.
    package var background: [@Loop () async -> Void]
    /// Signs announcements; only identity makes any.
    package var seal: AnnouncementSeal?
    /// Writes what the service has of somebody, for an export; nil for a service that has nothing, or writes its part otherwise.
    package var export: ExportSource?
    /// How somebody is told that an export of theirs was asked for; nil for services that tell nobody.
    package var exportNotice: ExportNotice?
    /// What becomes of the parts that other services write for an export; nil for services that only write one.
    package var exportParts: ExportPartWork?

    package init(
        resources: Resources, routes: @escaping (Router) -> Void,
        operators: @escaping (OperatorRoutes) -> Void = { _ in }, objects: (any ObjectStore)? = nil,
        background: [@Loop () async -> Void] = []
    ) {
        self.resources = resources
        self.routes = routes
        self.operators = operators
        self.objects = objects
        self.background = background
    }
}
