package import EventStore
package import Primitives

/// The row functions of uploads that come in pieces.
package enum ResumableRows {
    private static let beginUpload = RowFunction(
        "begin_resumable_upload", .uuid("sessionId"), .uuid("uploadId"), .uuid("ownerId"), .int("sizeBytes"),
        .time("expiresAt"))
    private static let storeUpload = RowFunction("store_resumable_upload", .uuid("uploadId"))
    private static let endUpload = RowFunction("end_resumable_upload", .uuid("uploadId"))
    private static let forgetUploads = RowFunction("forget_resumable_uploads", .uuid("ownerId"))

    package static let all = [
        beginUpload.declaration, storeUpload.declaration, endUpload.declaration, forgetUploads.declaration,
    ]

    /// Begins an upload in the place of what was begun before for the same session.
    package static func begin(_ upload: ResumableUpload) -> RowCall {
        beginUpload(upload.session, upload.id, upload.owner, upload.size, upload.expiresAt)
    }

    /// The whole is one file now; for the append that keeps it.
    package static func store(_ upload: UUID) -> RowCall { storeUpload(upload) }

    /// Gives up an upload that is not stored, and its parts.
    package static func end(_ upload: UUID) -> RowCall { endUpload(upload) }

    /// For the append that erases an owner.
    package static func forget(_ owner: UUID) -> RowCall { forgetUploads(owner) }
}
