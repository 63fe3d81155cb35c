/// Parses one JSON document strictly: UTF-8, no NUL and no lone surrogate even as an escape, no duplicate key, bounded
/// depth, nothing after the value.
///
/// What PostgreSQL's `json` type accepts on input but fails on later (`\u0000`, lone surrogates) is refused here, before
/// it can enter an event.
struct JSONParser {
    /// From so many members on, a repeated name is looked for by hash: each member beside each other would let a small body
    /// cost seconds.
    private static let hashedFrom = 16
    private let bytes: UnsafeBufferPointer<UInt8>
    private let limits: JSONLimits
    private var offset = 0
    private var depth = 0
    private var values = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>, _ limits: JSONLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    mutating func parseDocument() throws(JSONError) -> JSONValue {
        let value = try parseValue()
        skipSpace()
        guard offset == bytes.count else { throw error("has text behind its end") }
        return value
    }

    private func error(_ problem: String) -> JSONError { JSONError(.syntax, at: "byte \(offset)", problem) }

    private mutating func skipSpace() {
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x20, 0x09, 0x0A, 0x0D: offset += 1
            default: return
            }
        }
    }

    private mutating func parseValue() throws(JSONError) -> JSONValue {
        skipSpace()
        guard offset < bytes.count else { throw error("ends too early") }
        values += 1
        if values > limits.values { throw error("goes beyond the \(limits.values) values that are read") }
        switch bytes[offset] {
        case UInt8(ascii: "{"): return try parseObject()
        case UInt8(ascii: "["): return try parseArray()
        case UInt8(ascii: "\""): return .string(try parseString())
        case UInt8(ascii: "t"): return try parseWord("true", .bool(true))
        case UInt8(ascii: "f"): return try parseWord("false", .bool(false))
        case UInt8(ascii: "n"): return try parseWord("null", .null)
        default: return try parseNumber()
        }
    }

    private mutating func parseWord(_ word: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
        let length = word.utf8CodeUnitCount
        guard offset + length <= bytes.count else { throw error("ends too early") }
        for index in 0..<length where bytes[offset + index] != word.utf8Start[index] {
            throw error("is not a JSON value")
        }
        offset += length
        return value
    }

    private mutating func enter() throws(JSONError) {
        depth += 1
        if depth > limits.depth { throw error("is nested deeper than \(limits.depth)") }
        offset += 1
        skipSpace()
    }

    private mutating func parseObject() throws(JSONError) -> JSONValue {
        try enter()
        defer { depth -= 1 }
        var members: [(key: String, value: JSONValue)] = []
        var names: Set<String> = []
        if offset < bytes.count, bytes[offset] == UInt8(ascii: "}") {
            offset += 1
            return .object(JSONObject(uniqueMembers: members))
        }
        members.reserveCapacity(8)
        while true {
            skipSpace()
            guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") else { throw error("needs a member name") }
            let key = try parseString()
            if members.count < Self.hashedFrom {
                for place in members.indices where members[place].key == key { throw error("repeats a member name") }
            } else {
                if names.isEmpty { names = Set(members.map(\.key)) }
                guard names.insert(key).inserted else { throw error("repeats a member name") }
            }
            skipSpace()
            guard offset < bytes.count, bytes[offset] == UInt8(ascii: ":") else { throw error("needs a colon") }
            offset += 1
            members.append((key, try parseValue()))
            skipSpace()
            guard offset < bytes.count else { throw error("ends too early") }
            if bytes[offset] == UInt8(ascii: ",") {
                offset += 1
            } else if bytes[offset] == UInt8(ascii: "}") {
                offset += 1
                return .object(JSONObject(uniqueMembers: members))
            } else {
                throw error("needs a comma or a closing brace")
            }
        }
    }

    private mutating func parseArray() throws(JSONError) -> JSONValue {
        try enter()
        defer { depth -= 1 }
        var elements: [JSONValue] = []
        if offset < bytes.count, bytes[offset] == UInt8(ascii: "]") {
            offset += 1
            return .array(elements)
        }
        while true {
            elements.append(try parseValue())
            skipSpace()
            guard offset < bytes.count else { throw error("ends too early") }
            if bytes[offset] == UInt8(ascii: ",") {
                offset += 1
            } else if bytes[offset] == UInt8(ascii: "]") {
                offset += 1
                return .array(elements)
            } else {
                throw error("needs a comma or a closing bracket")
            }
        }
    }

    private mutating func parseNumber() throws(JSONError) -> JSONValue {
        let start = offset
        var isInteger = true
        if offset < bytes.count, bytes[offset] == UInt8(ascii: "-") { offset += 1 }
        let firstDigit = offset
        try skipDigits()
        if bytes[firstDigit] == UInt8(ascii: "0"), offset - firstDigit > 1 { throw error("has a leading zero") }
        if offset < bytes.count, bytes[offset] == UInt8(ascii: ".") {
            isInteger = false
            offset += 1
            try skipDigits()
        }
        if offset < bytes.count, bytes[offset] | 0x20 == UInt8(ascii: "e") {
            isInteger = false
            offset += 1
            if offset < bytes.count, bytes[offset] == UInt8(ascii: "+") || bytes[offset] == UInt8(ascii: "-") {
                offset += 1
            }
            try skipDigits()
        }
        let text = String(decoding: bytes[start..<offset], as: UTF8.self)
        if isInteger {
            guard let value = Int64(text) else { throw error("has an integer beyond 64 bits") }
            return .int(value)
        }
        guard let value = Double(text), value.isFinite else { throw error("has a number out of range") }
        return .double(value)
    }

    private mutating func skipDigits() throws(JSONError) {
        let start = offset
        while offset < bytes.count, bytes[offset] >= 0x30, bytes[offset] <= 0x39 { offset += 1 }
        if offset == start { throw error("is not a JSON value") }
    }

    private mutating func parseString() throws(JSONError) -> String {
        offset += 1
        let start = offset
        // Most strings are ASCII and need no validation, which would be much of the parsing time.
        var seen: UInt8 = 0
        while offset < bytes.count {
            let byte = bytes[offset]
            if byte == UInt8(ascii: "\"") {
                let slice = UnsafeBufferPointer(rebasing: bytes[start..<offset])
                let text = seen < 0x80 ? String(decoding: slice, as: UTF8.self) : try text(slice)
                offset += 1
                return text
            }
            if byte == UInt8(ascii: "\\") { return try parseEscapedString(from: start) }
            if byte < 0x20 { throw error("has a raw control character in a string") }
            seen |= byte
            offset += 1
        }
        throw error("ends inside a string")
    }

    private func text(_ slice: some Collection<UInt8>) throws(JSONError) -> String {
        guard let text = String(validating: slice, as: UTF8.self) else { throw error("is not UTF-8") }
        return text
    }
}

/// Strings with escapes, which are rare.
extension JSONParser {
    /// Parses the rest of a string that has an escape at the current offset.
    private mutating func parseEscapedString(from start: Int) throws(JSONError) -> String {
        var collected = Array(bytes[start..<offset])
        while offset < bytes.count {
            let byte = bytes[offset]
            offset += 1
            switch byte {
            case UInt8(ascii: "\""): return try text(collected)
            case UInt8(ascii: "\\"): try parseEscape(into: &collected)
            case 0..<0x20: throw error("has a raw control character in a string")
            default: collected.append(byte)
            }
        }
        throw error("ends inside a string")
    }

    private mutating func parseEscape(into collected: inout [UInt8]) throws(JSONError) {
        guard offset < bytes.count else { throw error("ends inside a string") }
        let byte = bytes[offset]
        offset += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): collected.append(byte)
        case UInt8(ascii: "b"): collected.append(0x08)
        case UInt8(ascii: "f"): collected.append(0x0C)
        case UInt8(ascii: "n"): collected.append(0x0A)
        case UInt8(ascii: "r"): collected.append(0x0D)
        case UInt8(ascii: "t"): collected.append(0x09)
        case UInt8(ascii: "u"):
            var scalar = UInt32(try parseHex4())
            if scalar >= 0xD800, scalar < 0xDC00 {
                guard offset + 1 < bytes.count, bytes[offset] == UInt8(ascii: "\\"),
                    bytes[offset + 1] == UInt8(ascii: "u")
                else { throw error("has a lone surrogate") }
                offset += 2
                let low = UInt32(try parseHex4())
                guard low >= 0xDC00, low < 0xE000 else { throw error("has a lone surrogate") }
                scalar = 0x10000 + ((scalar - 0xD800) << 10) + (low - 0xDC00)
            }
            guard scalar != 0 else { throw error("has a NUL character") }
            guard let unicode = Unicode.Scalar(scalar) else { throw error("has a lone surrogate") }
            collected.append(contentsOf: UTF8.encode(unicode)!)
        default: throw error("has an unknown escape")
        }
    }

    private mutating func parseHex4() throws(JSONError) -> UInt16 {
        guard offset + 4 <= bytes.count,
            let value = UInt16(String(decoding: bytes[offset..<(offset + 4)], as: UTF8.self), radix: 16),
            bytes[offset] != UInt8(ascii: "+")
        else { throw error("has a broken escape") }
        offset += 4
        return value
    }
}
