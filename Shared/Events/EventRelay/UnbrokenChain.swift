/// Follows a partition's messages for as long as each one's predecessor stands before it, as a consumer that begins at the
/// partition's start does: what comes after a hole helps nobody, so it does not count.
struct UnbrokenChain {
    /// What a record is to the chain.
    enum Place {
        /// The next message, or, after a rewind, one that is there again.
        case next
        /// Not part of it: a relay's mark, a zombie's record, what a restore has undone, or what comes after a hole.
        case beside
        /// Of an incarnation that the log never had.
        case foreign
    }

    /// The last message, and, because a rewind may have been interrupted, the highest one.
    private(set) var last: ChainRecord?
    private(set) var highest: ChainRecord?
    private let lineage: Lineage
    private var filter: ChainFilter
    /// Up to here every message is there.
    private var reach: Int64

    /// Begins at a partition's start, or at a message up to which the chain is known to be whole.
    init(after hint: PartitionTail?, within lineage: Lineage) {
        self.lineage = lineage
        filter = hint.map { ChainFilter(epoch: $0.epoch, before: $0.position) } ?? ChainFilter()
        // The first record read is the hint's own.
        reach = hint.map(\.position) ?? 0
    }

    /// Takes the next record.
    mutating func take(_ record: ChainRecord) -> Place {
        guard filter.accepts(record) else { return .beside }
        // Also a mark alone: consumers have followed that history, and must hear where it parted from this one.
        guard let shared = lineage.shared[record.incarnation] else { return .foreign }
        guard case .message(let position, let previous) = record.kind else { return .beside }
        // Beyond a fork lies what a restore has undone.
        if position > shared { return .beside }
        guard previous == reach || position <= reach else { return .beside }
        last = record
        if position > highest?.position ?? 0 { highest = record }
        reach = max(reach, position)
        return .next
    }
}
