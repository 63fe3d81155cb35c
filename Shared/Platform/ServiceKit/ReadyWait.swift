import HTTPClient
import JSON
package import Runtime

/// A wait until a running service is ready, for as long as it comes closer to that.
@Loop package struct ReadyWait {
    /// How long a service may stand still that is not ready: what there is to read takes as long as it takes.
    package nonisolated static let limit = Duration.seconds(60)

    /// What to do after a look.
    package enum Verdict: Sendable, Equatable { case isReady, waits, standsStill }

    private var least = Int64.max
    private var deadline: ContinuousClock.Instant

    /// - Parameter now: when the wait begins.
    package nonisolated init(at now: ContinuousClock.Instant) { deadline = now + Self.limit }

    /// Judges a look at the service.
    ///
    /// - Parameters:
    ///   - isReady: whether it says so.
    ///   - left: how many records it says that it has still to read; 0 of one that says nothing.
    package nonisolated mutating func look(isReady: Bool, left: Int64, at now: ContinuousClock.Instant) -> Verdict {
        if isReady { return .isReady }
        if left > 0, left < least {
            least = left
            deadline = now + Self.limit
        }
        return now < deadline ? .waits : .standsStill
    }

    /// Asks a service again and again.
    ///
    /// - Parameters:
    ///   - address: of its admin port, without a path.
    ///   - say: what it waits for, whenever that changes.
    /// - Returns: whether it became ready.
    package static func run(_ address: String, say: (String) -> Void) async -> Bool {
        var wait = ReadyWait(at: .now)
        var said = ""
        while true {
            let request = HTTPClientRequest("GET", address + "/health/ready", headers: [("Connection", "close")])
            let answer = try? await HTTPClient.shared.send(request, deadline: .seconds(3))
            let document = answer.flatMap { try? JSONObject.parse($0.body) }
            let verdict = wait.look(
                isReady: answer?.status == 200, left: document?["recordsToRead"]?.intValue ?? 0, at: .now)
            if verdict == .isReady { return true }
            let reasons = document?["waitingFor"]?.arrayValue?.compactMap(\.stringValue) ?? ["it does not answer yet"]
            let text = reasons.joined(separator: "; ")
            if text != said { say(text) }
            said = text
            guard verdict == .waits else { return false }
            do { try await Loop.sleep(for: .milliseconds(500)) } catch { return false }
        }
    }
}
