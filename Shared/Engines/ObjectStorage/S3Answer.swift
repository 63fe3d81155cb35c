import HTTPClient

/// An S3 server's response: its status and single elements of its XML.
///
/// The documents that are read (errors, key listings, copy results) are flat, so elements are found by name.
struct S3Answer {
    let status: Int
    let body: [UInt8]

    init(status: Int, body: [UInt8]) {
        self.status = status
        self.body = body
    }

    init(_ response: HTTPClientResponse) { self.init(status: response.status, body: response.body) }

    /// S3's error code, such as `NoSuchKey`.
    var errorCode: String? {
        text.firstRange(of: "<Error>").flatMap { Self.elements("Code", in: text[$0.upperBound...]).first }
    }

    var isSuccess: Bool { (200..<300).contains(status) }

    /// The contents of all elements with a name.
    func elements(_ name: String) -> [String] { Self.elements(name, in: text[...]) }

    private var text: String { String(decoding: body, as: UTF8.self) }

    private static func elements(_ name: String, in text: Substring) -> [String] {
        var found: [String] = []
        var rest = text
        while let start = rest.firstRange(of: "<\(name)>"),
            let end = rest[start.upperBound...].firstRange(of: "</\(name)>")
        {
            found.append(decoded(rest[start.upperBound..<end.lowerBound]))
            rest = rest[end.upperBound...]
        }
        return found
    }

    private static func decoded(_ text: Substring) -> String {
        guard text.contains("&") else { return String(text) }
        return [
            ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#34;", "\""), ("&apos;", "'"), ("&#39;", "'"),
            ("&amp;", "&"),
        ]
        .reduce(String(text)) { $0.replacing($1.0, with: $1.1) }
    }

    /// The error for a refusal.
    ///
    /// - Parameter key: the requested object, if any.
    func error(_ key: String? = nil) -> ObjectStoreError {
        let word = errorCode.map { "\(status) \($0)" } ?? "\(status)"
        switch (status, errorCode) {
        case (_, "NoSuchBucket"):
            return .unavailable(
                "the S3 server has no such bucket; create it, or let the job bucket do so (docs/operations.md).")
        case (404, nil), (_, "NoSuchKey"), (_, "NotFound"): if let key { return .missing(key) }
        case (_, "SlowDown"), (_, "RequestTimeout"), (_, "OperationAborted"), (429, _), (500..., _):
            return .unavailable("the S3 server answered \(word); try again.")
        default: break
        }
        return .misconfigured(
            "The S3 server refused the request (\(word)); check S3_ACCESS_KEY, S3_SECRET_KEY, S3_REGION and S3_ENDPOINT."
        )
    }
}
