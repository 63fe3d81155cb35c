import EventSourcing
import JSON
import Primitives
import Testing

@Suite struct `Metadata` {
    private let full = EventMetadata(
        owner: UUID(high: 1, low: 2), correlation: UUID(high: 3, low: 4), causation: UUID(high: 5, low: 6),
        actor: "sessions", traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        origin: "quota/00000000-0000-0001-0000-000000000002/17")

    private func read(_ text: String) throws -> EventMetadata {
        try Array(text.utf8).withUnsafeBytes { try EventMetadata(stored: $0) }
    }

    @Test func `comes back as it was written, whatever is absent`() throws {
        var some = full
        for step in 0...4 {
            if step == 1 { some.owner = nil }
            if step == 2 { some.causation = nil }
            if step == 3 { some.traceparent = nil }
            if step == 4 { some.origin = nil }
            #expect(try read(JSONValue.object(some.json).text) == some)
        }
    }

    @Test(arguments: ["ü", "a\"b", "back\\slash", "", "tab\t"])
    func `comes back with any actor`(actor: String) throws {
        var other = full
        other.actor = actor
        #expect(try read(JSONValue.object(other.json).text) == other)
    }

    @Test func `is read in any form of JSON, and members that this build does not know are passed over`() throws {
        var object = full.json
        object["later"] = ["a": 1]
        object["owner"] = .string(full.owner!.description.uppercased())
        #expect(try read(JSONValue.object(object).prettyText) == full)
    }

    @Test(arguments: [
        "", "{", "{}", "[]", #"{"correlation":"00000000-0000-0003-0000-000000000004"}"#,
        #"{"correlation":"00000000-0000-0003-0000-000000000004","actor":"a"} "x""#,
        #"{"correlation":"no","actor":"a"}"#, #"{"correlation":"00000000-0000-0003-0000-000000000004","actor":1}"#,
        #"{"actor":"a","actor":"b","correlation":"00000000-0000-0003-0000-000000000004"}"#,
    ])
    func `that is none is refused`(text: String) {
        #expect(throws: JSONError.self) { try read(text) }
    }
}
