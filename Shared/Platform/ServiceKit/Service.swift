package import Configuration
package import Contracts
package import EventConsumer
package import EventSourcing
package import EventStore
package import HTTPServer
package import ObjectStorage
package import Observability
package import Runtime

/// What makes a service: its name, its schema and how its parts are put together.
package protocol Service {
    /// Its name, which is its schema, its login role and its topic too.
    static var name: ServiceName { get }
    /// Its own SQL files, behind those of the platform, in order.
    static var migrations: [Migration] { get }
    /// The services whose topics it reads.
    static var reads: [ServiceName] { get }
    /// What is published of a private event.
    static var publication: @Sendable (RecordedEvent) throws(EventDecodingError) -> Outgoing? { get }
    /// Decides again what a restore has undone and must not come undone: deletions, erasures, retirements of keys.
    ///
    /// Called for each message of the service's own topic that the restored history lacks; repeatable.
    ///
    /// - Returns: whether something was decided.
    @Loop static func decideAgain(_ message: ReceivedMessage, _ store: EventStore) async throws -> Bool
    /// What operators can have done besides; by default nothing.
    static var commands: [ServiceCommand] { get }
    /// Reads the service's own variables before anything is opened, so that one start lists all that is wrong with them.
    static func check(_ environment: Environment)
    /// Builds the parts over a store that is open and a schema that is up to date.
    @Loop static func build(_ context: ServiceContext) async throws -> ServiceParts
}

extension Service {
    /// Most services publish nothing that must be decided again: they follow the messages of those that do.
    @Loop package static func decideAgain(_: ReceivedMessage, _: EventStore) async throws -> Bool { false }
    package static var commands: [ServiceCommand] { [] }
    package static func check(_: Environment) {}
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
    package let hashes: RequestHashes
    package let zones: TimeZones
    package let log: Logger

    package init(
        settings: ServiceSettings, environment: Environment, store: EventStore, owners: OwnerReads,
        tokens: TokenVerifier, hashes: RequestHashes, log: Logger
    ) {
        self.settings = settings
        self.environment = environment
        self.store = store
        self.owners = owners
        self.tokens = tokens
        self.hashes = hashes
        zones = TimeZones(store.pool)
        self.log = log
    }
}

/// What a service consists of.
@Loop package struct ServiceParts {
    /// Adds the routes of the public port.
    package var routes: (Router) -> Void
    /// What is published of a private event.
    package var publication: @Sendable (RecordedEvent) throws(EventDecodingError) -> Outgoing?
    /// Who handles the messages of other services.
    package var handler: any MessageHandler
    /// Adds the routes of operators to the admin port.
    package var operators: (OperatorRoutes) -> Void
    /// The object store, which is prepared before anything is served.
    package var objects: (any ObjectStore)?
    /// What runs beside: projectors, workers, sweepers. Each ends when its task is cancelled.
    package var background: [@Loop () async -> Void]

    package init(
        routes: @escaping (Router) -> Void,
        publication: @escaping @Sendable (RecordedEvent) throws(EventDecodingError) -> Outgoing?,
        handler: any MessageHandler, operators: @escaping (OperatorRoutes) -> Void = { _ in },
        objects: (any ObjectStore)? = nil, background: [@Loop () async -> Void]
    ) {
        self.routes = routes
        self.publication = publication
        self.handler = handler
        self.operators = operators
        self.objects = objects
        self.background = background
    }
}

extension ServiceParts {
    /// A publication over the service's own event type; learned keys are nobody else's business.
    package nonisolated static func publishing<Event: PrivateEvent>(
        _ outgoing: @escaping @Sendable (Event) -> Outgoing?
    ) -> @Sendable (RecordedEvent) throws(EventDecodingError) -> Outgoing? {
        { (recorded) throws(EventDecodingError) in
            if KeyEvent.isOne(recorded.type) { return nil }
            return outgoing(try recorded.decoded(as: Event.self))
        }
    }
}
