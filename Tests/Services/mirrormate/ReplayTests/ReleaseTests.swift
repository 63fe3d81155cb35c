import Contracts
import EventSourcing
import EventStore
import History
import Postgres
import Primitives
import Replay
import Runtime
import ServiceKit
import Testing
import TestingSupport

@testable import analysis
@testable import identity
@testable import quota
@testable import reporting
@testable import sessions

@Suite(.timeLimit(.minutes(10))) @Loop struct `An upgrade from a release` {
    /// Read models of what no release knows yet.
    private static let younger = ["practice_log", "practice_days", "practitioners", "goals"]
    /// Services that no release knows yet: they begin with an empty log.
    private static let youngerServices: Set<ServiceName> = [.notifications]

    @Test(arguments: ReleasedData.all) func `keeps every event and every row`(release: String) async throws {
        try await AllSchemas.run(release: release) { schemas in
            for store in schemas.stores {
                let isYounger = Self.youngerServices.contains(store.service)
                #expect(try await (store.head() > 0) != isYounger, "\(store.service.rawValue) has a log")
                for model in store.history.readModels {
                    let findings = try await ReadModelCheck(store, model).run()
                    #expect(findings.rows > 0 || Self.younger.contains(model.name), "\(model.name) has rows")
                    #expect(findings.driftCount == 0, "\(model.name) is what today's code makes of the log")
                }
            }
        }
    }

    @Test(arguments: ReleasedData.all) func `finds the streams of every owner as the log tells them`(release: String)
        async throws
    {
        try await AllSchemas.run(release: release) { schemas in
            for service in ServiceName.allCases {
                let known = try await schemas.number(service, "select count(*) from stream_owners")
                let unlike = try await schemas.number(
                    service,
                    """
                    select count(*) from stream_owners o full join (
                        select distinct (metadata ->> 'owner')::uuid as owner, stream from events
                        where metadata ->> 'owner' is not null) e using (owner, stream)
                    where o is null or e is null
                    """)
                #expect((known > 0) != Self.youngerServices.contains(service) && unlike == 0, "\(service.rawValue)")
            }
        }
    }

    @Test(arguments: ReleasedData.all) func `publishes what was published`(release: String) async throws {
        try await AllSchemas.run(release: release) { schemas in
            for (service, publication) in [
                (ServiceName.identity, IdentityService.publication), (.sessions, SessionsService.publication),
                (.quota, QuotaService.publication), (.analysis, AnalysisService.publication),
                (.reporting, ReportingService.publication),
            ] {
                var published = 0
                for event in try await schemas.logs[service]!.readLog(after: 0, limit: 10_000)
                where try publication(event) != nil { published += 1 }
                let cursors = try await schemas.number(
                    service, "select sum(last_position)::bigint from relay_partitions")
                #expect(published > 0 && cursors > 0, "\(service.rawValue) has published")
            }
        }
    }

    @Test(arguments: ReleasedData.all) func `is gone on with by today's code`(release: String) async throws {
        try await AllSchemas.run(release: release) { schemas in
            let before = try await schemas.store(.sessions).head()
            var random = SeededRandom(seed: 11)
            try await RandomHistory<Session>.sessions.write(200, to: schemas.logs[.sessions]!, &random)
            try await schemas.fold(SessionProjection.self, of: .sessions)
            let store = schemas.store(.sessions)
            let findings = try await ReadModelCheck(store, store.history.readModels[0]).run()
            #expect(findings.position > before)
            #expect(findings.driftCount == 0)
        }
    }
}
