import Glibc
import JSON

/// Rows in the text format of COPY.
struct CopyText: Sendable {
    private(set) var bytes: [UInt8] = []

    /// Adds a row: the key, then the columns.
    mutating func add(_ key: String, _ row: JSONObject, _ columns: [String]) {
        var key = key
        key.withUTF8 { escape($0) }
        for column in columns {
            bytes.append(UInt8(ascii: "\t"))
            switch row[column] ?? .null {
            case .null: bytes += Array("\\N".utf8)
            case .bool(let value): bytes.append(UInt8(ascii: value ? "t" : "f"))
            case .string(var value): value.withUTF8 { escape($0) }
            case let value:
                let start = bytes.count
                value.write(to: &bytes)
                escape(from: start)
            }
        }
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Escapes the JSON that is there from a place on. It has no raw control characters, so all that can need it is a backslash, and
    /// most has none.
    private mutating func escape(from start: Int) {
        let isPlain = bytes.withUnsafeBytes { text in
            memchr(text.baseAddress! + start, Int32(UInt8(ascii: "\\")), text.count - start) == nil
        }
        if isPlain { return }
        let text = Array(bytes[start...])
        bytes.removeSubrange(start...)
        text.withUnsafeBufferPointer { escape($0) }
    }

    private mutating func escape(_ text: UnsafeBufferPointer<UInt8>) {
        var start = 0
        for place in text.indices {
            guard let letter = Self.escape(of: text[place]) else { continue }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<place]))
            bytes.append(UInt8(ascii: "\\"))
            bytes.append(letter)
            start = place + 1
        }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
    }

    /// What stands for a byte behind a backslash; nil for one that stands for itself.
    private static func escape(of byte: UInt8) -> UInt8? {
        // Of nearly all bytes, this is all that is asked.
        if byte > UInt8(ascii: "\r"), byte != UInt8(ascii: "\\") { return nil }
        return switch byte {
        case UInt8(ascii: "\\"): byte
        case UInt8(ascii: "\t"): UInt8(ascii: "t")
        case UInt8(ascii: "\n"): UInt8(ascii: "n")
        case UInt8(ascii: "\r"): UInt8(ascii: "r")
        default: nil
        }
    }
}
