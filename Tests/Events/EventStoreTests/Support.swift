import EventSourcing
import EventStore
import JSON
import Postgres
import PostgresTesting
import Primitives
import Runtime

/// An event with any text as data.
struct Note: PrivateEvent {
    var text = "note"
    var type: EventType { EventType("Note") }
    var data: JSONObject { ["text": .string(text)] }

    static func decode(_ type: EventType, _ data: JSONObject) throws(EventDecodingError) -> Note {
        try reading(type, data) { (name, data) throws(JSONError) in
            name == "Note" ? try Note(text: data.string("text")) : nil
        }
    }
}

/// Row functions that tests make, each in its own way.
let refuse = RowFunction("say_no", .string("code"), refusals: [RowRefusal("no"), RowRefusal("not-now")])
let takeName = RowFunction("take_name", .string("name"))
let tallyName = RowFunction("tally", .string("name"))
let tallyID = RowFunction("tally", .uuid("id"))
let breakDown = RowFunction("break")
let countUp = RowFunction("count_up", .string("name"))

/// A migrated store with its own database.
@Loop struct StoreFixture {
    let administrator: PostgresSettings
    let settings: PostgresSettings
    let store: EventStore

    init(_ extra: [Migration] = []) async throws { try await self.init(upTo: Migration.eventStore + extra) }

    /// - Parameter migrations: all that are to be applied.
    init(upTo migrations: [Migration]) async throws {
        let database = try await TestPostgres.makeDatabase(schemas: ["notes"])
        administrator = database.administrator
        settings = database.roles["notes"]!
        _ = try await Migrator(schema: "notes", role: "notes", migrations: migrations).run(administrator)
        store = EventStore(settings)
    }

    /// A second instance of the service on the same log.
    func secondStore() -> EventStore { EventStore(settings) }
}

func metadata(owner: UUID? = nil) -> EventMetadata { EventMetadata(owner: owner, correlation: .v7(), actor: "test") }

/// An append of notes to one stream.
func notes(
    _ stream: StreamName, after version: Int64, _ texts: String..., id: UUID = .v7(), hash: [UInt8] = [1],
    owner: UUID? = nil, calls: [RowCall] = []
) -> Append {
    Append(
        id: id, requestHash: hash, metadata: metadata(owner: owner),
        writes: [StreamWrite(stream, expectedVersion: version, events: texts.map { NewEvent(Note(text: $0)) })],
        calls: calls)
}
