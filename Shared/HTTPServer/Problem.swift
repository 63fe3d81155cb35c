package import JSON
import Observability
package import Runtime

/// An answer that says what went wrong and what to do next (RFC 9457, `application/problem+json`).
package struct Problem: Error, Sendable {
    /// The HTTP status, 400 to 599.
    package var status: Int
    /// The stable word by which programs tell problems apart; also the end of the problem's `type`.
    package var code: String
    /// The kind of problem in a few words, the same for every occurrence.
    package var title: String
    /// What the caller can do next.
    package var detail: String
    /// Further members, such as `resetsAt`.
    package var members: [(String, JSONValue)]
    /// Fields of the answer, such as `Retry-After`.
    package var headers: Headers

    package init(
        status: Int, code: String, title: String, detail: String, members: [(String, JSONValue)] = [],
        headers: Headers = [:]
    ) {
        self.status = status
        self.code = code
        self.title = title
        self.detail = detail
        self.members = members
        self.headers = headers
    }

    /// The problem's document. Own members cannot replace the standard ones.
    package func json(instance: String? = nil, traceId: String? = TraceContext.current?.traceId) -> JSONValue {
        var object = JSONObject(members)
        object["type"] = nil
        var standard: JSONObject = [
            "type": .string("urn:mirrormate:problem:\(code)"),
            "title": .string(title),
            "status": .int(Int64(status)),
            "detail": .string(detail),
            "code": .string(code),
        ]
        if let instance { standard["instance"] = .string(instance) }
        if let traceId { standard["traceId"] = .string(traceId) }
        for (key, value) in object.members where standard[key] == nil { standard[key] = value }
        return .object(standard)
    }
}

extension Problem {
    /// 400 for a request that is not what it must be.
    package static func invalidRequest(_ detail: String) -> Problem {
        Problem(status: 400, code: "invalid-request", title: "The request is not valid", detail: detail)
    }

    /// 404 for an unknown path.
    package static let notFound = Problem(
        status: 404, code: "not-found", title: "There is nothing at this path",
        detail: "Check the path; the API's description lists all of them.")

    /// 500 for a fault of ours.
    package static let `internal` = Problem(
        status: 500, code: "internal", title: "The server failed",
        detail: "Try again later; when it happens again, report the traceId.")

    /// 413 for a body beyond a limit.
    package static func bodyTooLarge(limit: Int64) -> Problem {
        Problem(
            status: 413, code: "body-too-large", title: "The body is too large",
            detail: "Send at most \(limit) bytes.", members: [("limitBytes", .int(limit))])
    }
}

/// An error that knows how it is told to a client.
package protocol ProblemConvertible: Error {
    /// The answer for the client.
    var problem: Problem { get }
}

extension JSONError: ProblemConvertible {
    package var problem: Problem {
        Problem(
            status: 400, code: "invalid-json", title: "The body is not what it must be",
            detail: "Correct the body: \(description).", members: [("member", .string(place))])
    }
}

extension DeadlineExceeded: ProblemConvertible {
    package var problem: Problem {
        Problem(
            status: 503, code: "deadline-exceeded", title: "The server took too long",
            detail: "Try again later.", headers: ["Retry-After": "5"])
    }
}
