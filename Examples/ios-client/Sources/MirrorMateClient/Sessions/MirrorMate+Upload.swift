import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension MirrorMate {
    /// Sends the video once quota has let the session in, and says that it is complete.
    ///
    /// The API takes a file whole: it keeps nothing of an upload that broke off, so the next one begins with the first
    /// byte. What need not be sent twice is a file that arrived although its answer was lost; sealing it tells.
    ///
    /// - Parameters:
    ///   - mayBeThere: whether the file was sent before, such as when the app was closed meanwhile.
    ///   - progress: hears how much is sent, from 0 to 1; after a lost connection it begins anew.
    /// - Returns: the session, which is being analysed or has ended.
    @discardableResult
    public func upload(
        _ video: Video, to session: Session, mayBeThere: Bool = false,
        progress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws -> Session {
        var patience = Patience(
            tries: 10, passing: [.uploadInProgress, .uploadAddressExpired, .uploadMissing, .uploadChanged])
        var mayBeThere = mayBeThere
        var now = try await admitted(session)
        while now.status == .awaitingUpload {
            do {
                if !mayBeThere, let address = now.upload {
                    // True also when the connection is lost: nobody knows then how much has arrived.
                    mayBeThere = true
                    try await put(video, at: address, progress)
                }
                return try await answer(.act("POST", "/v1/sessions/\(now.id.inPath)/finalize"))
            } catch {
                // What the server answers is that it is not there, or not whole.
                if error is Problem { mayBeThere = false }
                try await patience.wait(after: error)
            }
            // Another address, if that one is over; another status, if somebody else was faster.
            now = try await self.session(now.id)
        }
        return now
    }

    private func put(
        _ video: Video, at address: Session.UploadAddress, _ progress: @Sendable (Double) -> Void
    ) async throws {
        var request = URLRequest(url: address.url)
        request.httpMethod = address.method
        for (name, value) in address.headers { request.setValue(value, forHTTPHeaderField: name) }
        var body = Data()
        for try await step in Exchange.steps(of: request, sending: video.file) {
            switch step {
            case .sent(let bytes): progress(Double(bytes) / Double(video.bytes))
            case .received(let data, _): body += data
            case .ended(let response): _ = try Problem.check(body, response)
            }
        }
    }
}
