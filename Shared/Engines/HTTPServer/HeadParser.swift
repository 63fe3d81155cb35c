/// Parses a complete head strictly (RFC 9112): what two programs could interpret differently is refused.
struct HeadParser {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let limits: ServerLimits
    private var place = 0

    /// A parser for a head, including its final empty line.
    init(_ bytes: UnsafeBufferPointer<UInt8>, limits: ServerLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    mutating func parse() throws(HeadRefusal) -> RequestHead {
        var head = RequestHead()
        try parseRequestLine(into: &head)
        try parseFields(into: &head)
        try interpret(&head)
        return head
    }

    private mutating func parseRequestLine(into head: inout RequestHead) throws(HeadRefusal) {
        let method = take { Token.contains($0) }
        guard !method.isEmpty, method.count <= 32, skip(0x20) else {
            throw .malformed("Begin the request with a method and one space.")
        }
        let target = take { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }
        guard target.first == UInt8(ascii: "/"), skip(0x20) else {
            throw .malformed("Name the target by its path, beginning with a slash, and one space behind it.")
        }
        let version = text(take { $0 != 0x0D })
        switch version {
        case "HTTP/1.1": break
        case "HTTP/1.0":
            head.isHTTP10 = true
            head.keepsAlive = false
        default:
            guard version.hasPrefix("HTTP/"), version.utf8.count == 8 else {
                throw .malformed("End the request's line with HTTP/1.1.")
            }
            throw HeadRefusal(code: .versionNotSupported)
        }
        try endLine()
        head.method = text(method)
        let sides = text(target).split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        head.path = String(sides[0])
        if sides.count == 2 { head.query = sides[1] }
    }

    private mutating func parseFields(into head: inout RequestHead) throws(HeadRefusal) {
        while bytes[place] != 0x0D {
            if head.headers.fields.count == limits.headerCount { throw .tooLarge }
            let name = take { Token.contains($0) }
            guard !name.isEmpty, skip(UInt8(ascii: ":")) else {
                throw .malformed("Write each header field as a name, a colon without space before it, and a value.")
            }
            _ = take { $0 == 0x20 || $0 == 0x09 }
            var value = take { ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }
            while let last = value.last, last == 0x20 || last == 0x09 { value = value.dropLast() }
            try endLine()
            guard let valid = String(validating: value, as: UTF8.self) else {
                throw .malformed("Write header values in UTF-8.")
            }
            head.headers.add(text(name), valid)
        }
        try endLine()
        if place != bytes.count { throw .malformed("End every line with CR LF.") }
    }

    private func interpret(_ head: inout RequestHead) throws(HeadRefusal) {
        let hosts = head.headers.all("Host")
        guard hosts.count == 1, !hosts[0].isEmpty, hosts[0].utf8.allSatisfy(Self.isAuthority) else {
            throw .malformed("Send exactly one Host field that names a host.")
        }
        let lengths = head.headers.all("Content-Length")
        let codings = head.headers.all("Transfer-Encoding")
        if !codings.isEmpty {
            guard lengths.isEmpty else {
                throw .malformed("Send either Content-Length or Transfer-Encoding, not both.")
            }
            guard !head.isHTTP10 else { throw .malformed("Transfer-Encoding needs HTTP/1.1.") }
            guard codings.count == 1, Headers.same(codings[0], "chunked") else {
                throw HeadRefusal(code: .codingNotSupported)
            }
            head.framing = .chunked
        } else if !lengths.isEmpty {
            guard lengths.count == 1, let length = Self.digits(lengths[0]) else {
                throw .malformed("Send one Content-Length of digits only.")
            }
            guard length <= limits.bodyBytes else { throw .bodyTooLarge }
            head.framing = length == 0 ? .none : .length(length)
        }
        for option in head.headers.all("Connection").flatMap(Self.list) {
            if Headers.same(option, "close") { head.keepsAlive = false }
        }
        if let expectation = head.headers["Expect"], !head.isHTTP10 {
            guard Headers.same(expectation, "100-continue") else {
                throw HeadRefusal(code: .expectationFailed)
            }
            head.expectsContinue = head.framing != .none
        }
    }

    // MARK: Pieces

    private mutating func take(while accepts: (UInt8) -> Bool) -> Slice<UnsafeBufferPointer<UInt8>> {
        let begin = place
        while place < bytes.count, accepts(bytes[place]) { place += 1 }
        return bytes[begin..<place]
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard place < bytes.count, bytes[place] == byte else { return false }
        place += 1
        return true
    }

    private mutating func endLine() throws(HeadRefusal) {
        guard skip(0x0D), skip(0x0A) else {
            throw .malformed("A line holds a character that is not allowed there.")
        }
    }

    private func text(_ part: Slice<UnsafeBufferPointer<UInt8>>) -> String { String(decoding: part, as: UTF8.self) }

    private static func isAuthority(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x7F && !"/\\@,?#\"<>".utf8.contains(byte)
    }

    /// The number, saturated at the maximum, which is beyond every limit.
    private static func digits(_ text: String) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text) ?? .max
    }

    private static func list(_ text: String) -> [String] {
        text.split(separator: ",").map { part in
            String(part.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
        }
    }
}

/// The characters of a method or field name (RFC 9110, section 5.6.2).
enum Token {
    private static let table: [Bool] = (0..<256).map { byte in
        let byte = UInt8(byte)
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            return true
        default: return "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    static func contains(_ byte: UInt8) -> Bool { table[Int(byte)] }
}
