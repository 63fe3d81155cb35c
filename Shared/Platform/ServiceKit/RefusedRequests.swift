package import HTTPServer
import JSON
import Runtime

/// What of refused requests stands in the security log: those that our own clients do not send, or not so often.
extension SecurityLog {
    /// Malformed, to an address that was tampered with or is not for the caller, too slow, too large, too often. What people bring about
    /// by typing (409, 422) is counted with its route alone.
    private nonisolated static let refusals: Set<Int> = [400, 403, 408, 413, 415, 429]

    /// Writes a line for each refused request. Add it before what turns errors into problems.
    var refusedRequests: Middleware {
        { request, next in
            do {
                return try await next(request)
            } catch let problem as Problem {
                noteRefusal(problem, request)
                throw problem
            }
        }
    }

    /// Writes a line, if the problem is one of those.
    package func noteRefusal(_ problem: Problem, _ request: Request) {
        guard Self.refusals.contains(problem.status) else { return }
        note(.requestRefused, of: nil, request, ["code": .string(problem.code.description)])
    }
}
