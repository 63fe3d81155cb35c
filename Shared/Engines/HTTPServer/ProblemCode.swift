/// A kind of problem that a client can meet, declared once by the part that answers with it. Codes are stable; programs
/// distinguish problems by them.
///
/// Each owner declares its codes as static members in one file, with a list of all of them; a test joins the lists and finds
/// codes that are declared twice or in no list.
package struct ProblemCode: Sendable, Hashable, CustomStringConvertible {
    /// The code itself: lower-case words with hyphens.
    package let description: String
    /// The HTTP status, 400 to 599.
    package let status: Int
    /// The kind of problem in a few words, the same for every occurrence.
    package let title: String
    /// What the caller can do next, where a route knows nothing better.
    package let advice: String

    package init(_ code: String, _ status: Int, _ title: String, _ advice: String) {
        description = code
        self.status = status
        self.title = title
        self.advice = advice
    }
}

/// Problems of HTTP itself, of the gateway, and faults.
extension ProblemCode {
    package static let invalidRequest = ProblemCode(
        "invalid-request", 400, "The request is not valid",
        "Correct what detail names.")
    package static let malformedRequest = ProblemCode(
        "malformed-request", 400, "The request was refused",
        "Send a request that is well-formed HTTP/1.1.")
    package static let httpsNeeded = ProblemCode(
        "https-needed", 400, "Encryption needed",
        "Use the same address with https://.")
    package static let invalidJson = ProblemCode(
        "invalid-json", 400, "The body is not what it must be",
        "Correct the member that detail names.")
    package static let notFound = ProblemCode(
        "not-found", 404, "There is nothing at this path",
        "Check the path and the id; what belongs to somebody else looks as if it were not there.")
    package static let methodNotAllowed = ProblemCode(
        "method-not-allowed", 405, "The method is not allowed here",
        "Use one of the methods in Allow.")
    package static let requestTooSlow = ProblemCode(
        "request-too-slow", 408, "The request was refused",
        "Send the request again, and all of it without long pauses.")
    package static let lengthRequired = ProblemCode(
        "length-required", 411, "Length is missing",
        "Send the file with a Content-Length.")
    package static let bodyTooLarge = ProblemCode(
        "body-too-large", 413, "The body is too large",
        "Send at most as many bytes as limitBytes says.")
    package static let targetTooLong = ProblemCode(
        "target-too-long", 414, "The address is too long",
        "Send a shorter path and query.")
    package static let unsupportedMediaType = ProblemCode(
        "unsupported-media-type", 415, "Not JSON",
        "Send the body as application/json.")
    package static let expectationFailed = ProblemCode(
        "expectation-failed", 417, "The request was refused",
        "Expect nothing else than 100-continue.")
    package static let tooManyRequests = ProblemCode(
        "too-many-requests", 429, "Too many requests",
        "Wait for as many seconds as Retry-After says.")
    package static let headTooLarge = ProblemCode(
        "head-too-large", 431, "The request was refused",
        "Send fewer or shorter header fields.")
    package static let `internal` = ProblemCode(
        "internal", 500, "The server failed",
        "Try again later; when it happens again, report the traceId.")
    package static let codingNotSupported = ProblemCode(
        "coding-not-supported", 501, "The request was refused",
        "Use no other Transfer-Encoding than chunked.")
    package static let temporarilyUnavailable = ProblemCode(
        "temporarily-unavailable", 503, "Temporarily unavailable",
        "Try the same request again after as many seconds as Retry-After says.")
    package static let deadlineExceeded = ProblemCode(
        "deadline-exceeded", 503, "The server took too long",
        "Try again later.")
    package static let versionNotSupported = ProblemCode(
        "version-not-supported", 505, "The request was refused",
        "Speak HTTP/1.1.")

    /// All of them.
    package static let http: [ProblemCode] = [
        invalidRequest, malformedRequest, httpsNeeded, invalidJson, notFound, methodNotAllowed, requestTooSlow,
        lengthRequired, bodyTooLarge, targetTooLong, unsupportedMediaType, expectationFailed, tooManyRequests,
        headTooLarge, `internal`, codingNotSupported, temporarilyUnavailable, deadlineExceeded, versionNotSupported,
    ]
}
