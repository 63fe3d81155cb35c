import EventSourcing
import EventStore
import JSON
import Postgres
import Primitives
import Runtime
import Testing

/// Appends that are queued before the first flush, so that they share a batch.
@Suite(.timeLimit(.minutes(10))) @Loop struct `A batch` {
    private let stream = StreamName("note", .v7())

    @Test func `takes several appends to one stream, each on the version that the one before left`() async throws {
        let fixture = try await StoreFixture()
        let store = fixture.store
        let outcomes = try await outcomes(
            store,
            [
                notes(stream, after: 0, "a", "b"), notes(stream, after: 2, "c"), notes(stream, after: 2, "late"),
                notes(stream, after: 3, "d"),
            ])
        #expect(outcomes == ["appended", "appended", "conflict at 3", "appended"])
        let events = try await store.read(stream)
        #expect(events.map(\.version) == [1, 2, 3, 4])
        #expect(try events.map { try $0.decoded(as: Note.self).text } == ["a", "b", "c", "d"])
        // All of one commit.
        #expect(Set(events.map(\.recordedAt)).count == 1)
    }

    @Test func `lets one stream go on at the version before a refused append`() async throws {
        let fixture = try await StoreFixture([Migration("guards", Array(sayNoSQL.utf8))])
        let store = fixture.store
        let outcomes = try await outcomes(
            store,
            [
                notes(stream, after: 0, "a"), notes(stream, after: 1, "b", "c", calls: [refuse("no")]),
                notes(stream, after: 1, "d"),
            ])
        #expect(outcomes == ["appended", "guarded no", "appended"])
        #expect(try await store.read(stream).map(\.version) == [1, 2])
    }

    @Test func `accepts or refuses a group as a whole, and gives each append its own reason`() async throws {
        let fixture = try await StoreFixture([Migration("guards", Array(sayNoSQL.utf8))])
        let store = fixture.store
        let other = StreamName("note", .v7())
        try await store.append(notes(other, after: 0, "x"))
        let known = notes(StreamName("note", .v7()), after: 0, "known")
        let first = try await store.append(known)
        let tally = tallyName("t")

        // One conflict and one guard: nothing of the group is stored, not even its rows, and the other append is.
        let fallen = Loop.task {
            await store.append(together: [
                notes(stream, after: 0, "a", calls: [tally]), notes(stream, after: 1, "b"), notes(other, after: 0, "c"),
            ])
        }
        let neighbour = try await outcomes(store, [notes(stream, after: 0, "neighbour")])
        #expect(
            try await fallen.value == [
                .failure(.groupRefused), .failure(.groupRefused), .failure(.conflict(other, actualVersion: 1)),
            ])
        #expect(neighbour == ["appended"])
        let guarded = await store.append(together: [
            notes(stream, after: 1, "a", calls: [tally]), notes(other, after: 1, "b", calls: [refuse("no")]),
        ])
        #expect(guarded == [.failure(.groupRefused), .failure(.guarded(RowRefusal("no")))])
        #expect(try await store.pool.query("select from tallies").count == 0)
        #expect(try await store.read(other).count == 1)
        #expect(try await store.read(stream).count == 1)

        // A repeat does not make the group fail, and gets its first answer.
        let standing = await store.append(together: [
            notes(stream, after: 1, "a", calls: [tally]), known, notes(stream, after: 2, "b"),
        ])
        let receipts = try standing.map { try $0.get() }
        #expect(receipts.map(\.isRepeat) == [false, true, false])
        #expect(receipts[1].position == first.position && receipts[2].position == receipts[0].position + 1)
        #expect(try await store.pool.query("select from tallies").count == 1)
    }

    @Test func `refuses a group of which one may not join a batch`() async throws {
        let fixture = try await StoreFixture()
        let results = await fixture.store.append(together: [
            notes(stream, after: 0, "a"), notes(stream, after: 1, "\u{0}"),
        ])
        #expect(results == [.failure(.groupRefused), .failure(.data("event-has-nul"))])
        #expect(try await fixture.store.read(stream).isEmpty)
    }

    @Test func `asks again for an owner whom it has just erased`() async throws {
        let fixture = try await StoreFixture()
        let (store, owner) = (fixture.store, UUID.v7())
        let erasure = Append(
            id: .v7(), requestHash: [], metadata: metadata(owner: owner), writes: [],
            calls: [EventStoreRows.eraseSubject(owner)], thoughErased: true)
        let outcomes = try await outcomes(
            store,
            [notes(stream, after: 0, "before", owner: owner), erasure, notes(stream, after: 1, "late", owner: owner)])
        #expect(outcomes == ["appended", "appended", "erased"])
    }

    /// The results of appends that are queued in this order.
    private func outcomes(_ store: EventStore, _ appends: [Append]) async throws -> [String] {
        let tasks = appends.map { append in Loop.task { await self.outcome(store, append) } }
        var outcomes: [String] = []
        for task in tasks { outcomes.append(try await task.value) }
        return outcomes
    }

    private func outcome(_ store: EventStore, _ append: Append) async -> String {
        do {
            _ = try await store.append(append)
            return "appended"
        } catch AppendError.conflict(_, let version) {
            return "conflict at \(version)"
        } catch AppendError.guarded(let code) {
            return "guarded \(code)"
        } catch AppendError.erased {
            return "erased"
        } catch {
            return "\(error)"
        }
    }
}

private let sayNoSQL = """
    create table tallies (name text primary key);
    create function row_say_no(args json) returns text language sql as $$ select 'no' $$;
    create function row_tally(args json) returns text language sql as $$
        insert into tallies values (args ->> 'name');
        select null::text;
    $$;
    grant select on tallies to :role
    """
