import EventRelay
import Primitives

/// What the chain says of the next record of a partition: pure, so that every case can be tested without a broker.
enum ChainVerdict: Equatable, Sendable {
    /// The next message in the chain.
    case apply
    /// A relay's mark, or the first sight of a publisher: only the watermark takes note.
    case mark
    /// Seen before.
    case duplicate
    /// Written under an old lease by a relay that did not know yet that it had lost it.
    case zombie
    /// Something between is missing.
    case gap(expected: Int64, found: Int64)
    /// The publisher's store was restored: what it had said past this position never happened.
    case fork(Int64)
    /// A record that the publisher cannot have written: its headers, place or signature say so. It moves nothing.
    case foreign

    /// Whether the record would be judged in the same way if it stood in another topic than the one before, in which messages stand
    /// before it that were never seen. A message tells by its predecessor.
    var tellsNothingOfOthers: Bool {
        switch self {
        case .mark, .fork, .zombie, .foreign: true
        // A repeat has all behind it that came after it before, and a gap is looked at anyway.
        case .apply, .duplicate, .gap: false
        }
    }

    /// Judges a record against a watermark.
    ///
    /// - Parameters:
    ///   - chain: the record's chain headers, if it has them.
    ///   - doubt: why the publisher cannot have written it, if that is so.
    static func judge(_ chain: ChainRecord?, _ watermark: Watermark, doubt: RecordDoubt? = nil) -> ChainVerdict {
        guard let chain, doubt != .foreign else { return .foreign }
        let verdict = judge(chain, watermark)
        switch verdict {
        // What was seen before may have been signed with a key that nobody has any more.
        case .duplicate, .zombie: return verdict
        case .apply, .mark, .gap, .fork, .foreign: return doubt == nil ? verdict : .foreign
        }
    }

    private static func judge(_ chain: ChainRecord, _ watermark: Watermark) -> ChainVerdict {
        if chain.epoch < watermark.sourceEpoch { return .zombie }
        // A confirmed restore counts on above all lease numbers. Another history under the same number is that of a database
        // that was set back, before its relay has noticed.
        if chain.epoch == watermark.sourceEpoch, let known = watermark.incarnation, known != chain.incarnation {
            return .zombie
        }
        switch chain.kind {
        case .lease:
            guard let known = watermark.incarnation, known != chain.incarnation else { return .mark }
            // A history that shares nothing with the one known begins anew.
            return .fork(chain.lineage[known] ?? 0)
        case .message(let position, let previous):
            if let known = watermark.incarnation, known != chain.incarnation {
                return .gap(expected: watermark.seen, found: position)
            }
            if position <= watermark.seen { return .duplicate }
            // Behind a fork seen stands at no message's own position, so the message before may lie below it.
            let follows = previous == watermark.seen || previous < watermark.seen && watermark.seen == watermark.fork
            return follows ? .apply : .gap(expected: watermark.seen, found: previous)
        }
    }
}

extension Watermark {
    /// The watermark after a record that was applied or needed nothing.
    func behind(_ offset: Int64, _ chain: ChainRecord?, _ verdict: ChainVerdict) -> Watermark {
        var next = self
        next.nextOffset = offset + 1
        guard let chain else {
            next.lastIdentity = "foreign"
            return next
        }
        next.lastIdentity = chain.identity
        switch verdict {
        case .apply:
            next.seen = chain.position ?? seen
            next.incarnation = chain.incarnation
        case .mark:
            next.sourceEpoch = max(sourceEpoch, chain.epoch)
            next.incarnation = chain.incarnation
        case .fork(let fork):
            next.sourceEpoch = max(sourceEpoch, chain.epoch)
            next.incarnation = chain.incarnation
            if seen > fork {
                next.seen = fork
                next.fork = fork
            }
        case .duplicate, .zombie, .foreign, .gap: break
        }
        return next
    }
}
