import JSON
package import Observability
import Primitives
import Runtime

/// Counts and times the requests of each route.
package enum AccessMetrics {
    private static let methods: Set<String> = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
    private static let log = Logger(label: "http")

    /// A middleware that maintains `http_requests_total`, `http_request_errors_total` (status 500 and above) and
    /// `http_request_duration_seconds` (until the response's head is known), labeled by method and route pattern.
    ///
    /// Add it first. What a client makes up (methods, paths) never becomes a label. Requests that change something or fail
    /// are logged; the others only at level debug.
    package static func middleware(_ metrics: Metrics = .shared) -> Middleware {
        let requests = metrics.counter(
            "http_requests_total", help: "Requests answered.", labels: ["method", "route", "status"])
        let errors = metrics.counter(
            "http_request_errors_total", help: "Requests answered with a status of 500 or above.",
            labels: ["method", "route"])
        let duration = metrics.histogram(
            "http_request_duration_seconds", help: "Time until the answer began.", labels: ["method", "route"])
        return { request, next in
            let start = monotonicNanoseconds()
            let method = methods.contains(request.method) ? request.method : "other"
            let route = request.route ?? "none"
            func note(_ status: Int) {
                let time = Duration.nanoseconds(monotonicNanoseconds() - start)
                let isQuiet = ["GET", "HEAD"].contains(method) && status < 500
                log.log(
                    isQuiet ? .debug : .info, "request answered",
                    [
                        "method": .string(method), "route": .string(route), "status": .int(Int64(status)),
                        "microseconds": .int(time.microseconds),
                    ])
                requests.increment([method, route, String(status)])
                if status >= 500 { errors.increment([method, route]) }
                duration.observe(time, [method, route])
            }
            do {
                let response = try await next(request)
                note(response.status)
                return response
            } catch {
                // 499, as in nginx: the client went away before there was a response.
                note(error is CancellationError || error is ClientGone ? 499 : HTTPServer.problem(for: error).status)
                throw error
            }
        }
    }
}
