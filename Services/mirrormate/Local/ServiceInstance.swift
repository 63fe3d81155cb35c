import HTTPClient
import JSON
import Processes
import Runtime

/// One running copy of a service.
@Loop struct ServiceInstance {
    let service: String
    /// Counts the copies of one service, from 1.
    let number: Int
    let settings: Settings
    let port: UInt16
    let adminPort: UInt16

    /// Its name: the service's, with the number from the second copy on.
    nonisolated static func name(_ service: String, _ number: Int) -> String {
        number == 1 ? service : "\(service)-\(number)"
    }

    var name: String { Self.name(service, number) }
    var part: StackPart { StackPart(name: name, state: settings.state) }

    /// Waits until it says that it is ready.
    ///
    /// - Parameters:
    ///   - engines: what it cannot become ready without; the wait is over when one of them ends.
    ///   - limit: how long it may take besides reading what was in the topics at its start.
    func ready(needing engines: [StackPart], within limit: Duration = .seconds(60)) async throws {
        var deadline = ContinuousClock.now + limit
        var least = Int64.max
        while true {
            let request = HTTPClientRequest("GET", "http://127.0.0.1:\(adminPort)/health/ready")
            let answer = try? await HTTPClient.shared.send(request, deadline: .seconds(3))
            if answer?.status == 200 { return }
            let left = answer.flatMap { try? JSONObject.parse($0.body) }?["recordsToRead"]?.intValue ?? 0
            if left > 0, left < least {
                least = left
                deadline = .now + limit
            }
            guard part.id != nil else { throw part.failed("ended while starting") }
            if let ended = engines.first(where: { $0.id == nil }) {
                throw ended.failed("ended while the services were starting")
            }
            guard ContinuousClock.now < deadline else { throw part.failed("was not ready after \(limit)") }
            try await Loop.sleep(for: .milliseconds(50))
        }
    }
}
