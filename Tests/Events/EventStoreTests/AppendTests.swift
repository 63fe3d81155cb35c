import EventSourcing
import EventStore
import JSON
import Postgres
import Primitives
import Runtime
import Testing

@Suite(.timeLimit(.minutes(10))) @Loop struct `An append` {
    private let stream = StreamName("note", .v7())

    @Test func `numbers its events densely from one and returns them byte for byte`() async throws {
        let fixture = try await StoreFixture()
        let id = UUID.v7()
        let receipt = try await fixture.store.append(notes(stream, after: 0, "a", "ü \"quoted\"", id: id))
        #expect(receipt.position == 1)
        let events = try await fixture.store.read(stream)
        #expect(events.map(\.position) == [1, 2])
        #expect(events.map(\.version) == [1, 2])
        #expect(events.map(\.id) == [Append.eventID(id, 0), Append.eventID(id, 1)])
        #expect(events[1].data == Array(#"{"text":"ü \"quoted\""}"#.utf8))
        #expect(events[0].recordedAt == receipt.recordedAt)
    }

    @Test func `with a known id and hash gets the first answer, with another hash is refused`() async throws {
        let fixture = try await StoreFixture()
        let id = UUID.v7()
        let first = try await fixture.store.append(notes(stream, after: 0, "a", id: id))
        let again = try await fixture.store.append(notes(stream, after: 0, "a", id: id))
        #expect(again.isRepeat && again.position == first.position && again.recordedAt == first.recordedAt)
        let onAnotherVersion = try await fixture.store.append(notes(stream, after: 1, "a", id: id))
        #expect(onAnotherVersion.isRepeat)
        await #expect(throws: AppendError.idReused) {
            try await fixture.store.append(notes(stream, after: 0, "b", id: id, hash: [2]))
        }
        #expect(try await fixture.store.readLog(after: 0, limit: 10).count == 1)
    }

    @Test func `at an outdated version is refused with the actual one`() async throws {
        let fixture = try await StoreFixture()
        try await fixture.store.append(notes(stream, after: 0, "a", "b"))
        await #expect(throws: AppendError.conflict(stream, actualVersion: 2)) {
            try await fixture.store.append(notes(stream, after: 1, "c"))
        }
        await #expect(throws: AppendError.conflict(stream, actualVersion: 2)) {
            try await fixture.store.append(notes(stream, after: 3, "c"))
        }
    }

    @Test func `to two streams is all or nothing`() async throws {
        let fixture = try await StoreFixture()
        let other = StreamName("note", .v7())
        try await fixture.store.append(notes(other, after: 0, "x"))
        let both = Append(
            id: .v7(), requestHash: [1], metadata: metadata(),
            writes: [
                StreamWrite(stream, expectedVersion: 0, events: [NewEvent(Note())]),
                StreamWrite(other, expectedVersion: 0, events: [NewEvent(Note())]),
            ])
        await #expect(throws: AppendError.conflict(other, actualVersion: 1)) { try await fixture.store.append(both) }
        #expect(try await fixture.store.read(stream).isEmpty)
    }

    @Test func `that conflicts, repeats or is refused fails none of its neighbours`() async throws {
        let fixture = try await StoreFixture([Migration("guards", Array(guardSQL.utf8))])
        let known = UUID.v7()
        try await fixture.store.append(notes(stream, after: 0, "a", id: known))
        let store = fixture.store
        // All are queued before the first flush, so they share batches.
        async let conflict = outcome(store, notes(stream, after: 0, "late"))
        async let good = outcome(store, notes(StreamName("note", .v7()), after: 0, "good"))
        async let again = outcome(store, notes(StreamName("note", .v7()), after: 0, "a", id: known))
        async let guarded = outcome(
            store, notes(StreamName("note", .v7()), after: 0, "g", calls: [refuse("not-now")]))
        async let violating = outcome(
            store, notes(StreamName("note", .v7()), after: 0, "g", calls: [takeName("")]))
        async let alsoGood = outcome(
            store, notes(StreamName("note", .v7()), after: 0, "g", calls: [takeName("n")]))
        #expect(await conflict == "conflict")
        #expect(await good == "appended")
        #expect(await again == "repeat")
        #expect(await guarded == "guarded not-now")
        #expect(await violating == "data names_name_check")
        #expect(await alsoGood == "appended")
        let log = try await store.readLog(after: 0, limit: 100)
        #expect(log.map(\.position) == [1, 2, 3])
    }

    @Test func `undoes its row writes when a later call refuses it`() async throws {
        let fixture = try await StoreFixture([Migration("guards", Array(guardSQL.utf8))])
        let calls = [takeName("n"), refuse("no")]
        await #expect(throws: AppendError.guarded(RowRefusal("no"))) {
            try await fixture.store.append(notes(stream, after: 0, "a", calls: calls))
        }
        #expect(try await fixture.store.pool.query("select count(*) from names").first?.int(0) == 0)
    }

    @Test(arguments: [0, 1])
    func `refuses a NUL character before it can reach a batch`(before: Int) async throws {
        let text = String(repeating: "a", count: before) + "\u{0}"
        let fixture = try await StoreFixture()
        await #expect(throws: AppendError.data("event-has-nul")) {
            try await fixture.store.append(notes(stream, after: 0, text))
        }
        // A backslash before a harmless u is not an escape.
        try await fixture.store.append(notes(stream, after: 0, "\\u0000"))
    }

    @Test func `refuses data of more than 256 KiB`() async throws {
        let fixture = try await StoreFixture()
        await #expect(throws: AppendError.data("event-too-large")) {
            try await fixture.store.append(notes(stream, after: 0, String(repeating: "x", count: 262_144)))
        }
    }

    @Test func `names the column that its row function misses`() async throws {
        let function = """
            create function row_break(args json) returns text language plpgsql as $$ begin
                perform forgotten_column from head;
                return null;
            end $$
            """
        let fixture = try await StoreFixture([Migration("break", Array(function.utf8))])
        let error = await #expect(throws: AppendError.self) {
            try await fixture.store.append(notes(stream, after: 0, "a", calls: [breakDown()]))
        }
        guard case .data(let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.hasPrefix("42703: ") && reason.contains("forgotten_column"))
    }

    @Test func `on behalf of an erased subject is refused, whatever comes late`() async throws {
        let fixture = try await StoreFixture()
        let owner = UUID.v7()
        try await fixture.store.append(
            Append(
                id: .v7(), requestHash: [], metadata: metadata(owner: owner), writes: [],
                calls: [EventStoreRows.eraseSubject(owner)], thoughErased: true))
        await #expect(throws: AppendError.erased) {
            try await fixture.store.append(notes(stream, after: 0, "late", owner: owner))
        }
        try await fixture.store.append(notes(stream, after: 0, "other", owner: .v7()))
    }

    @Test func `is refused by the whole store once topic and log disagree`() async throws {
        let fixture = try await StoreFixture()
        let connection = try await PostgresConnection.open(fixture.administrator)
        try await connection.script("update notes.head set refused = 'restore'")
        await #expect(throws: AppendError.storeRefused("restore")) {
            try await fixture.store.append(notes(stream, after: 0, "a"))
        }
    }

    /// The logs of all releases hold these ids.
    @Test func `gives its events ids that never change`() throws {
        let id = try #require(UUID("0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"))
        #expect(Append.eventID(id, 0).description == "bea7e75e-d8dc-5e6a-af3d-6056276d48b1")
        #expect(Append.eventID(id, 1).description == "e6673633-bd29-5ae8-b706-04ea7fdddccc")
    }

    @Test func `has a receipt that nobody else's request is given`() async throws {
        let fixture = try await StoreFixture()
        let id = UUID.v7()
        #expect(try await fixture.store.receipt(id: id, requestHash: [1]) == nil)
        let given = try await fixture.store.append(notes(stream, after: 0, "a", id: id))
        let again = try #require(try await fixture.store.receipt(id: id, requestHash: [1]))
        #expect(again.isRepeat && again.position == given.position && again.recordedAt == given.recordedAt)
        await #expect(throws: AppendError.idReused) {
            try await fixture.store.receipt(id: id, requestHash: [2])
        }
    }

    @Test func `is never recorded before the one before it, wherever the clock stands`() async throws {
        let fixture = try await StoreFixture()
        let connection = try await PostgresConnection.open(fixture.administrator)
        defer { connection.close() }
        // Recorded while the clock was a day ahead.
        try await connection.script(
            """
            insert into notes.events (position, stream, version, id, type, schema_version, data, metadata, recorded_at)
            values (1, 'note-early', 1, gen_random_uuid(), 'Note', 1, '{"text":"a"}', '{}', clock_timestamp() + interval '1 day')
            """)
        let ahead = try await connection.query("select recorded_at from notes.events").rows[0].time(0)
        let receipt = try await fixture.store.append(notes(stream, after: 0, "b"))
        #expect(receipt.position == 2 && receipt.recordedAt == ahead)
    }

    @Test func `works in read committed alone, where it sees what was committed while it waited`() async throws {
        let fixture = try await StoreFixture()
        let store = EventStore(fixture.settings.with("default_transaction_isolation", "repeatable read"))
        await #expect(throws: AppendError.self) { try await store.append(notes(stream, after: 0, "a")) }
        #expect(try await fixture.store.readLog(after: 0, limit: 1).isEmpty)
        await store.close()
    }

    private func outcome(_ store: EventStore, _ append: Append) async -> String {
        do {
            return try await store.append(append).isRepeat ? "repeat" : "appended"
        } catch AppendError.conflict {
            return "conflict"
        } catch AppendError.guarded(let code) {
            return "guarded \(code)"
        } catch AppendError.data(let name) {
            return "data \(name)"
        } catch {
            return "\(error)"
        }
    }
}

private let guardSQL = """
    create table names (name text primary key check (name <> ''));
    create function row_say_no(args json) returns text language sql as $$ select args ->> 'code' $$;
    create function row_take_name(args json) returns text language sql as $$
        insert into names values (args ->> 'name');
        select null::text;
    $$;
    grant select on names to :role
    """
