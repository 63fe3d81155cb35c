/// The request line and fields, with the framing they announce.
struct RequestHead {
    /// How the body is delimited.
    enum Framing: Equatable {
        case none
        case length(Int64)
        case chunked
    }

    var method = ""
    var path = ""
    var query: Substring = ""
    var isHTTP10 = false
    var headers = Headers()
    var framing = Framing.none
    var keepsAlive = true
    var expectsContinue = false
}

/// Why a request is refused before it reaches a handler; the connection is closed after the response.
struct HeadRefusal: Error, Equatable {
    let code: ProblemCode
    /// Advice more specific than that of the problem table.
    var detail: String?

    static func malformed(_ detail: String) -> HeadRefusal { HeadRefusal(code: .malformedRequest, detail: detail) }

    static let tooLarge = HeadRefusal(code: .headTooLarge)
    static let bodyTooLarge = HeadRefusal(code: .bodyTooLarge, detail: "Send a smaller body.")
    static let late = HeadRefusal(code: .requestTooSlow)

    var problem: Problem { Problem(code, detail: detail) }
}

/// Finds the end of a head in bytes that arrive in pieces, looking at each byte once.
struct HeadScanner {
    private var scanned = 0
    private var lineBegin = 0

    /// The number of bytes up to and including the empty line; nil if it has not arrived yet.
    ///
    /// - Throws: a refusal for a line that ends without a carriage return, or a head beyond the limit.
    mutating func end(in bytes: UnsafeBufferPointer<UInt8>, limit: Int) throws(HeadRefusal) -> Int? {
        while scanned < bytes.count {
            if scanned >= limit { throw .tooLarge }
            let byte = bytes[scanned]
            scanned += 1
            guard byte == 0x0A else { continue }
            let length = scanned - lineBegin
            guard length >= 2, bytes[scanned - 2] == 0x0D else { throw .malformed("End every line with CR LF.") }
            lineBegin = scanned
            if length == 2 { return scanned }
        }
        return nil
    }
}
