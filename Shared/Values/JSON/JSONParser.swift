/// Reads one JSON text, strictly: UTF-8, no NUL and no lone surrogate even as an escape, no repeated key, bounded depth,
/// nothing behind the value.
///
/// What PostgreSQL's `json` type takes on input and chokes on later (`\u0000`, lone surrogates) is refused here, before
/// it can enter an event.
struct JSONParser {
    private static let maximumDepth = 64
    let bytes: UnsafeBufferPointer<UInt8>
    var place = 0
    private var depth = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    mutating func parseDocument() throws(JSONError) -> JSONValue {
        let value = try parseValue()
        skipSpace()
        guard place == bytes.count else { throw error("has text behind its end") }
        return value
    }

    func error(_ problem: String) -> JSONError { JSONError(.syntax, at: "byte \(place)", problem) }

    private mutating func skipSpace() {
        while place < bytes.count {
            switch bytes[place] {
            case 0x20, 0x09, 0x0A, 0x0D: place += 1
            default: return
            }
        }
    }

    private mutating func parseValue() throws(JSONError) -> JSONValue {
        skipSpace()
        guard place < bytes.count else { throw error("ends too early") }
        switch bytes[place] {
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
        guard place + length <= bytes.count else { throw error("ends too early") }
        for index in 0..<length where bytes[place + index] != word.utf8Start[index] {
            throw error("is not a JSON value")
        }
        place += length
        return value
    }

    private mutating func enter() throws(JSONError) {
        depth += 1
        if depth > Self.maximumDepth { throw error("is nested deeper than \(Self.maximumDepth)") }
        place += 1
        skipSpace()
    }

    private mutating func parseObject() throws(JSONError) -> JSONValue {
        try enter()
        defer { depth -= 1 }
        var members: [(key: String, value: JSONValue)] = []
        if place < bytes.count, bytes[place] == UInt8(ascii: "}") {
            place += 1
            return .object(JSONObject(uniqueMembers: members))
        }
        members.reserveCapacity(8)
        while true {
            skipSpace()
            guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") else { throw error("needs a member name") }
            let key = try parseString()
            for member in members where member.key == key { throw error("repeats a member name") }
            skipSpace()
            guard place < bytes.count, bytes[place] == UInt8(ascii: ":") else { throw error("needs a colon") }
            place += 1
            members.append((key, try parseValue()))
            skipSpace()
            guard place < bytes.count else { throw error("ends too early") }
            if bytes[place] == UInt8(ascii: ",") {
                place += 1
            } else if bytes[place] == UInt8(ascii: "}") {
                place += 1
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
        if place < bytes.count, bytes[place] == UInt8(ascii: "]") {
            place += 1
            return .array(elements)
        }
        while true {
            elements.append(try parseValue())
            skipSpace()
            guard place < bytes.count else { throw error("ends too early") }
            if bytes[place] == UInt8(ascii: ",") {
                place += 1
            } else if bytes[place] == UInt8(ascii: "]") {
                place += 1
                return .array(elements)
            } else {
                throw error("needs a comma or a closing bracket")
            }
        }
    }

    private mutating func parseNumber() throws(JSONError) -> JSONValue {
        let start = place
        var isInteger = true
        if place < bytes.count, bytes[place] == UInt8(ascii: "-") { place += 1 }
        let firstDigit = place
        try skipDigits()
        if bytes[firstDigit] == UInt8(ascii: "0"), place - firstDigit > 1 { throw error("has a leading zero") }
        if place < bytes.count, bytes[place] == UInt8(ascii: ".") {
            isInteger = false
            place += 1
            try skipDigits()
        }
        if place < bytes.count, bytes[place] | 0x20 == UInt8(ascii: "e") {
            isInteger = false
            place += 1
            if place < bytes.count, bytes[place] == UInt8(ascii: "+") || bytes[place] == UInt8(ascii: "-") {
                place += 1
            }
            try skipDigits()
        }
        let text = String(decoding: bytes[start..<place], as: UTF8.self)
        if isInteger {
            guard let value = Int64(text) else { throw error("has an integer beyond 64 bits") }
            return .int(value)
        }
        guard let value = Double(text), value.isFinite else { throw error("has a number out of range") }
        return .double(value)
    }

    private mutating func skipDigits() throws(JSONError) {
        let start = place
        while place < bytes.count, bytes[place] >= 0x30, bytes[place] <= 0x39 { place += 1 }
        if place == start { throw error("is not a JSON value") }
    }

    private mutating func parseString() throws(JSONError) -> String {
        place += 1
        let start = place
        // Most strings are ASCII, which needs no check; the check is much of a parser's time.
        var seen: UInt8 = 0
        while place < bytes.count {
            let byte = bytes[place]
            if byte == UInt8(ascii: "\"") {
                let slice = UnsafeBufferPointer(rebasing: bytes[start..<place])
                let text = seen < 0x80 ? String(decoding: slice, as: UTF8.self) : try text(slice)
                place += 1
                return text
            }
            if byte == UInt8(ascii: "\\") { return try parseEscapedString(from: start) }
            if byte < 0x20 { throw error("has a raw control character in a string") }
            seen |= byte
            place += 1
        }
        throw error("ends inside a string")
    }

    func text(_ slice: some Collection<UInt8>) throws(JSONError) -> String {
        guard let text = String(validating: slice, as: UTF8.self) else { throw error("is not UTF-8") }
        return text
    }
}
