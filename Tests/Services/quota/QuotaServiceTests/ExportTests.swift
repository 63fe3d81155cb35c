import Contracts
import EventSourcing
import EventStore
import JSON
import ObjectStorage
import Observability
import Primitives
import Runtime
import ServiceTesting
import Testing

@testable import ServiceKit
@testable import quota

@Suite(.timeLimit(.minutes(10))) @Loop struct `The part of quota in an export` {
    private let from = Messages()

    @Test func `has the plan, what is left, and all that happened`() async throws {
        try await withService(QuotaService.self) { group in
            let session = UUID.v7()
            try await group.deliver(from.created(session))
            try await group.deliver(from.completed(session))
            let asked = ExportRequested(exportId: .v7(), ownerId: from.owner, deadline: .now() + .seconds(600))
            try await group.deliver(asked)
            let index = try #require(try await group.exportPart(of: asked.exportId)?.index)
            let objects = try #require(group.first.objects)
            let files = try ExportIndex.files(try await objects.read(index.key, limit: 1 << 20))
            #expect(files.allSatisfy { $0.isPart(of: asked.exportId, owner: from.owner, by: "quota") })
            func document(_ name: String) async throws -> JSONObject {
                let file = try #require(files.first { $0.name == name })
                return try JSONObject.parse(try await objects.read(file.key, limit: Int(file.sizeBytes)))
            }
            let history = try await document("quota/allowance-history.json").array("rows")
            #expect(history.map { $0["what"] } == ["QuotaReserved", "QuotaCommitted"])
            #expect(history.allSatisfy { $0["sessionId"] == .uuid(session) })
            let allowances = try await document("quota/allowances.json").array("rows")
            #expect(allowances.first?["used"] == 1 && allowances.first?["plan"] == "free")
            #expect(
                try await group.count("select count(*) from object_intents where deadline is null")
                    == Int64(files.count + 1))
        }
    }

    @Test func `goes by itself when nobody says that the export is over, whatever deadline was named`() async throws {
        try await withService(QuotaService.self) { group in
            try await group.deliver(from.created(UUID.v7()))
            // What asks might never come back, or be somebody else's by now.
            for deadline in [Duration.seconds(600), .seconds(400 * 86_400)] {
                let asked = ExportRequested(exportId: .v7(), ownerId: from.owner, deadline: .now() + deadline)
                try await group.deliver(asked)
                _ = try #require(try await group.exportPart(of: asked.exportId)?.index)
            }
            let rows = "select count(*) from object_intents"
            let all = try await group.count(rows)
            #expect(all > 0)
            #expect(
                try await group.count(
                    "\(rows) where kept_until between now() + interval '3 days' and now() + interval '4 days'") == all)

            let objects = try #require(group.first.objects)
            let sweeper = ObjectSweeper(group.store, objects, log: Logger(label: "test"))
            try await sweeper.sweep()
            let keys = try await objects.keys(under: "export-quota/")
            #expect(Int64(keys.count) == all, "nothing goes before")
            try await group.store.append(
                Append(
                    id: .v7(), requestHash: [],
                    metadata: EventMetadata(owner: nil, correlation: .v7(), actor: "test"), writes: [],
                    calls: keys.map { KitRows.keepObjectUntil($0, .now() + .seconds(-1)) }))
            try await sweeper.sweep()
            #expect(try await objects.keys(under: "export-quota/") == [])
            #expect(try await group.count(rows) == 0)
        }
    }

    /// Closed until a test opens it.
    @Loop private final class Door {
        private var isOpen = false
        private let opened = Signal()

        func pass() async throws { while !isOpen { try await opened.wait(atMost: .seconds(20)) } }

        func open() {
            isOpen = true
            opened.raise()
        }
    }

    @Test func `is given up when the export is over while it is written`() async throws {
        try await withService(QuotaService.self) { group in
            let asked = ExportRequested(exportId: .v7(), ownerId: .v7(), deadline: .now() + .seconds(600))
            try await group.deliver(asked)
            let (begun, door) = (Door(), Door())
            let parts = ExportParts(group.context, try #require(group.first.objects), .quota) { writer in
                try await writer.write("all.json", Array("{}".utf8))
                begun.open()
                try await door.pass()
            }
            let work = Loop.task { try await parts.work() }
            try await begun.pass()
            try await group.deliver(ExportClosed(exportId: asked.exportId, ownerId: asked.ownerId))
            door.open()
            try await work.value
            #expect(try await group.count("select count(*) from events where type = 'ExportPartWritten'") == 0)
            #expect(try await group.count("select count(*) from export_parts") == 0)
            #expect(try await group.count("select count(*) from object_intents where not unwanted") == 0)
        }
    }

    private struct Unwritable: Error {}

    @Test func `is written though as many as a look finds cannot be`() async throws {
        try await withService(QuotaService.self) { group in
            let asked = (0...ExportTurns<ExportRequested>.most).map { _ in
                ExportRequested(exportId: .v7(), ownerId: .v7(), deadline: .now() + .seconds(600))
            }
            for one in asked { try await group.deliver(one) }
            let parts = ExportParts(group.context, try #require(group.first.objects), .quota) { writer in
                guard writer.owner == asked.last?.ownerId else { throw Unwritable() }
                try await writer.write("all.json", Array("{}".utf8))
            }
            for _ in 1...2 { await #expect(throws: Unwritable.self) { try await parts.work() } }
            #expect(try await group.count("select count(*) from events where type = 'ExportPartWritten'") == 1)
        }
    }

    @Test func `is written while a large one of somebody else is, which was asked for before`() async throws {
        try await withService(QuotaService.self) { group in
            let (large, small) = (UUID.v7(), UUID.v7())
            for owner in [large, small] {
                try await group.deliver(
                    ExportRequested(exportId: .v7(), ownerId: owner, deadline: .now() + .seconds(600)))
            }
            let door = Door()
            let parts = ExportParts(group.context, try #require(group.first.objects), .quota) { writer in
                if writer.owner == large { try await door.pass() }
                try await writer.write("all.json", Array("{}".utf8))
            }
            let work = Loop.task { try await parts.work() }
            let left =
                "select count(*) filter (where owner_id = '\(large)') - count(*) filter (where owner_id = '\(small)')"
            #expect(try await group.eventually { try await group.count("\(left) from export_parts") == 1 })
            door.open()
            try await work.value
            #expect(try await group.count("select count(*) from export_parts") == 0)
            #expect(try await group.count("select count(*) from events where type = 'ExportPartWritten'") == 2)
        }
    }
}
