package import Primitives

/// A file that comes in pieces, each of which goes on where the last one ended or was cut.
package struct ResumableUpload: Sendable, Equatable {
    package let id: UUID
    package let session: UUID
    package let owner: UUID
    /// How large the whole is, in bytes.
    package let size: Int64
    /// How much of it has come for good, in bytes: what a service or a machine that dies now does not lose.
    package var received: Int64 = 0
    /// Whether the whole lies in the store, and the session has it.
    package var isStored = false
    /// When nothing more is taken.
    package let expiresAt: Timestamp

    package init(id: UUID, session: UUID, owner: UUID, size: Int64, expiresAt: Timestamp) {
        self.id = id
        self.session = session
        self.owner = owner
        self.size = size
        self.expiresAt = expiresAt
    }
}

/// Some bytes of such a file, as an object of their own.
package struct UploadPart: Sendable, Equatable {
    /// How large a part is, in bytes, but for the last one: so much of each upload under way is in memory.
    package static let bytes = 524_288

    /// Where in the file it begins.
    package let start: Int64
    let size: Int64
    let key: String

    var end: Int64 { start + size }
}
