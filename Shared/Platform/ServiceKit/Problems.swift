package import EventStore
package import HTTPServer
import JSON
import ObjectStorage
import Observability
import Postgres

extension Problem {
    /// The database cannot be queried at the moment.
    package static let unavailable = Problem(.temporarilyUnavailable, headers: ["Retry-After": "2"])

    /// The problem that a client gets for an error; nil when it is a fault of ours.
    ///
    /// - Parameter refusals: what a refusal of the service's row functions means to a client.
    package static func of(_ error: any Error, refusals: (RowRefusal) -> Problem?) -> Problem? {
        switch error {
        case let problem as Problem: problem
        case let convertible as any ProblemConvertible: convertible.problem
        case let error as PostgresError where error.isRetriable: .unavailable
        case let error as ObjectStoreError where error.isRetryable: .unavailable
        case let error as AppendError:
            switch error {
            case .unavailable, .storeRefused, .conflict, .groupRefused: .unavailable
            case .idReused: Problem(.idempotencyKeyReused)
            case .erased: .notFound
            case .guarded(let refusal): refusals(refusal)
            case .data: nil
            }
        default: nil
        }
    }

    /// Turns the errors of every route into problems, and refusals of row functions as the service says. The cause is logged
    /// when it is the platform's own.
    package static func middleware(refusals: @escaping @Sendable (RowRefusal) -> Problem?) -> Middleware {
        { request, next in
            do {
                return try await next(request)
            } catch {
                guard let problem = Problem.of(error, refusals: refusals) else { throw error }
                problem.note(error)
                throw problem
            }
        }
    }

    /// Logs the cause of a problem, when it is the platform's own.
    package func note(_ cause: any Error) {
        if status >= 500, !(cause is any ProblemConvertible), !(cause is Problem) {
            Self.log.warning("request cannot be answered now", ["reason": .string("\(cause)")])
        }
    }

    private static let log = Logger(label: "http")
}
