import HTTPServer
import JSON
import Primitives
import Runtime
import ServiceKit

/// Many sessions in one request.
enum PracticeBatch {
    /// The most sessions of one request.
    static let most = 500
    /// How many of them are logged at the same time.
    static let atOnce = 25
    /// The largest body, in bytes.
    static let limitBytes = 524_288
    /// As many values as that many sessions may have, with a few pauses each.
    static let limits = JSONLimits(depth: 16, values: 20_000)

    /// The sessions of a body, unread.
    ///
    /// - Throws: a problem 400, 413 or 415.
    @Loop static func read(_ request: Request) async throws -> [JSONValue] {
        let body = try await request.jsonObject(limitBytes: limitBytes, limits)
        try body.allow("sessions")
        let list = try body.array("sessions")
        guard (1...most).contains(list.count) else {
            throw Problem.invalidRequest("sessions must be 1 to \(most).")
        }
        return list
    }

    /// A verdict for each session, in their order. Some at a time, so that they share commits.
    ///
    /// - Throws: what a verdict throws.
    @Loop static func each(
        of list: [JSONValue], at now: Timestamp,
        _ verdict: @escaping @Loop (JSONValue, Timestamp) async throws -> JSONValue
    ) async throws -> [JSONValue] {
        var verdicts: [JSONValue] = []
        for start in stride(from: 0, to: list.count, by: atOnce) {
            let some = list[start..<min(start + atOnce, list.count)].map { element in
                Loop.task { try await verdict(element, now) }
            }
            for one in some { verdicts.append(try await one.value) }
        }
        return verdicts
    }

    /// Why one session of a batch is refused; nil for what concerns them all, such as a database that is down.
    static func refusal(_ error: any Error) -> Problem? {
        Problem.of(error, refusals: SessionsService.problem(of:)).flatMap { $0.status < 500 ? $0 : nil }
    }
}
