package import EventStore
package import HTTPServer
import JSON
import ObjectStorage
import Observability
import Postgres

extension Problem {
    /// The database cannot be queried at the moment.
    package static let unavailable = Problem(.temporarilyUnavailable, headers: ["Retry-After": "2"])

    /// The problem that a client gets for an error of the platform; nil when it is a fault.
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
            // What a row function refuses, its service turns into a problem.
            case .guarded, .data: nil
            }
        default: nil
        }
    }

    /// Turns the platform's errors of every route into problems, and refusals of row functions as the service says. The cause
    /// is logged when it is the platform's own.
    package static func middleware(
        refusals: @escaping @Sendable (RowRefusal) -> Problem? = { _ in nil }
    ) -> Middleware {
        { request, next in
            do {
                return try await next(request)
            } catch {
                if case AppendError.guarded(let refusal) = error, let problem = refusals(refusal) { throw problem }
                guard let problem = Problem.of(error) else { throw error }
                if problem.status >= 500, !(error is Problem) {
                    log.warning("request cannot be answered now", ["reason": .string("\(error)")])
                }
                throw problem
            }
        }
    }

    private static let log = Logger(label: "http")
}
