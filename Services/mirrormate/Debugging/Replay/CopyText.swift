import JSON

/// Rows in the text format of COPY.
struct CopyText {
    private(set) var bytes: [UInt8] = []

    /// Adds a row: the key, then the columns.
    mutating func add(_ key: String, _ row: JSONObject, _ columns: [String]) {
        escape(key.utf8)
        for column in columns {
            bytes.append(UInt8(ascii: "\t"))
            switch row[column] ?? .null {
            case .null: bytes += Array("\\N".utf8)
            case .bool(let value): bytes.append(UInt8(ascii: value ? "t" : "f"))
            case .string(let value): escape(value.utf8)
            case let value: escape(value.bytes)
            }
        }
        bytes.append(UInt8(ascii: "\n"))
    }

    private mutating func escape(_ text: some Sequence<UInt8>) {
        for byte in text {
            switch byte {
            case UInt8(ascii: "\\"): bytes += [byte, byte]
            case UInt8(ascii: "\t"): bytes += Array("\\t".utf8)
            case UInt8(ascii: "\n"): bytes += Array("\\n".utf8)
            case UInt8(ascii: "\r"): bytes += Array("\\r".utf8)
            default: bytes.append(byte)
            }
        }
    }
}
