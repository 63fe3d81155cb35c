package import Contracts
package import EventSourcing
package import EventStore
package import HTTPServer
package import History
import Postgres
package import Primitives
import Runtime
package import ServiceKit

/// How often somebody may do something: reserves on creation, settles on the session's ending.
package enum QuotaService: Service {
    package typealias Root = Allowance
    package typealias Resources = QuotaResources

    package static let name = ServiceName.quota
    package static let migrations = [Migration("allowances", PackageResources.allowances_sql)]
    package static let rowFunctions: [RowDeclaration] = []
    package static let problems = ProblemCode.quota
    package static let reactions = Allowance.reactions
    package static let publication = publishing(PublishedByQuota.outgoing)
    package static let readModels = [
        ReadModelHistory.readModel(AllowanceProjection.self) { key in
            [StreamName(rawValue: "allowance-\(key.prefix { $0 != "/" })")]
        }
    ]
    package static let aggregates = [
        AggregateHistory(
            Allowance.self, categories: ["allowance"], owners: ["allowance"], reactions: Allowance.reactions,
            command: { record, _ in QuotaCommand.recalled(record) })
    ]

    /// All that this service has of a user is numbers in one stream and the rows folded from it.
    package static let erasure: Erasure<Allowance>? = Erasure(
        belongings: { subject, store in
            let rows = try await store.pool.query(
                "select count(*) from allowances where owner_id = $1", [.uuid(subject)])
            return .init(streams: [], rows: rows.first?.int(0) ?? 0)
        }, forget: nil, record: { (Allowance.stream($0), .erase(subject: $0, removed: $1)) })

    /// The restored store of `sessions` does not know the creation any more: what it holds is given back; other effects
    /// stand.
    package static func takeBack(_ event: QuotaEvent) -> Reaction<QuotaCommand> {
        switch event {
        case .reserved(let session, _, _, _, _):
            .apply(Allowance.stream(session.ownerId), .orphan(sessionId: session.sessionId))
        case .refused, .committed, .released, .endingNoted, .planChanged, .extraGranted, .subjectErased: .ignore
        }
    }

    package static func words(_ event: RecordedEvent) throws(EventDecodingError) -> String? {
        try event.decoded(as: QuotaEvent.self).words
    }

    @Loop package static func build(_ context: ServiceContext) async throws -> ServiceParts<QuotaResources> {
        let days = LocalDays(context.store.pool, log: context.log)
        let routes = QuotaRoutes(context)
        let operators = QuotaOperators(context)
        return ServiceParts(
            resources: QuotaResources { try await days.end(of: $0, in: $1) }, routes: { routes.add(to: $0) },
            operators: { operators.add(to: $0) })
    }
}

/// What reactions look things up in.
package struct QuotaResources: Sendable {
    /// The end of the local day that a moment lies in, in an IANA time zone.
    package let endOfLocalDay: @Loop @Sendable (_ moment: Timestamp, _ zone: String) async throws -> Timestamp

    package init(endOfLocalDay: @escaping @Loop @Sendable (Timestamp, String) async throws -> Timestamp) {
        self.endOfLocalDay = endOfLocalDay
    }
}

extension QuotaCommand {
    /// What was asked without a message, told from what followed.
    static func recalled(_ record: DecisionRecord<QuotaEvent>) -> QuotaCommand? {
        switch record.events.last {
        case .planChanged(let owner, let plan): .changePlan(ownerId: owner, plan)
        case .extraGranted(let owner, let kind, let units): .grant(ownerId: owner, kind: kind, units: units)
        case .subjectErased(let subject, let removed): .erase(subject: subject, removed: removed)
        case .reserved, .refused, .committed, .released, .endingNoted, nil: nil
        }
    }
}
