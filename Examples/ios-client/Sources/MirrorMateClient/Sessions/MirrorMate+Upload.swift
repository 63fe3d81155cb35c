import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension MirrorMate {
    /// Sends the video once quota has let the session in, and says that it is complete.
    ///
    /// It goes in pieces, by tus 1.0 (`docs/uploads.md`): the server says how much of the file it has, and the rest follows, after a
    /// lost connection as after the app's next start.
    ///
    /// - Parameters:
    ///   - address: where an upload of before goes on; nil begins one.
    ///   - begun: hears the address of one that is begun now, which an app keeps with the session's id.
    ///   - progress: hears how much is there, from 0 to 1.
    /// - Returns: the session, which is being analysed or has ended.
    @discardableResult
    public func upload(
        _ video: Video, to session: Session, goingOnAt address: URL? = nil,
        begun: @escaping @Sendable (URL) -> Void = { _ in },
        progress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws -> Session {
        var patience = Patience.ofUploads
        var upload = address.map(ResumableUpload.init)
        var reached = 0
        var now = try await admitted(session)
        while now.status == .awaitingUpload {
            do {
                var offset = try await upload?.offset()
                if offset == nil {
                    let new = try await beginUpload(of: video, to: now.id)
                    begun(new.address)
                    (upload, offset) = (new, 0)
                }
                guard let upload, let offset else { continue }
                // Whoever gets on, however slowly, is not given up.
                if offset > reached { (patience, reached) = (.ofUploads, offset) }
                try await upload.send(video, from: offset, progress)
                return try await answer(.act("POST", "/v1/sessions/\(now.id.inPath)/finalize"))
            } catch {
                // What it says that it has is not there: all of it goes to another.
                if (error as? Problem)?.code == .uploadMissing { upload = nil }
                try await patience.wait(after: error)
            }
            // Another status, if somebody else was faster.
            now = try await self.session(now.id)
        }
        return now
    }

    private func beginUpload(of video: Video, to session: UUID) async throws -> ResumableUpload {
        var call = Call.act("POST", "/v1/uploads/\(session.inPath)/resumable")
        call.headers = ResumableUpload.version
        call.headers["Upload-Length"] = String(video.bytes)
        let response = try await withToken { try await Exchange.answer(to: call.request(at: server.url, token: $0)) }
        guard let place = response.value(forHTTPHeaderField: "Location"),
            let address = URL(string: place, relativeTo: server.url)?.absoluteURL
        else { throw URLError(.badServerResponse) }
        return ResumableUpload(address)
    }
}

extension Patience {
    fileprivate static var ofUploads: Patience {
        Patience(
            tries: 10,
            passing: [
                .uploadInProgress, .uploadMissing, .uploadChanged, .uploadLocked, .uploadOffsetMismatch, .uploadGone,
            ])
    }
}
