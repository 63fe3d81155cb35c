import EventStore
import Primitives
import ServiceKit

/// The objects of one session outside the database: they are announced for one purpose, so that its ending lets them go.
enum SessionObjects {
    /// What an object of a session is announced for.
    static func purpose(_ session: UUID) -> String { "session \(session)" }

    /// Keeps the recording of a completed session until a moment; the sweeper removes it then.
    static func keep(_ key: String, until: Timestamp) -> [RowCall] { [KitRows.keepObjectUntil(key, until)] }

    /// Lets all objects of a session go.
    static func discard(of session: UUID) -> RowCall { KitRows.discardPurpose(purpose(session)) }
}
