package import JSON
import Observability
package import Runtime

/// An answer that says what went wrong and what to do next (RFC 9457, `application/problem+json`).
package struct Problem: Error, Sendable {
    /// The code by which programs distinguish problems; it determines status and title.
    package let code: ProblemCode
    /// What the caller can do next.
    package var detail: String
    /// Further members, such as `resetsAt`.
    package var members: [(String, JSONValue)]
    /// Fields of the answer, such as `Retry-After`.
    package var headers: Headers

    /// - Parameters:
    ///   - detail: what to do next, when the caller knows it better than the code.
    ///   - members: further members, such as `resetsAt`.
    package init(
        _ code: ProblemCode, detail: String? = nil, members: [(String, JSONValue)] = [], headers: Headers = [:]
    ) {
        self.code = code
        self.detail = detail ?? code.advice
        self.members = members
        self.headers = headers
    }

    /// The HTTP status, 400 to 599.
    package var status: Int { code.status }

    /// The problem's document. Own members cannot replace the standard ones.
    package func json(instance: String? = nil, traceId: String? = TraceContext.current?.traceId) -> JSONValue {
        var object = JSONObject(members)
        object["type"] = nil
        var standard: JSONObject = [
            "type": .string("urn:mirrormate:problem:\(code)"),
            "title": .string(code.title),
            "status": .int(Int64(status)),
            "detail": .string(detail),
            "code": .string(code.description),
        ]
        if let instance { standard["instance"] = .string(instance) }
        if let traceId { standard["traceId"] = .string(traceId) }
        for (key, value) in object.members where standard[key] == nil { standard[key] = value }
        return .object(standard)
    }
}

extension Problem {
    /// 400 for a request that does not have the required form.
    package static func invalidRequest(_ detail: String) -> Problem {
        Problem(.invalidRequest, detail: detail)
    }

    /// 404 for an unknown path.
    package static let notFound = Problem(.notFound)

    /// 500 for a fault of ours.
    package static let `internal` = Problem(.internal)

    /// 413 for a body beyond a limit.
    package static func bodyTooLarge(limit: Int64) -> Problem {
        Problem(.bodyTooLarge, detail: "Send at most \(limit) bytes.", members: [("limitBytes", .int(limit))])
    }
}

/// An error that has an answer for the client.
package protocol ProblemConvertible: Error {
    /// The answer for the client.
    var problem: Problem { get }
}

extension JSONError: ProblemConvertible {
    package var problem: Problem {
        Problem(
            .invalidJson, detail: "Correct the body: \(description).", members: [("member", .string(place))])
    }
}

extension DeadlineExceeded: ProblemConvertible {
    package var problem: Problem {
        Problem(.deadlineExceeded, headers: ["Retry-After": "5"])
    }
}
