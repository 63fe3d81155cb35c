/// Decoding of the request target (RFC 3986, section 2.1).
enum PercentDecoding {
    /// A decoded component; nil for an invalid escape, a NUL or invalid UTF-8.
    static func decode(_ bytes: some Collection<UInt8>, plusIsSpace: Bool = false) -> String? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var place = bytes.startIndex
        while place != bytes.endIndex {
            var byte = bytes[place]
            bytes.formIndex(after: &place)
            if byte == UInt8(ascii: "%") {
                byte = 0
                for _ in 0..<2 {
                    guard place != bytes.endIndex, let digit = digit(bytes[place]) else { return nil }
                    byte = byte << 4 | digit
                    bytes.formIndex(after: &place)
                }
            } else if byte == UInt8(ascii: "+"), plusIsSpace {
                byte = 0x20
            }
            if byte == 0 { return nil }
            decoded.append(byte)
        }
        return String(validating: decoded, as: UTF8.self)
    }

    /// The pairs of a query; nil if one cannot be decoded.
    static func query(_ text: Substring) -> [(name: String, value: String)]? {
        var pairs: [(name: String, value: String)] = []
        for part in text.utf8.split(separator: UInt8(ascii: "&")) {
            let sides = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = decode(sides[0], plusIsSpace: true),
                let value = sides.count == 2 ? decode(sides[1], plusIsSpace: true) : ""
            else { return nil }
            pairs.append((name, value))
        }
        return pairs
    }

    /// The decoded segments of a path that begins with a slash; nil if one cannot be decoded or is `.` or `..`.
    ///
    /// The path is split before decoding, so an escaped slash stays within its segment.
    static func segments(_ path: String) -> [String]? {
        var segments: [String] = []
        for part in path.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard let segment = decode(part), segment != ".", segment != ".." else { return nil }
            segments.append(segment)
        }
        return segments
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
