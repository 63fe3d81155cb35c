import EventStore
package import HTTPServer
import JSON
import ObjectStorage
import Observability
import Postgres

/// Refusals whose codes stand in the list of problems.
extension ProblemConvertible where Self: RawRepresentable<String> {
    /// The problem of the same code; the list has none for what looks as if it were not there.
    package var problem: Problem { ProblemCode(rawValue: rawValue).map { Problem($0) } ?? .notFound }
}

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
            // A row's refusal is told by the code of a problem.
            case .guarded(let code): ProblemCode(rawValue: code).map { Problem($0) }
            case .data: nil
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
