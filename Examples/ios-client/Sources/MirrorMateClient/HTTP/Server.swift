import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends requests, and tells answers from problems. It knows nothing of who is signed in.
struct Server: Sendable {
    let url: URL
    private let session: URLSession

    init(at url: URL) {
        self.url = url
        session = URLSession(configuration: .coach)
    }

    func answer<Answer: Decodable>(_ call: Call, token: String? = nil) async throws -> Answer {
        try Documents.decode(from: try await send(call, token: token))
    }

    /// The body of a good answer. What may be repeated is sent again while its failure may pass.
    @discardableResult
    func send(_ call: Call, token: String? = nil) async throws -> Data {
        let request = call.request(at: url, token: token)
        var patience = Patience(tries: call.isRepeatable ? 4 : 1)
        while true {
            do {
                let (body, response) = try await session.data(for: request)
                return try Problem.check(body, response)
            } catch {
                try await patience.wait(after: error)
            }
        }
    }
}

extension URLSessionConfiguration {
    /// No answer stays on disk, as reports are personal. The one cookie does: by it the server knows a device that has
    /// signed in before, while somebody else guesses the account's password.
    static var coach: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.default
        configuration.urlCache = nil
        configuration.timeoutIntervalForRequest = 40
        return configuration
    }
}
