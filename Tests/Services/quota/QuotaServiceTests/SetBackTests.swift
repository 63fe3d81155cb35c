import EventStore
import Runtime
import ServiceTesting
import Testing

@testable import quota

@Suite(.timeLimit(.minutes(10))) @Loop struct `A read model of quota` {
    @Test func `rests at the end of a log that ends before what was known of it`() async throws {
        try await withService(QuotaService.self, background: true) { quota in
            try await quota.learnKey()
            let end = try await quota.count("select max(position) from events")
            // As after a restore under the running service.
            quota.store.head.raise(to: end + 1_000)
            // As long as more is believed to be there, it is looked for without a rest.
            #expect(try await quota.eventually { quota.store.head.position <= end })
        }
    }
}
