package import Primitives
package import Runtime

/// An export as far as turns need it.
package protocol OwnedExport: Sendable {
    var exportId: UUID { get }
    var ownerId: UUID { get }
}

/// Work on exports beside each other: a few at once and one of each owner, so that a large one holds up no other. What failed has its
/// next turn behind the others, also behind those that a look finds no place for.
@Loop package final class ExportTurns<Export: OwnedExport> {
    /// Finds what there is to do, in its order and at most ``most``: those that are named come behind all others, in the order in which they
    /// are named.
    package typealias Find = @Loop (_ last: [UUID]) async throws -> [Export]
    /// Does it to its end; nothing when that was done meanwhile.
    package typealias Work = @Loop (Export) async throws -> Void

    private struct Failure {
        /// Which failure it was, counted from 1.
        var number: Int
        var error: any Error
    }

    /// How many exports a look finds.
    package static var most: Int { 100 }

    /// How many are worked on at once.
    private let places: Int
    private var waiting: [Export] = []
    /// What is under way, by owner.
    private var running: [UUID: (exportId: UUID, task: Task<Void, any Error>)] = [:]
    /// How the last turn of each export ended that failed and still waits.
    private var failed: [UUID: Failure] = [:]
    private var failures = 0

    package init(places: Int = 4) { self.places = places }

    /// Works until the task is cancelled, and waits then for what is under way. Looks every half second for what there is to do.
    package func run(_ repeated: RepeatedWork, _ find: Find, work: @escaping Work) async {
        await repeated.run(every: .milliseconds(500)) {
            try await look(find, work)
            try report()
        }
        waiting = []
        for one in running.values { one.task.cancel() }
        await finish()
    }

    /// Gives all that there is to do one turn, and waits for the end.
    ///
    /// - Throws: the last failure, after the others had their turn; what finding throws.
    package func all(_ find: Find, work: @escaping Work) async throws {
        try await look(find, work)
        await finish()
        try report()
    }

    private func look(_ find: Find, _ work: @escaping Work) async throws {
        let found = try await find(failed.sorted { $0.value.number < $1.value.number }.map(\.key))
        // There is no more than what was found, so nobody asks for others any more.
        if found.count < Self.most {
            let known = Set(found.map(\.exportId))
            failed = failed.filter { known.contains($0.key) }
        }
        // In their order, those that failed behind the others.
        let underWay = Set(running.values.map(\.exportId))
        waiting = found.filter { !underWay.contains($0.exportId) }.enumerated().sorted {
            (failed[$0.element.exportId]?.number ?? 0, $0.offset)
                < (failed[$1.element.exportId]?.number ?? 0, $1.offset)
        }.map(\.element)
        fill(work)
    }

    /// Begins what there are places for.
    private func fill(_ work: @escaping Work) {
        while running.count < places, let next = waiting.firstIndex(where: { running[$0.ownerId] == nil }) {
            begin(waiting.remove(at: next), work)
        }
    }

    private func begin(_ export: Export, _ work: @escaping Work) {
        let task = Loop.task {
            do {
                try await work(export)
                self.failed[export.exportId] = nil
            } catch {
                self.failures += 1
                self.failed[export.exportId] = Failure(number: self.failures, error: error)
            }
            self.running[export.ownerId] = nil
            if !Task.isCancelled { self.fill(work) }
        }
        running[export.ownerId] = (export.exportId, task)
    }

    private func finish() async {
        while let one = running.values.first { _ = await one.task.result }
    }

    private func report() throws {
        if let last = failed.values.max(by: { $0.number < $1.number }) { throw last.error }
    }
}
