import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// How often something is tried, and how long it waits in between: as the server says, else twice as long each time.
struct Patience {
    private let tries: Int
    private let passing: Set<Problem.Code>
    private var failures = 0

    /// - Parameter passing: problems that pass although their status does not say so.
    init(tries: Int, passing: Set<Problem.Code> = []) {
        self.tries = tries
        self.passing = passing
    }

    /// Waits until it is worth trying again.
    ///
    /// - Throws: the error, when it is not.
    mutating func wait(after error: any Error) async throws {
        guard let pause = pause(after: error) else { throw error }
        try await Task.sleep(for: pause)
    }

    /// How long to wait; nil when another try is not worth it.
    mutating func pause(after error: any Error) -> Duration? {
        failures += 1
        guard failures < tries, passes(error) else { return nil }
        let asked = (error as? Problem)?.retryAfter ?? .zero
        // Longer than anybody waits before a screen, such as until tomorrow's allowance.
        guard asked <= .seconds(60) else { return nil }
        // Not all at the same moment, when a server has come back.
        return max(asked, .seconds(min(30, 1 << (failures - 1)))) * Double.random(in: 1...1.25)
    }

    private func passes(_ error: any Error) -> Bool {
        switch error {
        case let problem as Problem:
            problem.status >= 500 || [408, 429].contains(problem.status) || passing.contains(problem.code)
        case let error as URLError:
            ![.cancelled, .badURL, .unsupportedURL, .serverCertificateUntrusted].contains(error.code)
        default:
            false
        }
    }
}
