/// Which bytes of a representation a request asks for (RFC 9110, section 14).
package enum ByteRange: Sendable, Equatable {
    /// All of them, also for a request of a form that need not be understood.
    case whole
    /// These, of which there is at least one.
    case part(Range<Int64>)
    /// None that there are: 416.
    case unsatisfiable

    /// What a field `Range` asks of a representation of so many bytes.
    ///
    /// Several ranges count as none: a server may answer with the whole (section 14.2), and nobody can make it send the same bytes
    /// many times.
    init(_ field: String, of size: Int64) {
        let text = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard text.count == 2, text[0].lowercased() == "bytes", !text[1].contains(",") else {
            self = .whole
            return
        }
        let range = text[1].drop { $0 == " " }
        guard let dash = range.firstIndex(of: "-") else {
            self = .whole
            return
        }
        let (first, last) = (range[..<dash], range[range.index(after: dash)...].prefix { $0 != " " })
        switch (Self.number(first), Self.number(last)) {
        case (nil, let count?) where first.isEmpty:
            // The last bytes.
            self = count > 0 && size > 0 ? .part(max(0, size - count)..<size) : .unsatisfiable
        case (let start?, nil) where last.isEmpty: self = start < size ? .part(start..<size) : .unsatisfiable
        case (let start?, let end?) where start <= end:
            self = start < size ? .part(start..<min(size, end < .max ? end + 1 : end)) : .unsatisfiable
        default: self = .whole
        }
    }

    /// A number of digits alone; one that is too large counts as the largest.
    private static func number(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text) ?? .max
    }
}

extension Request {
    /// Which bytes the client wants of a representation with a strong tag. With `If-Range` (RFC 9110, section 13.1.5) a part only
    /// of that very representation.
    ///
    /// - Parameters:
    ///   - size: the number of bytes of the whole.
    ///   - tag: its strong entity tag, in quotes.
    package func byteRange(of size: Int64, tag: String) -> ByteRange {
        // Defined for GET alone.
        guard method == "GET", let field = headers["range"] else { return .whole }
        if let condition = headers["if-range"], condition != tag { return .whole }
        return ByteRange(field, of: size)
    }
}
