import Contracts
import EventSourcing
import EventStore
import HTTPServer
import Primitives
import ServiceKit

/// The objects of one session outside the database: they are announced for one purpose, so that its ending lets them go.
enum SessionObjects {
    /// What an object of a session is announced for.
    static func purpose(_ session: UUID) -> String { "session \(session)" }

    /// Keeps what was uploaded to a session, in the place of what was uploaded before.
    fileprivate static func keepUpload(_ key: String, of session: Session) -> [RowCall] {
        guard case .open(_, _, let earlier?, _) = session else { return [KitRows.keepObject(key)] }
        return [KitRows.keepObject(key), KitRows.discardObject(earlier.key)]
    }

    /// Keeps the recording of a completed session until a moment; the sweeper removes it then.
    static func keep(_ key: String, until: Timestamp) -> [RowCall] { [KitRows.keepObjectUntil(key, until)] }

    /// Lets one object of a session go.
    static func discard(_ key: String) -> RowCall { KitRows.discardObject(key) }

    /// Lets all objects of a session go.
    static func discard(of session: UUID) -> RowCall { KitRows.discardPurpose(purpose(session)) }
}

extension CommandHandler<Session> {
    /// Makes what lies in the store the file of a session, and keeps it.
    ///
    /// - Parameters:
    ///   - loaded: what is known of the session.
    ///   - calls: further row writes of the same append, when it becomes its file.
    /// - Throws: as ``put(_:on:from:by:_:calls:)``.
    func storeUpload(
        _ media: MediaReference, of session: UUID, by owner: UUID, from loaded: Loaded? = nil, _ request: Request,
        with calls: [RowCall] = []
    ) async throws {
        try await put(
            .storeUpload(by: owner, media), on: Session.stream(session), from: loaded, by: owner, request
        ) { state, events in
            events.isEmpty ? [] : SessionObjects.keepUpload(media.key, of: state) + calls
        }
    }
}
