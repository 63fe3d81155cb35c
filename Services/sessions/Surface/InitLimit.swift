import EventStore
import Postgres
import Primitives
import Runtime
import ServiceKit

/// How many sessions somebody may create in an hour on the compatible surface, whose clients have always had this limit.
@Loop struct InitLimit {
    nonisolated static let count: Int64 = 10
    nonisolated static let span = Duration.seconds(3_600)

    private nonisolated static let takeInit = RowFunction(
        "take_init", .uuid("ownerId"), .int("allowance"), .int("spanMicroseconds"), refusals: [.initsUsedUp])
    /// For the append that erases an owner.
    nonisolated static let forget = RowFunction("forget_inits", .uuid("ownerId"))

    nonisolated static let rows = [takeInit.declaration, forget.declaration]

    private let pool: PostgresPool

    init(_ pool: PostgresPool) { self.pool = pool }

    /// Counts one with the append that creates a session, or refuses that with `inits-used-up`.
    nonisolated static func taking(_ owner: UUID) -> RowCall { takeInit(owner, count, span.microseconds) }

    /// Forgets whose last one is an hour ago.
    ///
    /// - Throws: `PostgresError`.
    func sweep() async throws { try await TokenBuckets("session_inits", by: "owner_id", pool).sweep() }
}

extension RowRefusal {
    /// The owner has created as many sessions on the compatible surface as may be in an hour.
    static let initsUsedUp = RowRefusal("inits-used-up")
}
