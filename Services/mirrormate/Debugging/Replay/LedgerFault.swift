/// An inconsistency between stores, topics and consumers.
package struct LedgerFault: Sendable, Equatable, CustomStringConvertible {
    /// The kind of fault; the raw value is the stable name.
    package enum Kind: String, Sendable, CaseIterable {
        /// No instance of a service runs.
        case down
        /// Published according to the log, but not in the topic.
        case lost
        /// The same record twice under the same epoch.
        case duplicate
        /// A record after one that comes later in the log.
        case reordered
        /// A message written under a lease that had been lost.
        case zombie
        /// A record that consumers see is not the publisher's: they set it aside.
        case foreign
        /// A record that consumers took for the publisher's, though its log never published it.
        case forged
        /// The topic is not the one that its readers knew: it was deleted and recreated.
        case topicReset = "topic-reset"
        /// The topic holds history that the publisher's database does not have.
        case databaseWentBack = "database-went-back"
        /// A consumer's stored offset and watermark do not belong to the same record.
        case offsetMoved = "offset-moved"
        /// A consumer is waiting for a missing message.
        case chainBroken = "chain-broken"
        /// Messages are parked.
        case parked
        /// A consumer, relay or read model is late.
        case late
        /// The store refuses appends.
        case refused
    }

    package let kind: Kind
    /// Where it was found, such as `mirrormate.sessions.v1[3]@17` or `quota ← mirrormate.sessions.v1[3]`.
    package let place: String
    package let detail: String

    package init(kind: Kind, place: String, detail: String) {
        self.kind = kind
        self.place = place
        self.detail = detail
    }

    package var description: String { "\(kind.rawValue) at \(place): \(detail)" }
}
