package import Primitives

/// What lets somebody who is not signed in read the one session whose id they name, and its report: apps of the compatible surface
/// ask so, also those whose users are signed in.
///
/// The id is the secret: 122 random bits (UUID version 4). Ids of the native API follow from what its client sends (version 5), and
/// let nobody in.
package enum SessionCapability {
    /// How long it lasts.
    package static let lifetime = Duration.seconds(3_600)

    /// Whether a session was created on the compatible surface.
    package static func isCompatible(_ session: UUID) -> Bool { session.version == 4 }

    /// Whether whoever names a session that was created at a moment may read it now.
    package static func isOpen(_ session: UUID, createdAt: Timestamp, now: Timestamp) -> Bool {
        isCompatible(session) && createdAt <= now + .seconds(60) && now < createdAt + lifetime
    }
}
