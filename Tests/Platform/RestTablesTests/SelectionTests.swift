import CompatibleSurface
import JSON
import Testing

@testable import RestTables

@Suite struct `What is selected of a row` {
    private static let row: JSONObject = [
        "id": .string(Things.id(1)), "name": "Ada", "size": 7, "weight": 2.5, "is_red": true,
        "tags": ["pace": 120, "list": ["a", "b"]], "words": ["a", "b"],
    ]

    private func picked(_ select: String) throws -> JSONObject {
        try Things.query([("select", select)]).selection.picked(Self.row)
    }

    @Test func `has exactly these members, under these names, in this order`() throws {
        let some = try picked("size, label:name")
        #expect(some == ["size": 7, "label": "Ada"] && some.keys == ["size", "label"])
        #expect(try picked("*").keys == Things.table.columns.map(\.name))
        #expect(try picked("*,again:id").keys == Things.table.columns.map(\.name) + ["again"])
        #expect(try picked("") == Self.row)
        #expect(try picked(#""name""#) == ["name": "Ada"])
    }

    @Test func `is cast as it was asked for`() throws {
        #expect(
            try picked("size::text,w:weight::int,is_red::text,tags::text,weight::float8")
                == [
                    "size": "7", "w": 2, "is_red": "true", "tags": #"{"pace":120,"list":["a","b"]}"#, "weight": 2.5,
                ])
        #expect(throws: CompatibleError.self) { try picked("name::int") }
    }

    @Test func `goes into JSON by names and places`() throws {
        #expect(
            try picked("tags->pace,tags->>pace_text,first:tags->list->0,last:tags->list->>-1,none:tags->a->b,words->0")
                == ["pace": 120, "pace_text": .null, "first": "a", "last": "b", "none": .null, "words": "a"])
        #expect(try picked("tags->>pace") == ["pace": "120"])
    }
}
