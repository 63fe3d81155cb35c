import Observability
import Postgres
import PostgresTesting
import Primitives
import Runtime
import ServiceKit
import Testing

@testable import quota

@Suite(.timeLimit(.minutes(10))) @Loop struct `A local day` {
    private func end(_ moment: String, _ zone: String) async throws -> String {
        let pool = PostgresPool(TestPostgres.administrator, size: 1)
        defer { pool.close() }
        let time = try #require(Timestamp(rfc3339: moment))
        return try await LocalDays(pool, TimeZones(pool), log: Logger(label: "test")).end(of: time, in: zone).rfc3339
    }

    @Test func `ends at the first midnight after the moment`() async throws {
        #expect(try await end("2026-11-21T22:59:59.999999Z", "Europe/Berlin") == "2026-11-21T23:00:00.000000Z")
        #expect(try await end("2026-11-21T23:00:00Z", "Europe/Berlin") == "2026-11-22T23:00:00.000000Z")
        #expect(try await end("2026-11-21T12:00:00Z", "Asia/Kathmandu") == "2026-11-21T18:15:00.000000Z")
        #expect(try await end("2026-11-21T12:00:00Z", "UTC") == "2026-11-22T00:00:00.000000Z")
    }

    @Test func `has 23 hours when clocks go forward and 25 when they go back`() async throws {
        // Berlin: 29 March and 25 October 2026.
        #expect(try await end("2026-03-28T23:00:00Z", "Europe/Berlin") == "2026-03-29T22:00:00.000000Z")
        #expect(try await end("2026-10-24T22:00:00Z", "Europe/Berlin") == "2026-10-25T23:00:00.000000Z")
        // New York: 8 March and 1 November 2026.
        #expect(try await end("2026-03-08T05:00:00Z", "America/New_York") == "2026-03-09T04:00:00.000000Z")
        #expect(try await end("2026-11-01T04:00:00Z", "America/New_York") == "2026-11-02T05:00:00.000000Z")
    }

    @Test func `ends when clocks skip midnight itself`() async throws {
        // Beirut, 29 March 2026: from 0:00 to 1:00.
        #expect(try await end("2026-03-28T12:00:00Z", "Asia/Beirut") == "2026-03-28T22:00:00.000000Z")
    }

    @Test(arguments: ["Mars/Olympus", "", "posix/Asia/Tokyo", "XYZ-167", "europe/berlin'", "\u{1F55B}"])
    func `of an unknown zone is a day in UTC`(zone: String) async throws {
        #expect(try await end("2026-11-21T12:00:00Z", zone) == "2026-11-22T00:00:00.000000Z")
    }
}
