import HTTPClient
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
    /// - Parameter engines: what it cannot become ready without; the wait is over when one of them ends.
    func ready(needing engines: [StackPart], within limit: Duration = .seconds(60)) async throws {
        let deadline = ContinuousClock.now + limit
        while await PortProbe.status(port: adminPort, path: "/health/ready") != 200 {
            guard part.id != nil else { throw part.failed("ended while starting") }
            if let ended = engines.first(where: { $0.id == nil }) {
                throw ended.failed("ended while the services were starting")
            }
            guard ContinuousClock.now < deadline else { throw part.failed("was not ready after \(limit)") }
            try await Loop.sleep(for: .milliseconds(50))
        }
    }
}
