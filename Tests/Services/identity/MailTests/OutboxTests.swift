import EventSourcing
import EventStore
import Glibc
import Postgres
import Primitives
import Runtime
import ServiceTesting
import Testing

@testable import Mail

@Suite(.timeLimit(.minutes(10))) @Loop struct `The outbox` {
    private func waiting(_ store: EventStore) async throws -> Int64 {
        try await store.pool.query("select count(*) from mail_outbox").rows[0].int(0)
    }

    private func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    @Test func `sends a mail once and forgets it; what has nothing to say goes unsent`() async throws {
        let server = try await TestServer()
        try await withStore { store in
            let outbox = makeOutbox(store, try makeSettings(["MAIL_URL": "smtp://127.0.0.1:\(server.port)?tls=none"]))
            try await outbox.queue("greeting", to: .v7())
            try await outbox.queue("nothing", to: .v7())
            #expect(try await outbox.sendNext())
            #expect(try await outbox.sendNext())
            #expect(try await !outbox.sendNext())
            #expect(try await waiting(store) == 0)
            #expect(server.mails.count == 1)
        }
        try await server.stop()
    }

    @Test func `tries again what a server puts off, with a longer wait each time, under the same Message-ID`()
        async throws
    {
        let server = try await TestServer(["--defer", "2"])
        try await withStore { store in
            let url = "smtp://127.0.0.1:\(server.port)?tls=none"
            let hasty = makeOutbox(store, try makeSettings(["MAIL_URL": url, "MAIL_RETRY": "1us"]))
            let patient = makeOutbox(store, try makeSettings(["MAIL_URL": url, "MAIL_RETRY": "10m"]))
            try await hasty.queue("greeting", to: .v7())
            let id = try await store.pool.query("select id from mail_outbox").rows[0].uuid(0)
            for _ in 1...2 { #expect(try await hasty.sendNext()) }
            #expect(server.mails.count == 0)
            #expect(try await patient.sendNext())
            #expect(server.mails.count == 1 && server.mails[0].contains("Message-ID: <\(id)@example.org>"))
            #expect(try await waiting(store) == 0)

            try await patient.queue("nobody", to: .v7())
            #expect(try await patient.sendNext())
            let row = try await store.pool.query("select parked, attempts from mail_outbox").rows[0]
            #expect(row.text(0) == "refused" && row.int(1) == 1)
            #expect(try await !patient.sendNext())
        }
        try await server.stop()
    }

    @Test func `doubles the wait up to an hour and parks a mail after its last attempt, until it is released`()
        async throws
    {
        let server = try await TestServer(["--defer", "1000"])
        try await withStore { store in
            let settings = try makeSettings([
                "MAIL_URL": "smtp://127.0.0.1:\(server.port)?tls=none", "MAIL_RETRY": "10m", "MAIL_ATTEMPTS": "5",
            ])
            let outbox = makeOutbox(store, settings)
            try await outbox.queue("greeting", to: .v7())
            var waits: [Int64] = []
            while try await outbox.sendNext() {
                let row = try await store.pool.query(
                    "select (extract(epoch from due_at - now()) / 60)::int from mail_outbox"
                ).rows[0]
                waits.append(row.int(0))
                _ = try await store.pool.query("update mail_outbox set due_at = now()")
            }
            #expect(waits == [10, 20, 40, 60, 60])
            #expect(try await store.pool.query("select parked from mail_outbox").rows[0].text(0) == "deferred")
            #expect(try await MailOutbox.releaseParked(store) == 1)
            #expect(try await outbox.sendNext())
        }
        try await server.stop()
    }

    @Test func `sends again what a crash has left between taking and removing`() async throws {
        let folder = TemporaryFolder()
        try await withStore { store in
            let outbox = makeOutbox(store, try makeSettings(["MAIL_URL": "file:\(folder.path)", "MAIL_RETRY": "1us"]))
            let owner = UUID.v7()
            try await outbox.queue("greeting", to: owner)
            // As a process does that is killed right after: the row is taken, and nobody removes it.
            let taken = try await store.pool.query("select id from take_mail(interval '0')")
            #expect(taken.count == 1 && !exists("\(folder.path)/\(owner)"))
            #expect(try await outbox.sendNext())
            #expect(exists("\(folder.path)/\(owner)/\(taken.rows[0].uuid(0)).eml"))
        }
    }

    @Test func `shared by many takes each mail once`() async throws {
        let server = try await TestServer()
        try await withStore { store in
            let settings = try makeSettings(["MAIL_URL": "smtp://127.0.0.1:\(server.port)?tls=none"])
            let outboxes = (1...4).map { _ in makeOutbox(store, settings) }
            for _ in 1...12 { try await outboxes[0].queue("greeting", to: .v7()) }
            let loops = outboxes.map { outbox in Loop.task { while try await outbox.sendNext() {} } }
            for loop in loops { try await loop.value }
            #expect(server.mails.count == 12 && Set(server.mails).count == 12)
        }
        try await server.stop()
    }

    @Test func `forgets an erased owner: what waits, and what lies in a folder`() async throws {
        let folder = TemporaryFolder()
        try await withStore { store in
            let outbox = makeOutbox(store, try makeSettings(["MAIL_URL": "file:\(folder.path)"]))
            let (anna, bert) = (UUID.v7(), UUID.v7())
            for owner in [anna, bert] { try await outbox.queue("greeting", to: owner) }
            while try await outbox.sendNext() {}
            #expect(exists("\(folder.path)/\(anna)") && exists("\(folder.path)/\(bert)"))
            try await outbox.queue("greeting", to: anna)
            try await store.append(
                Append(
                    id: .v7(), requestHash: [],
                    metadata: EventMetadata(owner: anna, correlation: .v7(), actor: "test"), writes: [],
                    calls: MailOutbox.forgetting(anna)))
            #expect(try await waiting(store) == 1)
            while try await outbox.sendNext() {}
            #expect(!exists("\(folder.path)/\(anna)") && exists("\(folder.path)/\(bert)"))
            #expect(try await waiting(store) == 0)
        }
    }

    @Test func `runs by itself and is woken by a new mail`() async throws {
        let server = try await TestServer()
        try await withStore { store in
            let outbox = makeOutbox(store, try makeSettings(["MAIL_URL": "smtp://127.0.0.1:\(server.port)?tls=none"]))
            let running = Loop.task { await outbox.run() }
            for count in 1...3 {
                try await outbox.queue("greeting", to: .v7())
                while server.mails.count < count { try await Loop.sleep(for: .milliseconds(5)) }
            }
            running.cancel()
            _ = await running.result
        }
        try await server.stop()
    }
}
