import EventStore
import Postgres
import Primitives
import Runtime

/// Which jobs belong to whom, for erasure: exact at every moment, because the append that begins a job's stream writes it.
@Loop enum JobOwners {
    /// Notes whose a job is: session, owner.
    nonisolated static let own = RowFunction("own_job", .uuid("sessionId"), .uuid("ownerId"))
    /// Removes the rows of a subject.
    nonisolated static let forget = RowFunction("forget_subject", .uuid("subject"))

    nonisolated static let all = [own.declaration, forget.declaration]

    /// The sessions whose jobs are a user's.
    static func jobs(of owner: UUID, _ pool: PostgresPool) async throws -> [UUID] {
        try await pool.query(
            "select session_id from job_owners where owner_id = $1 order by session_id", [.uuid(owner)]
        ).rows.map { $0.uuid(0) }
    }
}
