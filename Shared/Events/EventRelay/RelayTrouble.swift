package import EventSourcing

/// Why a relay stopped publishing. It starts over by taking the lease again, with all its checks.
package enum RelayTrouble: Error, Sendable, Equatable, CustomStringConvertible {
    /// Another process took the lease or moved the cursor.
    case leaseLost
    /// No broker has acknowledged or delivered anything for too long; a new client may fare better.
    case noAnswer
    /// The topic has seen a higher epoch than the database remembers; the database now continues from there.
    case epochBehind(Int64)
    /// The broker acknowledged an offset that is not above the last one, or a partition does not hold what was acknowledged: the
    /// topic was recreated while in use, or has lost records.
    case offsetWentBack(partition: Int32)
    /// The log does not hold the event that the topic holds at its position, or, at position 0, it never had the history
    /// whose lease record the topic holds: the store was set back.
    case storeSetBack(partition: Int32, position: Int64)
    /// The log holds another event, or none, where one was read before: the database was replaced by an older one.
    case logReplaced(position: Int64)
    /// Appends are refused until an operator confirms the restore.
    case storeRefused(String)
    /// This build cannot read an event; nothing after it is published until a build that can takes over.
    case unreadableEvent(position: Int64, EventDecodingError)
    /// An announcement has nobody to sign it.
    case unsealed(position: Int64)
    /// The development broker would silently drop the partition's oldest records.
    case developmentBrokerFull(partition: Int32)

    /// The stable code for logs and metrics.
    package var code: String {
        switch self {
        case .leaseLost: "lease-lost"
        case .noAnswer: "no-answer"
        case .epochBehind: "epoch-behind"
        case .offsetWentBack: "offset-went-back"
        case .storeSetBack: "store-set-back"
        case .logReplaced: "log-replaced"
        case .storeRefused: "store-refused"
        case .unreadableEvent: "unreadable-event"
        case .unsealed: "unsealed"
        case .developmentBrokerFull: "development-broker-full"
        }
    }

    package var description: String {
        switch self {
        case .leaseLost: "Another instance is publishing now."
        case .noAnswer: "Kafka has not answered for 20 s; the relay starts over with a new client."
        case .epochBehind(let epoch):
            "The topic holds epoch \(epoch), which the database has forgotten; the relay starts over above it."
        case .offsetWentBack(let partition):
            "Partition \(partition) does not hold what was acknowledged there; it is read back and published again."
        case .storeSetBack(let partition, 0):
            "Partition \(partition) of the topic holds a lease record of a history that the log never had: the database went "
                + "back in time, or somebody else wrote that record. Appends are refused; run the service's command "
                + "confirm-restore."
        case .storeSetBack(let partition, let position):
            "Partition \(partition) of the topic holds position \(position), but the log has a different event or none there: "
                + "the database went back in time, or somebody else wrote that record. Appends are refused; run the service's "
                + "command confirm-restore after a restore, else disown-forged."
        case .logReplaced(let position):
            "The log does not hold what was read at position \(position): the database was replaced. The relay starts over."
        case .storeRefused(let reason): "The store refuses appends: \(reason)"
        case .unreadableEvent(let position, let error): "The event at position \(position) stops the relay. \(error)"
        case .unsealed(let position):
            "The announcement at position \(position) cannot be signed: see that ANNOUNCEMENT_KEY_FILE names a good key."
        case .developmentBrokerFull(let partition):
            "Partition \(partition) of the development broker is nearly full (it keeps 5 MiB and drops the oldest "
                + "records silently). Publishing has stopped; use an Apache Kafka (KAFKA_HOME or "
                + "KAFKA_BOOTSTRAP_SERVERS) for more data."
        }
    }
}
