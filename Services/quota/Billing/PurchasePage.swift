import EventStore
import Postgres
import Primitives
import Runtime
import ServiceKit

/// A page of a shop that somebody is sent to, and how often within an hour each may be asked for: the shop is called each time.
enum PurchasePage: String, Sendable, CaseIterable {
    /// Where something is bought.
    case checkout
    /// Where what was bought is changed or ended.
    case portal

    /// How many within ``span``, as clients of the compatible surface have always had them.
    var count: Int64 {
        switch self {
        case .checkout: 5
        case .portal: 3
        }
    }

    static let span = Duration.seconds(3_600)
}

/// The rows of `purchase_pages`.
enum PurchasePageRows {
    /// Counts one: owner, page, how many are allowed, within how many microseconds.
    private static let take = RowFunction(
        "take_purchase_page", .uuid("ownerId"), .string("page"), .int("allowance"), .int("spanMicroseconds"),
        refusals: [.purchasePagesUsedUp])
    /// Removes what is counted of somebody: owner.
    static let forget = RowFunction("forget_purchase_pages", .uuid("ownerId"))

    static let all = [take.declaration, forget.declaration]

    /// Counts one, or refuses that with `purchase-pages-used-up`.
    static func taking(_ page: PurchasePage, _ owner: UUID) -> RowCall {
        take(owner, page.rawValue, page.count, PurchasePage.span.microseconds)
    }

    /// After how long a page may be asked for again that is used up.
    ///
    /// - Throws: `PostgresError`.
    @Loop static func wait(for page: PurchasePage, of owner: UUID, _ pool: PostgresPool) async throws -> Duration {
        let row = try await pool.query(
            """
            select extract(epoch from begun[greatest(cardinality(begun) + 1 - $3, 1)] - clock_timestamp())::float8
            from purchase_pages where owner_id = $1 and page = $2
            """, [.uuid(owner), .text(page.rawValue), .int(page.count)]
        ).first
        return PurchasePage.span + .seconds(row?.double(0) ?? 0)
    }

    /// Forgets who asked an hour ago for the last time.
    ///
    /// - Throws: `PostgresError`.
    @Loop static func sweep(_ pool: PostgresPool) async throws {
        // What an append holds waits for the next time: the other way round an append would wait for this, and this for it.
        _ = try await pool.query(
            """
            delete from purchase_pages where (owner_id, page) in (
                select owner_id, page from purchase_pages where full_at < now() for update skip locked)
            """)
    }
}

extension RowRefusal {
    /// The owner has asked for as many of a shop's pages as may be in an hour.
    static let purchasePagesUsedUp = RowRefusal("purchase-pages-used-up")
}
