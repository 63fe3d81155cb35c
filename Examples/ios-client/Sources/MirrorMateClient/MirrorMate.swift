import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The MirrorMate API, as one person uses it.
///
///     let coach = MirrorMate(at: server, keeping: KeychainTokenStore())
///     try await coach.signIn(.device)
///     let report = try await coach.report(on: Video(file))
///
/// Whatever it does throws a ``Problem`` when the server says no, a `URLError` when it cannot be reached, and a
/// ``ClientError`` when there is nothing to ask it.
public struct MirrorMate: Sendable {
    let server: Server
    let login: Login

    /// - Parameters:
    ///   - url: the server's public address.
    ///   - store: where tokens are kept until the next start.
    public init(at url: URL, keeping store: any TokenStore) {
        let server = Server(at: url)
        self.server = server
        login = Login(store) { try await server.answer(.refresh(with: $0)) }
    }

    /// From a video to its report: creates a session, uploads, waits, and reads.
    ///
    /// - Parameters:
    ///   - scenario: what is spoken for, which decides what pace is right.
    ///   - progress: hears of each step; how an app keeps the session's id and the upload's address for its next start.
    public func report(
        on video: Video, scenario: SessionWish.Scenario = .general,
        progress: @escaping @Sendable (Step) -> Void = { _ in }
    ) async throws -> Report {
        let session = try await createSession(for: video, scenario: scenario)
        progress(.created(session))
        try await upload(video, to: session, begun: { progress(.begun($0)) }) { progress(.uploading($0)) }
        return try await outcome(of: session.id, progress)
    }

    /// Goes on with a session that the app had begun before it was closed.
    ///
    /// - Parameter address: where its upload goes on; nil when none was begun.
    public func report(
        on video: Video, resuming session: UUID, goingOnAt address: URL? = nil,
        progress: @escaping @Sendable (Step) -> Void = { _ in }
    ) async throws -> Report {
        let session = try await self.session(session)
        try await upload(video, to: session, goingOnAt: address, begun: { progress(.begun($0)) }) {
            progress(.uploading($0))
        }
        return try await outcome(of: session.id, progress)
    }

    private func outcome(of session: UUID, _ progress: @Sendable (Step) -> Void) async throws -> Report {
        for try await now in updates(of: session) {
            progress(.analysing(now.progress))
            if now.status.isOver, now.status != .complete { throw ClientError.noReport(now) }
        }
        return try await report(of: session)
    }

    /// How far a video is; shares are from 0 to 1.
    public enum Step: Sendable {
        case created(Session)
        /// The video is on its way to this address, where it goes on after the app's next start.
        case begun(URL)
        case uploading(Double)
        case analysing(Double)
    }
}
