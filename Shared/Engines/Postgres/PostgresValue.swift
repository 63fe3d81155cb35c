package import Primitives

/// A statement's parameter, sent in PostgreSQL's binary format with its type, so nothing needs quoting or guessing.
package enum PostgresValue: Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case text(String)
    case bytes([UInt8])
    case uuid(UUID)
    case time(Timestamp)
    /// A JSON document, kept byte for byte by a `json` column.
    case json([UInt8])
    case bools([Bool])
    case ints([Int64])
    case texts([String?])
    case uuids([UUID?])
    case byteas([[UInt8]?])
    case jsons([[UInt8]?])

    /// The value made from an optional, or NULL.
    package static func optional<T>(_ value: T?, _ make: (T) -> PostgresValue) -> PostgresValue {
        value.map(make) ?? .null
    }
}

/// Type OIDs from PostgreSQL's catalog (`pg_type.dat`); they never change.
enum PostgresType {
    static let bool: UInt32 = 16
    static let bytea: UInt32 = 17
    static let int8: UInt32 = 20
    static let text: UInt32 = 25
    static let json: UInt32 = 114
    static let float8: UInt32 = 701
    static let timestamptz: UInt32 = 1184
    static let uuid: UInt32 = 2950
    static let boolArray: UInt32 = 1000
    static let byteaArray: UInt32 = 1001
    static let int8Array: UInt32 = 1016
    static let textArray: UInt32 = 1009
    static let jsonArray: UInt32 = 199
    static let uuidArray: UInt32 = 2951
}

/// Microseconds between 1970 and PostgreSQL's epoch, 1 January 2000.
let postgresEpoch: Int64 = 946_684_800_000_000

extension PostgresValue {
    /// The OID of the parameter's type; 0 lets the server infer it.
    var type: UInt32 {
        switch self {
        case .null: 0
        case .bool: PostgresType.bool
        case .int: PostgresType.int8
        case .double: PostgresType.float8
        case .text: PostgresType.text
        case .bytes: PostgresType.bytea
        case .uuid: PostgresType.uuid
        case .time: PostgresType.timestamptz
        case .json: PostgresType.json
        case .bools: PostgresType.boolArray
        case .ints: PostgresType.int8Array
        case .texts: PostgresType.textArray
        case .uuids: PostgresType.uuidArray
        case .byteas: PostgresType.byteaArray
        case .jsons: PostgresType.jsonArray
        }
    }

    /// Appends the binary format.
    func encode(into out: inout [UInt8]) {
        switch self {
        case .null: break
        case .bool(let value): out.append(value ? 1 : 0)
        case .int(let value): out.appendBigEndian(UInt64(bitPattern: value))
        case .double(let value): out.appendBigEndian(value.bitPattern)
        case .text(let value): out.append(contentsOf: value.utf8)
        case .bytes(let value), .json(let value): out.append(contentsOf: value)
        case .uuid(let value):
            out.appendBigEndian(value.high)
            out.appendBigEndian(value.low)
        case .time(let value): out.appendBigEndian(UInt64(bitPattern: value.microseconds - postgresEpoch))
        case .bools(let values):
            out.appendArray(values.map(Optional.some), of: PostgresType.bool) { $1.append($0 ? 1 : 0) }
        case .ints(let values):
            out.appendArray(values.map(Optional.some), of: PostgresType.int8) {
                $1.appendBigEndian(UInt64(bitPattern: $0))
            }
        case .texts(let values):
            out.appendArray(values, of: PostgresType.text) { $1.append(contentsOf: $0.utf8) }
        case .uuids(let values):
            out.appendArray(values, of: PostgresType.uuid) {
                $1.appendBigEndian($0.high)
                $1.appendBigEndian($0.low)
            }
        case .byteas(let values): out.appendArray(values, of: PostgresType.bytea) { $1.append(contentsOf: $0) }
        case .jsons(let values): out.appendArray(values, of: PostgresType.json) { $1.append(contentsOf: $0) }
        }
    }
}

extension [UInt8] {
    mutating func appendBigEndian(_ value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
    }

    /// One dimension, lower bound 1 (`array_recv` in PostgreSQL's sources).
    mutating func appendArray<T>(_ values: [T?], of type: UInt32, _ element: (T, inout [UInt8]) -> Void) {
        appendBigEndian(UInt32(values.isEmpty ? 0 : 1))
        appendBigEndian(UInt32(values.contains { $0 == nil } ? 1 : 0))
        appendBigEndian(type)
        if values.isEmpty { return }
        appendBigEndian(UInt32(values.count))
        appendBigEndian(UInt32(1))
        for value in values {
            guard let value else {
                appendBigEndian(Int32(-1))
                continue
            }
            let start = count
            appendBigEndian(Int32(0))
            element(value, &self)
            let length = Int32(count - start - 4)
            Swift.withUnsafeBytes(of: length.bigEndian) { bytes in
                for index in 0..<4 { self[start + index] = bytes[index] }
            }
        }
    }
}
