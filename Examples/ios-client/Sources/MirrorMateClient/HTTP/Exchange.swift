import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request that is watched while it goes on: what was sent of its body, what has come of an answer.
final class Exchange: NSObject, URLSessionDataDelegate, Sendable {
    enum Step: Sendable {
        /// How many bytes of the body are sent.
        case sent(Int64)
        case received(Data, HTTPURLResponse)
        /// All of the answer is there.
        case ended(HTTPURLResponse)
    }

    typealias Steps = AsyncThrowingStream<Step, any Error>

    private let steps: Steps.Continuation

    private init(_ steps: Steps.Continuation) { self.steps = steps }

    /// Sends a request, with a body whose sending is told; whoever stops reading the steps gives it up.
    ///
    /// `URLSession.bytes(for:)` would do for answers, but is not there on Linux.
    static func steps(of request: URLRequest, sending body: Data? = nil) -> Steps {
        Steps { steps in
            let session = URLSession(configuration: .coach, delegate: Exchange(steps), delegateQueue: nil)
            steps.onTermination = { _ in session.invalidateAndCancel() }
            let task = body.map { session.uploadTask(with: request, from: $0) } ?? session.dataTask(with: request)
            task.resume()
        }
    }

    /// The head of a good answer.
    ///
    /// - Parameter sent: hears how many bytes of the body are sent.
    /// - Throws: the ``Problem`` that it is otherwise.
    static func answer(
        to request: URLRequest, sending body: Data? = nil, _ sent: (Int64) -> Void = { _ in }
    ) async throws -> HTTPURLResponse {
        var answer = Data()
        for try await step in steps(of: request, sending: body) {
            switch step {
            case .sent(let bytes): sent(bytes)
            case .received(let data, _): answer += data
            case .ended(let response):
                _ = try Problem.check(answer, response)
                return response
            }
        }
        throw CancellationError()
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        steps.yield(.sent(totalBytesSent))
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        guard let response = dataTask.response as? HTTPURLResponse else { return }
        steps.yield(.received(data, response))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        if let error {
            steps.finish(throwing: error)
        } else if let response = task.response as? HTTPURLResponse {
            steps.yield(.ended(response))
            steps.finish()
        } else {
            steps.finish(throwing: URLError(.badServerResponse))
        }
    }
}
