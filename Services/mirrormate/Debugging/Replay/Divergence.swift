package import EventSourcing
package import History
package import JSON
import Primitives
package import Runtime

/// The first event at which two folds of a row diverge.
package struct Divergence: Sendable {
    package let key: String
    package let event: RecordedEvent
    /// The fields that differ in the end.
    package let fields: [String]
    /// Whether both folds were run over the row's events; otherwise it is estimated from the live row.
    package let isProven: Bool
}

/// Finds where rows diverge from what this build folds from their events.
@Loop package struct DivergenceSearch {
    /// A row as folded by another build up to a position.
    package typealias OtherFold = @Loop (_ key: String, _ position: Int64) async throws -> JSONValue

    private let store: HistoryStore
    private let model: ReadModelHistory

    package init(_ store: HistoryStore, _ model: ReadModelHistory) {
        self.store = store
        self.model = model
    }

    /// The earliest event at which any of the differing rows diverges; nil if no event concerns them.
    ///
    /// - Parameter other: the fold that made the live rows, if a build still has it: a binary search over each row's events
    ///   finds the first one after which the two differ. Without it, the live row has to do: it diverges after the last
    ///   event after which this build's row agreed with it in the fields that differ.
    /// - Throws: `PostgresError`, ``FoldError``, or what `other` throws.
    package func first(in drifts: [Drift], upTo position: Int64, other: OtherFold? = nil) async throws -> Divergence? {
        var earliest: Divergence?
        for drift in drifts {
            let changes = try await StateFold(store).changes(of: drift.key, in: model, upTo: position)
            let found =
                if let other { try await halve(drift, changes, other) } else { estimate(drift, changes) }
            if let found, found.event.position < earliest?.event.position ?? .max { earliest = found }
        }
        return earliest
    }

    private func halve(
        _ drift: Drift, _ changes: [StateFold.Change], _ other: OtherFold
    ) async throws -> Divergence? {
        var low = 0
        var high = changes.count - 1
        guard high >= 0 else { return nil }
        while low < high {
            let middle = (low + high) / 2
            let theirs = try await other(drift.key, changes[middle].event.position)
            let ours = changes[middle].after.map(JSONValue.object) ?? .null
            if theirs == ours { low = middle + 1 } else { high = middle }
        }
        let theirs = try await other(drift.key, changes[low].event.position)
        let ours = changes[low].after.map(JSONValue.object) ?? .null
        let fields = Difference.fields(theirs, ours).map(\.name)
        return Divergence(key: drift.key, event: changes[low].event, fields: fields, isProven: true)
    }

    private func estimate(_ drift: Drift, _ changes: [StateFold.Change]) -> Divergence? {
        let live = drift.live.flatMap { try? model.open().normalised($0) }.map(JSONValue.object) ?? .null
        let folded = changes.last?.after.map(JSONValue.object) ?? .null
        let fields = Difference.fields(live, folded).map(\.name)
        func agrees(_ change: StateFold.Change) -> Bool {
            let after = change.after.map(JSONValue.object) ?? .null
            if live.isNull || after.isNull { return live == after }
            let different = Set(Difference.fields(live, after).map(\.name))
            return fields.allSatisfy { !different.contains($0) }
        }
        let parting: StateFold.Change?
        if let last = changes.lastIndex(where: agrees) {
            parting = changes.dropFirst(last + 1).first
        } else {
            parting = changes.last { change in change.fields.contains { fields.contains($0.name) } } ?? changes.last
        }
        return parting.map { Divergence(key: drift.key, event: $0.event, fields: fields, isProven: false) }
    }
}
