package import EventStore
import Postgres
import Runtime
package import ServiceKit

/// What a service keeps that asks providers: what calls have cost, and how they have ended lately.
package enum ProviderTables {
    /// Their tables, in the order in which they are made.
    package static let migrations = [
        Migration("provider_spending", PackageResources.provider_spending_sql),
        Migration("provider_outcomes", PackageResources.provider_outcomes_sql),
        Migration("provider_day_spending", PackageResources.provider_day_spending_sql),
    ]
    package static let rowFunctions = Spending.all + ProviderHealth.all

    /// Removes what is of no use any more, again and again.
    @Loop package static func sweeper(_ store: EventStore) -> ExpirySweeper {
        ExpirySweeper([
            (
                "what calls have cost",
                {
                    for table in ["provider_spending", "provider_day_spending"] {
                        _ = try await store.pool.query(
                            "delete from \(table) where day < current_date - \(Spending.keptDays)")
                    }
                }
            ), ("how calls have ended", { try await store.sweepProviderHealth() }),
        ])
    }
}
