import HTTPServer
package import Postgres
package import Primitives
package import Runtime
import ServiceKit

/// Leases on sending the file of a session, in the table `upload_turns`: one request at a time has one, whichever instance it
/// comes to, and what one owner has under way is bounded. Who comes meanwhile is told when to come again.
@Loop package struct UploadLeases {
    /// How long a lease lasts that is not renewed, and how often it is.
    package static let lifetime = Duration.seconds(15)
    package static let renewal = Duration.seconds(5)

    private let pool: PostgresPool
    private let mostBytes: Int64

    /// - Parameter mostBytes: how much of one owner may be under way at once, by what was announced.
    package init(_ pool: PostgresPool, mostBytes: Int64) {
        self.pool = pool
        self.mostBytes = mostBytes
    }

    /// Does something while no other request sends the same file.
    ///
    /// - Parameters:
    ///   - size: how much the file was announced to be, in bytes.
    ///   - work: renews the lease that it is given for each piece that has come.
    /// - Throws: the problems `upload-in-progress` and `too-many-uploads`, also later, when the lease was lost because nothing
    ///   came for longer than it lasts; `PostgresError`; what `work` throws.
    package func holding<T: Sendable>(
        of owner: UUID, for session: UUID, size: Int64, _ work: (UploadLease) async throws -> T
    ) async throws -> T {
        let holder = UUID.v4()
        let pool = pool
        try await take(session, owner, holder, size)
        let lease = UploadLease(renewal: Self.renewal) { try await take(session, owner, holder, size) }
        let result: Result<T, any Error>
        do {
            result = .success(try await work(lease))
        } catch {
            result = .failure(error)
        }
        // In a task of its own, because that of the request is cancelled when its client hangs up.
        let end = Loop.task {
            _ = try await pool.query(
                "delete from upload_turns where session_id = $1 and holder = $2", [.uuid(session), .uuid(holder)])
        }
        // What cannot be deleted is over soon.
        _ = await end.result
        return try result.get()
    }

    /// Whether some request sends the file of a session at the moment.
    ///
    /// - Throws: `PostgresError`.
    package func isHeld(for session: UUID) async throws -> Bool {
        try await pool.query(
            "select from upload_turns where session_id = $1 and expires_at > clock_timestamp()", [.uuid(session)]
        ).count > 0
    }

    private func take(_ session: UUID, _ owner: UUID, _ holder: UUID, _ size: Int64) async throws {
        let answer = try await pool.query(
            "select take_upload_turn($1, $2, $3, $4, $5, $6 * interval '1 second')",
            [
                .uuid(session), .uuid(owner), .uuid(holder), .int(size), .int(mostBytes),
                .double(Double(Self.lifetime.components.seconds)),
            ])
        let wait: Headers = ["Retry-After": "\(Self.renewal.components.seconds)"]
        switch answer.rows[0].text(0) {
        case "taken": return
        case "full": throw Problem(.tooManyUploads, headers: wait)
        default: throw Problem(.uploadInProgress, headers: wait)
        }
    }
}

/// The lease that a request holds.
@Loop package final class UploadLease {
    private let renewal: Duration
    private let take: @Loop () async throws -> Void
    private var taken = monotonicNanoseconds()

    fileprivate init(renewal: Duration, _ take: @escaping @Loop () async throws -> Void) {
        self.renewal = renewal
        self.take = take
    }

    /// Renews it, when it has lasted for a while.
    ///
    /// - Throws: as ``UploadLeases/holding(of:for:size:_:)``.
    package func renew() async throws {
        guard monotonicNanoseconds() - taken >= renewal.nanosecondsClamped else { return }
        try await take()
        taken = monotonicNanoseconds()
    }
}
