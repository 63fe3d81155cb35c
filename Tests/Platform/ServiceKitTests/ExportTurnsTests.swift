import Observability
import Primitives
import Runtime
import Testing

@testable import ServiceKit

@Suite(.timeLimit(.minutes(10))) @Loop struct `The turns of exports` {
    private struct Export: OwnedExport {
        let exportId = UUID.v7()
        let ownerId: UUID

        init(of owner: UUID = .v7()) { ownerId = owner }
    }

    private struct Broken: Error {}

    /// What is worked on: each export waits until it is let go.
    @Loop private final class Bench {
        private(set) var begun: [UUID] = []
        private(set) var ended: [UUID] = []
        private(set) var cancelled: [UUID] = []
        private(set) var most = 0
        private var held: Set<UUID> = []
        private var atOnce = 0
        private let changed = Signal()

        func hold(_ exports: [Export]) { held.formUnion(exports.map(\.exportId)) }

        func letGo(_ exports: [Export]) {
            held.subtract(exports.map(\.exportId))
            changed.raise()
        }

        func work(_ export: Export) async throws {
            begun.append(export.exportId)
            atOnce += 1
            most = max(most, atOnce)
            changed.raise()
            defer {
                atOnce -= 1
                changed.raise()
            }
            do {
                while held.contains(export.exportId) { try await changed.wait(atMost: .seconds(20)) }
            } catch {
                cancelled.append(export.exportId)
                throw error
            }
            ended.append(export.exportId)
        }

        func until(_ isSo: @Loop () -> Bool) async throws {
            while !isSo() { try await changed.wait(atMost: .seconds(20)) }
        }
    }

    private let repeated = RepeatedWork(Logger(label: "test"), orElse: "a turn has failed")

    @Test func `let a large one hold up no other`() async throws {
        let bench = Bench()
        let turns = ExportTurns<Export>(places: 2)
        let large = Export()
        let others = (0..<5).map { _ in Export() }
        bench.hold([large])
        let all = Loop.task { try await turns.all({ _ in [large] + others }, work: bench.work) }
        try await bench.until { bench.ended.count == 5 }
        #expect(bench.ended == others.map(\.exportId), "in their order")
        #expect(bench.begun.first == large.exportId)
        bench.letGo([large])
        try await all.value
        #expect(bench.ended.count == 6)
    }

    @Test func `are as many at once as there are places, and one of each owner`() async throws {
        let bench = Bench()
        let turns = ExportTurns<Export>(places: 3)
        let owner = UUID.v7()
        let own = (0..<4).map { _ in Export(of: owner) }
        let others = (0..<4).map { _ in Export() }
        bench.hold(own + others)
        let all = Loop.task { try await turns.all({ _ in own + others }, work: bench.work) }
        try await bench.until { bench.begun.count == 3 }
        #expect(bench.begun == [own[0], others[0], others[1]].map(\.exportId))
        bench.letGo(others)
        try await bench.until { bench.ended.count == 4 }
        #expect(bench.begun.count == 5, "the owner's others wait for the first")
        bench.letGo(own)
        try await all.value
        #expect(bench.ended.count == 8 && bench.most == 3)
    }

    @Test func `come to those that failed behind the others, and say so as long as they fail`() async throws {
        let turns = ExportTurns<Export>(places: 1)
        let (broken, good) = (Export(), Export())
        var order: [UUID] = []
        var isBroken = true
        func work(_ export: Export) async throws {
            order.append(export.exportId)
            if isBroken, export.exportId == broken.exportId { throw Broken() }
        }
        for _ in 1...2 {
            await #expect(throws: Broken.self) { try await turns.all({ _ in [broken, good] }, work: work) }
        }
        #expect(order == [broken, good, good, broken].map(\.exportId))
        isBroken = false
        try await turns.all({ _ in [broken, good] }, work: work)
        isBroken = true
        await #expect(throws: Broken.self) { try await turns.all({ _ in [broken, good] }, work: work) }
        // Nobody asks for it any more.
        try await turns.all({ _ in [good] }, work: work)
    }

    @Test func `come to one for which a look has no place behind all others that fail`() async throws {
        let turns = ExportTurns<Export>(places: 1)
        let most = ExportTurns<Export>.most
        let broken = (0..<most + 5).map { _ in Export() }
        let good = Export()
        var order: [UUID] = []
        func find(last: [UUID]) -> [Export] {
            let places = Dictionary(uniqueKeysWithValues: last.enumerated().map { ($1, $0 + 1) })
            let all = order.contains(good.exportId) ? broken : broken + [good]
            let sorted = all.enumerated().sorted {
                (places[$0.element.exportId] ?? 0, $0.offset) < (places[$1.element.exportId] ?? 0, $1.offset)
            }
            return sorted.prefix(most).map(\.element)
        }
        func work(_ export: Export) async throws {
            order.append(export.exportId)
            if export.exportId != good.exportId { throw Broken() }
        }
        for _ in 1...3 { await #expect(throws: Broken.self) { try await turns.all(find, work: work) } }
        // Then those that failed, in their turn: none of them is forgotten.
        let expected = broken + [good] + broken
        #expect(Array(order.prefix(expected.count)) == expected.map(\.exportId))
    }

    @Test func `begin none again that a look has found while it was under way`() async throws {
        let bench = Bench()
        let turns = ExportTurns<Export>(places: 2)
        let large = Export()
        bench.hold([large])
        var looks = 0
        let running = Loop.task {
            await turns.run(
                repeated,
                { _ in
                    looks += 1
                    return bench.ended.isEmpty ? [large] : []
                }, work: bench.work)
        }
        while looks < 2 { try await Loop.sleep(for: .milliseconds(20)) }
        bench.letGo([large])
        try await bench.until { !bench.ended.isEmpty }
        let seen = looks
        while looks == seen { try await Loop.sleep(for: .milliseconds(20)) }
        #expect(bench.begun == [large.exportId])
        running.cancel()
        try await running.value
    }

    @Test func `end with the process, and what is under way with them`() async throws {
        let bench = Bench()
        let turns = ExportTurns<Export>(places: 1)
        let exports = [Export(), Export()]
        bench.hold(exports)
        let running = Loop.task { await turns.run(repeated, { _ in exports }, work: bench.work) }
        try await bench.until { bench.begun.count == 1 }
        running.cancel()
        try await running.value
        #expect(bench.begun == [exports[0].exportId] && bench.cancelled == bench.begun && bench.ended.isEmpty)
    }
}
