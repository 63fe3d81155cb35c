/// Strings with escapes; most have none.
extension JSONParser {
    /// The rest of a string that has an escape at the current place.
    mutating func parseEscapedString(from start: Int) throws(JSONError) -> String {
        var collected = Array(bytes[start..<place])
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
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
        guard place < bytes.count else { throw error("ends inside a string") }
        let byte = bytes[place]
        place += 1
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
                guard place + 1 < bytes.count, bytes[place] == UInt8(ascii: "\\"), bytes[place + 1] == UInt8(ascii: "u")
                else { throw error("has a lone surrogate") }
                place += 2
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
        guard place + 4 <= bytes.count,
            let value = UInt16(String(decoding: bytes[place..<(place + 4)], as: UTF8.self), radix: 16),
            bytes[place] != UInt8(ascii: "+")
        else { throw error("has a broken escape") }
        place += 4
        return value
    }
}
