import Glibc
import HTTPClient
import JSON

/// Notes what services answered their tests, one JSON document a line, in the file that `ANSWERS_SEEN` names. After
/// all tests, `Tests/system/contracts/answers.py` compares it with the description of the API, and `examples.py` takes from it what the
/// description shows.
enum SeenAnswers {
    private static let file: Int32? = getenv("ANSWERS_SEEN").map { open($0, O_WRONLY | O_APPEND | O_CREAT, 0o600) }

    /// The body of a request, where it is text of a moderate size.
    private static func sent(_ request: HTTPClientRequest) -> JSONValue {
        guard case .bytes(let bytes) = request.body, bytes.count <= 16_384,
            let text = String(validating: bytes, as: UTF8.self)
        else { return .null }
        return .string(text)
    }

    static func note(_ request: HTTPClientRequest, _ response: HTTPClientResponse) {
        guard let file else { return }
        let seen: JSONValue = [
            "method": .string(request.method), "url": .string(request.url), "sent": sent(request),
            "status": .int(Int64(response.status)),
            "type": .optional(response.header("content-type")),
            "body": .string(String(decoding: response.body, as: UTF8.self)),
        ]
        // One write for each line, so that tests that run at the same time do not mix theirs.
        let line = seen.bytes + [0x0A]
        precondition(write(file, line, line.count) == line.count, "ANSWERS_SEEN cannot be written.")
    }
}
