extension JSONValue {
    /// The compact JSON text, members in order.
    package var bytes: [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(256)
        write(to: &out)
        return out
    }

    /// The compact JSON text.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The JSON text with one member per line, for people.
    package var prettyText: String {
        var out: [UInt8] = []
        write(to: &out, indentedBy: 0)
        return String(decoding: out, as: UTF8.self)
    }

    package func write(to out: inout [UInt8]) {
        switch self {
        case .array(let elements):
            out.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { out.append(UInt8(ascii: ",")) }
                element.write(to: &out)
            }
            out.append(UInt8(ascii: "]"))
        case .object(let object):
            out.append(UInt8(ascii: "{"))
            for (index, member) in object.members.enumerated() {
                if index > 0 { out.append(UInt8(ascii: ",")) }
                Self.write(member.key, to: &out)
                out.append(UInt8(ascii: ":"))
                member.value.write(to: &out)
            }
            out.append(UInt8(ascii: "}"))
        default: writeScalar(to: &out)
        }
    }

    private func write(to out: inout [UInt8], indentedBy depth: Int) {
        func newLine(_ depth: Int) {
            out.append(0x0A)
            for _ in 0..<depth { out.append(contentsOf: "  ".utf8) }
        }
        switch self {
        case .array(let elements) where !elements.isEmpty:
            out.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { out.append(UInt8(ascii: ",")) }
                newLine(depth + 1)
                element.write(to: &out, indentedBy: depth + 1)
            }
            newLine(depth)
            out.append(UInt8(ascii: "]"))
        case .object(let object) where !object.isEmpty:
            out.append(UInt8(ascii: "{"))
            for (index, member) in object.members.enumerated() {
                if index > 0 { out.append(UInt8(ascii: ",")) }
                newLine(depth + 1)
                Self.write(member.key, to: &out)
                out.append(contentsOf: ": ".utf8)
                member.value.write(to: &out, indentedBy: depth + 1)
            }
            newLine(depth)
            out.append(UInt8(ascii: "}"))
        default: write(to: &out)
        }
    }

    private func writeScalar(to out: inout [UInt8]) {
        switch self {
        case .null: out.append(contentsOf: "null".utf8)
        case .bool(let value): out.append(contentsOf: (value ? "true" : "false").utf8)
        case .int(let value): out.append(contentsOf: String(value).utf8)
        case .double(let value):
            // JSON has no infinity or NaN; they are written as null, as in ECMAScript.
            out.append(contentsOf: value.isFinite ? value.description.utf8 : "null".utf8)
        case .string(let value): Self.write(value, to: &out)
        case .array, .object: break
        }
    }

    private static let hexDigits = Array("0123456789abcdef".utf8)

    private static func write(_ string: String, to out: inout [UInt8]) {
        out.append(UInt8(ascii: "\""))
        var string = string
        string.withUTF8 { text in
            // Whatever needs no escape is copied in one piece: nearly always the whole string.
            var start = 0
            for place in text.indices where needsEscape(text[place]) {
                out.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<place]))
                writeEscape(of: text[place], to: &out)
                start = place + 1
            }
            out.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
        }
        out.append(UInt8(ascii: "\""))
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func writeEscape(of byte: UInt8, to out: inout [UInt8]) {
        out.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x0A: out.append(UInt8(ascii: "n"))
        case 0x0D: out.append(UInt8(ascii: "r"))
        case 0x09: out.append(UInt8(ascii: "t"))
        case 0..<0x20:
            out.append(contentsOf: "u00".utf8)
            out.append(hexDigits[Int(byte >> 4)])
            out.append(hexDigits[Int(byte & 15)])
        default: out.append(byte)
        }
    }
}
