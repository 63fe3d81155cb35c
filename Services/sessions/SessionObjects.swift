import Contracts
import EventStore
import Primitives
import ServiceKit

/// The objects of one session outside the database: they are announced for one purpose, so that its ending lets them go.
enum SessionObjects {
    /// What an object of a session is announced for.
    static func purpose(_ session: UUID) -> String { "session \(session)" }

    /// Keeps what was uploaded to a session, in the place of what was uploaded before.
    static func keepUpload(_ key: String, of session: Session) -> [RowCall] {
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
