import EventSourcing
import EventStore
import ObjectStorage
import Observability
import Postgres
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing

@testable import sessions

@Suite(.timeLimit(.minutes(10))) @Loop struct `The sweeper` {
    /// Three rows that an append locks in one order and a search by key finds in the other, among so many that indexes are
    /// used.
    private static let rows = """
        insert into object_intents (object_key, subject, purpose, unwanted, deadline)
            select 'uploads/m/' || i, gen_random_uuid(), 'other', true, '2100-01-01' from generate_series(1, 20000) i;
        insert into object_intents (object_key, subject, purpose, unwanted)
            select 'uploads/' || k, '%', 'test', true from unnest(array['c', 'b', 'a']) with ordinality as k (k, n)
            order by n;
        analyze object_intents;
        """

    @Test func `and an append that discards the same objects do not wait for each other in a circle`() async throws {
        let folder = TemporaryFolder()
        let variables = [
            "OBJECT_STORE": "file://\(folder.path)", "UPLOAD_KEY": "an upload key of at least 16 characters",
        ]
        try await withService(SessionsService.self, variables) { service in
            let subject = UUID.v7()
            let holder = try await PostgresConnection.open(service.administratorSettings)
            defer { holder.close() }
            try await holder.script(Self.rows.replacing("%", with: subject.description))
            try await holder.script("begin; select from object_intents where object_key = 'uploads/b' for update")

            let store = service.store
            let append = Loop.task {
                try await store.append(
                    Append(
                        id: .v7(), requestHash: [],
                        metadata: EventMetadata(owner: subject, correlation: .v7(), actor: "test"), writes: [],
                        calls: [KitRows.discardObjects(subject)]))
            }
            #expect(try await service.eventually { try await waiting(service) == 1 })
            let sweeper = ObjectSweeper(store, try #require(service.first.objects), log: Logger(label: "test"))
            let sweep = Loop.task { try await sweeper.sweep(of: subject) }
            #expect(try await service.eventually { try await waiting(service) == 2 })
            try await holder.script("commit")
            _ = try await append.value
            try await sweep.value
            #expect(try await service.count("select count(*) from object_intents where purpose = 'test'") == 0)
        }
    }

    @Test func `goes on behind an object that cannot be removed, and says so at the end`() async throws {
        try await withSessions(background: false) { fixture in
            let objects = try #require(fixture.service.first.objects)
            try await objects.write([7], to: "uploads/b")
            // No store takes the first key, which comes first.
            _ = try await fixture.service.administrator.query(
                """
                insert into object_intents (object_key, subject, purpose, unwanted)
                select k, gen_random_uuid(), 'test', true from unnest(array['UPLOADS/a', 'uploads/b']) k
                """)
            let sweeper = ObjectSweeper(fixture.service.store, objects, log: Logger(label: "test"))
            await #expect(throws: ObjectStoreError.badKey("UPLOADS/a")) { try await sweeper.sweep() }
            let left = try await fixture.service.administrator.query("select object_key from object_intents").rows
            #expect(left.map { $0.text(0) } == ["UPLOADS/a"])
            #expect(try await fixture.objects() == [])
        }
    }

    @Test func `goes on behind many objects that cannot be removed, in its next round`() async throws {
        try await withSessions(background: false) { fixture in
            let objects = try #require(fixture.service.first.objects)
            try await objects.write([7], to: "uploads/b")
            _ = try await fixture.service.administrator.query(
                """
                insert into object_intents (object_key, subject, purpose, unwanted)
                select k, gen_random_uuid(), 'test', true
                from unnest(array['UPLOADS/1', 'UPLOADS/2', 'UPLOADS/3', 'UPLOADS/4', 'uploads/b']) k
                """)
            let sweeper = ObjectSweeper(fixture.service.store, objects, log: Logger(label: "test"))
            // It may be the store that fails.
            await #expect(throws: ObjectStoreError.badKey("UPLOADS/3")) { try await sweeper.sweep() }
            #expect(try await fixture.objects() == ["uploads/b"])
            await #expect(throws: ObjectStoreError.badKey("UPLOADS/4")) { try await sweeper.sweep() }
            #expect(try await fixture.objects() == [])
            // And begins with the first again.
            await #expect(throws: ObjectStoreError.badKey("UPLOADS/3")) { try await sweeper.sweep() }
        }
    }

    /// How many backends wait for a lock of this database's.
    private func waiting(_ service: ServiceUnderTest<SessionsService>) async throws -> Int64 {
        try await service.count(
            """
            select count(*) from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'
            """)
    }
}
