import EventStore
package import HTTPServer
package import JSON
import ObjectStorage
import Postgres

extension Problem {
    /// The database cannot be asked just now.
    package static let unavailable = Problem(.temporarilyUnavailable, headers: ["Retry-After": "2"])

    /// The problem that an error of the platform is to a client; nothing when it is a fault.
    package static func of(_ error: any Error) -> Problem? {
        switch error {
        case let problem as Problem: problem
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

    /// Turns the platform's errors of every route into problems.
    package static let middleware: Middleware = { request, next in
        do {
            return try await next(request)
        } catch {
            throw Problem.of(error) ?? error
        }
    }
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
