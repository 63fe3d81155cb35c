/// A fault between stores, topics and consumers, by name and place.
package struct LedgerFault: Sendable, Equatable, CustomStringConvertible {
    /// What is wrong; the raw value is the stable name.
    package enum Kind: String, Sendable, CaseIterable {
        /// Published by the log's account, but not in the topic.
        case lost
        /// The same record again under the same lease.
        case duplicate
        /// A record behind one that comes after it in the log.
        case reordered
        /// Written under a lease that had been lost.
        case zombie
        /// A record that no relay wrote.
        case foreign
        /// The topic is not the one that its readers knew: it was deleted and made anew.
        case topicReset = "topic-reset"
        /// The topic holds history that the publisher's database does not have.
        case databaseWentBack = "database-went-back"
        /// A consumer's stored offset and watermark do not belong to the same record.
        case offsetMoved = "offset-moved"
        /// A consumer waits for a message that is missing.
        case chainBroken = "chain-broken"
        /// Messages were set aside.
        case parked
        /// A consumer, relay or read model is late.
        case late
        /// The store refuses appends.
        case refused
    }

    package let kind: Kind
    /// For instance `mirrormate.sessions.v1[3]@17` or `quota ← mirrormate.sessions.v1[3]`.
    package let place: String
    package let detail: String

    package var description: String { "\(kind.rawValue) at \(place): \(detail)" }
}
