package import JSON

/// What a column of an exported table holds, as the schema beside the table says it.
package enum ExportColumnType: String, Sendable {
    /// A UUID.
    case id
    case text
    case integer
    case number
    case boolean
    /// A moment, RFC 3339.
    case time
    /// An object or a list; in CSV its JSON text.
    case structure

    /// The same in JSON Schema.
    var schema: JSONObject {
        switch self {
        case .id: ["type": ["string", "null"], "format": "uuid"]
        case .text: ["type": ["string", "null"]]
        case .integer: ["type": ["integer", "null"]]
        case .number: ["type": ["number", "null"]]
        case .boolean: ["type": ["boolean", "null"]]
        case .time: ["type": ["string", "null"], "format": "date-time"]
        case .structure: ["type": ["object", "array", "null"]]
        }
    }
}

/// A column of an exported table.
package struct ExportColumn: Sendable {
    package let name: String
    package let type: ExportColumnType
    /// What it says, in a sentence for its owner.
    package let meaning: String

    package init(_ name: String, _ type: ExportColumnType, _ meaning: String) {
        self.name = name
        self.type = type
        self.meaning = meaning
    }
}

/// A table of an export: becomes `<service>/<name>.json`, `<name>.csv` and `<name>.schema.json` in the archive.
package struct ExportTable: Sendable {
    /// The version of the form of all tables.
    static let formVersion: Int64 = 1

    package let name: String
    /// What its rows are, in a sentence for their owner.
    package let meaning: String
    package let columns: [ExportColumn]
    /// Whether it is written as CSV too; not where a row is a whole document.
    package let hasCSV: Bool

    package init(_ name: String, _ meaning: String, hasCSV: Bool = true, _ columns: [ExportColumn]) {
        self.name = name
        self.meaning = meaning
        self.columns = columns
        self.hasCSV = hasCSV
    }

    /// The JSON Schema (draft 2020-12) of the documents with its rows.
    package func schema(of service: String) -> JSONObject {
        let properties = JSONObject(
            columns.map { column in
                (column.name, .object(column.type.schema.adding(["description": .string(column.meaning)])))
            })
        return [
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": .string("\(service)/\(name)"), "description": .string(meaning), "type": "object",
            "required": ["formVersion", "schema", "exportId", "service", "table", "rows"],
            "properties": [
                "formVersion": ["const": .int(Self.formVersion)], "schema": ["type": "string"],
                "exportId": ["type": "string", "format": "uuid"], "service": ["const": .string(service)],
                "table": ["const": .string(name)],
                "rows": [
                    "type": "array",
                    "items": [
                        "type": "object", "required": .array(columns.map { .string($0.name) }),
                        "properties": .object(properties), "additionalProperties": false,
                    ],
                ],
            ],
        ]
    }

    /// The members of a row that are columns, in their order; `null` for those that it lacks.
    func row(_ given: JSONObject) -> JSONObject { JSONObject(columns.map { ($0.name, given[$0.name] ?? .null) }) }
}

/// Lines of CSV (RFC 4180) that no spreadsheet takes for formulas.
package enum ExportCSV {
    /// A line with its end.
    package static func line(_ cells: [JSONValue]) -> [UInt8] {
        Array((cells.map(cell).joined(separator: ",") + "\r\n").utf8)
    }

    /// What begins with one of these may be run by a spreadsheet that opens the file.
    private static let dangerous: Set<UInt8> = [0x3D, 0x2B, 0x2D, 0x40, 0x09, 0x0D]

    /// A value as a cell. Text that could be a formula begins with an apostrophe instead.
    static func cell(_ value: JSONValue) -> String {
        guard !value.isNull else { return "" }
        guard var text = value.stringValue else {
            return value.arrayValue != nil || value.objectValue != nil ? quoted(value.text) : value.text
        }
        if let first = text.utf8.first, dangerous.contains(first) { text = "'" + text }
        return text.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) } ? quoted(text) : text
    }

    private static func quoted(_ text: String) -> String {
        "\"\(text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\""
    }
}
