import EventStore
package import HTTPServer
package import JSON
import ObjectStorage
import Observability
import Postgres

extension Problem {
    /// A problem of the list.
    ///
    /// - Parameters:
    ///   - detail: what to do next, when the route knows it better than the list.
    ///   - members: further members, such as `resetsAt`.
    package init(
        _ code: ProblemCode, detail: String? = nil, members: [(String, JSONValue)] = [], headers: Headers = [:]
    ) {
        let entry = code.entry
        self.init(
            status: entry.status, code: code.rawValue, title: entry.title, detail: detail ?? entry.advice,
            members: members, headers: headers)
    }

    /// The database cannot be asked just now.
    package static let unavailable = Problem(.temporarilyUnavailable, headers: ["Retry-After": "2"])

    /// The problem that an error of the platform is to a client; nothing when it is a fault.
    package static func of(_ error: any Error) -> Problem? {
        switch error {
        case let problem as Problem: problem
        case let error as JSONError: .invalidRequest("\(error.description).")
        case let error as PostgresError where error.isRetriable: .unavailable
        case let error as ObjectStoreError where error.isRetryable: .unavailable
        case let error as AppendError:
            switch error {
            case .unavailable, .storeRefused, .conflict, .groupRefused: .unavailable
            case .idReused: Problem(.idempotencyKeyReused)
            case .erased: .notFound
            case .guarded, .data: nil
            }
        default: nil
        }
    }

    /// Turns the platform's errors of every route into problems; why one is the platform's own trouble is logged.
    package static let middleware: Middleware = { request, next in
        do {
            return try await next(request)
        } catch {
            guard let problem = Problem.of(error) else { throw error }
            if problem.status >= 500, !(error is Problem) {
                log.warning("request cannot be answered now", ["reason": .string("\(error)")])
            }
            throw problem
        }
    }

    private static let log = Logger(label: "http")
}

extension Request {
    /// The body as a JSON object of at most 64 KiB.
    ///
    /// - Throws: a problem 400, 413 or 415.
    package func jsonObject() async throws -> JSONObject {
        let type = headers["content-type"]?.lowercased() ?? "application/json"
        guard type.hasPrefix("application/json") else { throw Problem(.unsupportedMediaType) }
        let bytes = try await body.collect(limit: 65_536)
        return try JSONObject.parse(bytes.isEmpty ? Array("{}".utf8) : bytes)
    }
}
