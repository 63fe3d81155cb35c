import Primitives
import Runtime

/// The right to publish a service's log, held by one process at a time; kept in the database, with an epoch that counts its
/// holders.
package struct RelayLease: Sendable {
    /// How long a lease lasts without renewal, by the database's clock.
    package static let duration = Duration.seconds(6)

    /// Rises with every takeover; in every record's headers.
    package let epoch: Int64
    /// Everything up to here is published.
    package let cursor: Int64
    /// The position after which an operator asked to publish everything again; usually nil.
    package let rewindTo: Int64?
    /// The store's identity.
    package let lineage: Lineage

    package init(epoch: Int64, cursor: Int64, rewindTo: Int64?, lineage: Lineage) {
        self.epoch = epoch
        self.cursor = cursor
        self.rewindTo = rewindTo
        self.lineage = lineage
    }

    /// Reacts to a higher epoch in the topic. Ours is void then; but if the database knows of no such epoch, it went back in
    /// time and must continue from there, or consumers would take the new records for a zombie's.
    @Loop func settle(_ connection: any LeaseConnection, with higher: Int64) async throws -> RelayTrouble {
        try await connection.raise(epoch, to: higher) ? .epochBehind(higher) : .leaseLost
    }
}
