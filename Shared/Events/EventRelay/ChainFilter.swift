/// Walks along a partition and decides which records are part of the publisher's chain.
///
/// After a record with a higher epoch, lower epochs come from a zombie; and an epoch never goes back, so a position that is
/// not above the last one of the same epoch is a duplicate.
struct ChainFilter {
    private(set) var epoch: Int64
    private var position: Int64

    /// Starts at the beginning of a partition, or just before a message that is known to be part of the chain.
    init(epoch: Int64 = 0, before position: Int64 = 1) {
        self.epoch = epoch
        self.position = position - 1
    }

    /// Takes the next record and returns whether it belongs to the chain.
    mutating func accepts(_ chain: ChainRecord) -> Bool {
        if chain.epoch < epoch { return false }
        if chain.epoch > epoch {
            epoch = chain.epoch
            position = 0
        }
        guard let found = chain.position else { return true }
        if found <= position { return false }
        position = found
        return true
    }
}
