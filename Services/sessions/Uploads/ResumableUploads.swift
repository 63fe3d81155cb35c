package import Postgres
package import Primitives
package import Runtime

/// The uploads that come in pieces, in the tables `resumable_uploads` and `upload_parts`: the same for every instance.
@Loop package struct ResumableUploads {
    private let pool: PostgresPool

    package init(_ pool: PostgresPool) { self.pool = pool }

    /// An upload as far as it has come; nil when it is over, was given up, or another took its place.
    ///
    /// - Throws: `PostgresError`.
    package func find(_ id: UUID) async throws -> ResumableUpload? {
        let row = try await pool.query(
            """
            select session_id, owner_id, size_bytes, received, is_stored, expires_at from resumable_uploads
            where upload_id = $1 and expires_at > clock_timestamp()
            """, [.uuid(id)]
        ).first
        guard let row else { return nil }
        var upload = ResumableUpload(
            id: id, session: row.uuid(0), owner: row.uuid(1), size: row.int(2), expiresAt: row.time(5))
        upload.received = row.int(3)
        upload.isStored = row.bool(4)
        return upload
    }

    /// Forgets uploads that are over; their bytes are gone, or go with their deadline.
    ///
    /// - Throws: `PostgresError`.
    package func sweep() async throws {
        // What an append holds waits for the next time: the other way round an append would wait for this, and this for it.
        _ = try await pool.query(
            """
            delete from resumable_uploads where session_id in (
                select session_id from resumable_uploads where expires_at < now() for update skip locked)
            """)
    }

    /// Where the bytes lie that have come, in the order of the file.
    ///
    /// - Throws: `PostgresError`.
    package func parts(of upload: UUID) async throws -> [UploadPart] {
        try await pool.query(
            "select starts_at, size_bytes, object_key from upload_parts where upload_id = $1 order by starts_at",
            [.uuid(upload)]
        ).rows.map { UploadPart(start: $0.int(0), size: $0.int(1), key: $0.text(2)) }
    }

    /// Counts parts that lie in the store.
    ///
    /// - Parameter counted: how many bytes had come before them.
    /// - Returns: false when others were counted meanwhile, or the upload is over.
    /// - Throws: `PostgresError`.
    func add(_ parts: [UploadPart], to upload: UUID, after counted: Int64) async throws -> Bool {
        try await pool.query(
            "select add_upload_parts($1, $2, $3, $4, $5)",
            [
                .uuid(upload), .int(counted), .ints(parts.map(\.start)), .ints(parts.map(\.size)),
                .texts(parts.map(\.key)),
            ]
        ).rows[0].bool(0)
    }
}
