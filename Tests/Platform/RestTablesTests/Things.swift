import CompatibleSurface
import JSON
import Testing

@testable import RestTables

/// A table of every type.
enum Things {
    static let table = RestTable(
        "things",
        [
            RestColumn("id", .uuid), RestColumn("name", .text), RestColumn("size", .integer),
            RestColumn("weight", .double), RestColumn("is_red", .boolean), RestColumn("created_at", .timestamp),
            RestColumn("day", .date), RestColumn("tags", .json), RestColumn("words", .texts),
            RestColumn("made", .text, isInSource: false),
        ],
        source: """
            select (e ->> 'id')::uuid as id, e ->> 'name' as name, (e ->> 'size')::bigint as size,
                (e ->> 'weight')::float8 as weight, (e ->> 'is_red')::boolean as is_red,
                (e ->> 'created_at')::timestamptz as created_at, (e ->> 'day')::date as day, e -> 'tags' as tags,
                e -> 'words' as words, e as row
            from json_array_elements($2::json) e where $1::uuid is null or true
            """)

    static func id(_ number: Int) -> String { "00000000-0000-4000-8000-00000000000\(number)" }

    /// Four of them; of the last one nothing is known but its id and its time.
    static let rows: [JSONObject] = [
        [
            "id": .string(id(1)), "name": "Ada, the first", "size": 1, "weight": 0.5, "is_red": true,
            "created_at": "2026-01-01T10:00:00.000000Z", "day": "2026-01-01", "tags": ["calm", "warm"],
            "words": ["a", "b c"],
        ],
        [
            "id": .string(id(2)), "name": "100% (\"sure\")", "size": 2, "weight": 1.5, "is_red": false,
            "created_at": "2026-01-02T10:00:00.000000Z", "day": "2026-01-02", "tags": ["calm"], "words": ["b c"],
        ],
        [
            "id": .string(id(3)), "name": "null", "size": 3, "weight": 2.5, "is_red": true,
            "created_at": "2026-01-03T10:00:00.000000Z", "day": "2026-01-03", "tags": [], "words": [],
        ],
        [
            "id": .string(id(4)), "name": .null, "size": .null, "weight": .null, "is_red": .null,
            "created_at": "2026-01-04T10:00:00.000000Z", "day": .null, "tags": .null, "words": .null,
        ],
    ]

    /// Reads a query as the server does: a pair for each `name=value`, decoded already.
    static func query(_ pairs: [(String, String)]) throws(CompatibleError) -> RestQuery {
        try RestQuery(pairs.map { (name: $0.0, value: $0.1) }, of: table)
    }

    /// The error of a query that is refused.
    static func refusal(_ pairs: [(String, String)]) -> CompatibleError? {
        do throws(CompatibleError) {
            _ = try query(pairs)
            return nil
        } catch {
            return error
        }
    }
}
