import CompatibleSurface
import EventStore
import Primitives
import Projections
import RestTables
import Runtime
import ServiceKit

/// Whether a caller of the compatible surface has to do with a session.
@Loop enum CompatibleAccess {
    /// The session that anybody may name who knows its id; nil when it is over, or is no such session.
    ///
    /// - Throws: `PostgresError`, or `EventDecodingError`.
    static func open(_ id: UUID, _ store: EventStore, now: Timestamp = .now()) async throws -> SessionRow? {
        guard SessionCapability.isCompatible(id) else { return nil }
        let loaded = try await CommandHandler<Session>(store).load(Session.stream(id))
        guard let row = SessionProjection.row(id, after: loaded.history),
            SessionCapability.isOpen(id, createdAt: row.createdAt, now: now)
        else { return nil }
        return row
    }

    /// The owner on whose behalf a caller acts on a session: themselves, or whoever's it is.
    ///
    /// - Returns: nil for somebody who has nothing to do with it, and for a session that is not there.
    static func owner(
        of session: Session, _ row: SessionRow?, for caller: CompatibleCaller, _ settings: ServiceSettings,
        now: Timestamp = .now()
    ) -> UUID? {
        guard let row, session.identity != nil else { return nil }
        return switch caller {
        case .user(let user): user.user == row.ownerId ? row.ownerId : nil
        case .service: row.ownerId
        case .anon:
            settings.hasAnonymousReads && SessionCapability.isOpen(row.id, createdAt: row.createdAt, now: now)
                ? row.ownerId : nil
        }
    }
}
