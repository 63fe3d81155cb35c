package import Contracts
import Crypto
import EventConsumer
import EventSourcing
package import EventStore
package import JSON
package import ObjectStorage
import Observability
import Postgres
package import Primitives
package import Runtime

/// Writes what a service has of somebody through a writer, for an export.
package typealias ExportSource = @Loop @Sendable (ExportWriter) async throws -> Void

/// Writes the files of one service's part of an export into object storage, each announced before it is written, in constant
/// memory. What is not kept afterwards, because the process dies or the export was given up, the sweeper removes.
@Loop package final class ExportWriter {
    /// Where a table goes on in another file, in bytes of JSON.
    private static let cut = 4 << 20
    /// What is left at least of the time for a part when a copy is put in its place; of a short time a part of that.
    private static let margin = Duration.seconds(60)
    private static let piece = 1 << 20
    /// The longest that a part may be waited for.
    package nonisolated static let longestWait = Duration.seconds(86_400)
    /// The longest that an export may be fetched once it is ready.
    package nonisolated static let longestLife = Duration.seconds(3 * 86_400)

    /// Whose data it is.
    package let owner: UUID
    package let exportId: UUID
    /// What was written so far.
    package private(set) var files: [ExportFile] = []
    /// How long the writing of one part may take.
    private let patience: Duration
    /// When the files go by themselves, should nobody ever say that the export is over.
    private let end: Timestamp
    private let service: ServiceName
    private let folder: ObjectFolder
    private let store: EventStore
    private let owners: OwnerReads
    private let objects: any ObjectStore
    private let log = Logger(label: "exports")

    /// - Parameters:
    ///   - deadline: until when the part is waited for.
    ///   - patience: how long its writing may take.
    package init(
        _ context: ServiceContext, _ objects: any ObjectStore, _ service: ServiceName, exportId: UUID, owner: UUID,
        deadline: Timestamp, patience: Duration = .seconds(600)
    ) {
        self.patience = patience
        // What lies further ahead is not believed.
        end = min(deadline, .now() + Self.longestWait) + Self.longestLife
        self.owner = owner
        self.exportId = exportId
        self.service = service
        guard let folder = ObjectFolder(rawValue: "export-\(service.rawValue)") else {
            preconditionFailure("\(service.rawValue) has no folder for exports.")
        }
        self.folder = folder
        store = context.store
        owners = context.owners
        self.objects = objects
    }

    /// What keeps the files of an export together in `object_intents`.
    package nonisolated static func purpose(_ exportId: UUID) -> String { "export \(exportId)" }

    private var index: DocumentReference?
    private var announced: [String] = []

    /// Row writes with which the files and their index stay until the export is over, or as long as one may last.
    package var keeping: [RowCall] {
        (files.map(\.key) + (index.map { [$0.key] } ?? [])).flatMap {
            [KitRows.keepObject($0), KitRows.keepObjectUntil($0, end)]
        }
    }

    /// Writes the whole part; gives up what was announced when that fails.
    ///
    /// - Returns: the document that names the files; nil when there are none.
    /// - Throws: what the source throws, `ObjectStoreError`, `AppendError`.
    package func run(_ source: ExportSource) async throws -> DocumentReference? {
        do {
            try await source(self)
            return try await finish()
        } catch {
            await giveUp()
            throw error
        }
    }

    /// Gives up all that was announced, of a part that another instance wrote or that failed: the sweeper removes it now instead of
    /// after ``patience``. Not for one that may be in use, because the answer to its append was lost.
    package func giveUp() async {
        do {
            try await store.append(
                Append(
                    id: .v7(), requestHash: [],
                    metadata: EventMetadata(owner: nil, correlation: .v7(), actor: service.rawValue), writes: [],
                    calls: announced.map { KitRows.discardObject($0) }, thoughErased: true))
        } catch {
            log.info("files of an export are left to their deadline", ["reason": .string("\(error)")])
        }
    }

    /// Writes the document that names the files; the last step.
    ///
    /// - Returns: where it lies; nil when nothing was written.
    /// - Throws: `ObjectStoreError`, `AppendError.erased`.
    private func finish() async throws -> DocumentReference? {
        if files.isEmpty { return nil }
        let bytes = ExportIndex.bytes(files)
        let key = try await announce()
        try await objects.write(bytes, to: key)
        CrashPoint.reached("export.after-index")
        index = DocumentReference(
            key: key, sha256: Hex.encode(SHA256.digest(bytes)), sizeBytes: Int64(bytes.count))
        return index
    }

    /// Waits until read models hold all that the log has by now, so that what somebody did just before is in the export.
    ///
    /// - Parameter models: the names of the read models.
    /// - Throws: `RetriableFailure` when they are behind for ten seconds, `PostgresError`.
    package func settle(_ models: [String]) async throws {
        let head = try await store.pool.query("select coalesce(max(position), 0) from events").rows[0].int(0)
        for _ in 0..<200 {
            let behind = try await store.pool.query(
                "select count(*) from projections where name = any($1::text[]) and position < $2",
                [.texts(models), .int(head)]
            ).rows[0].int(0)
            if behind == 0 { return }
            try await Loop.sleep(for: .milliseconds(50))
        }
        throw RetriableFailure(
            "read-models-behind",
            "The read models are behind the log; the part of an export is written when they are not.")
    }

    /// Writes a table whose rows a statement finds.
    ///
    /// - Parameter statement: gives a row's place as text and the row as JSON, in the order of the places; `$1` is the owner, `$2` the
    ///   place after which to go on (empty at first), `$3` how many rows to give.
    /// - Throws: `PostgresError`, `ObjectStoreError`, `AppendError.erased`, `JSONError`.
    package func write(_ table: ExportTable, page: Int64 = 200, _ statement: String) async throws {
        let lines = TableFiles(self, table)
        var last = ""
        while true {
            let rows = try await owners.query(
                of: owner, statement, [.uuid(owner), .text(last), .int(page)]
            ).rows
            for row in rows { try await lines.add(JSONObject.parse(row.bytes(1))) }
            guard Int64(rows.count) == page, let end = rows.last else { break }
            last = end.text(0)
        }
        try await lines.finish()
    }

    /// Writes a table of a few rows.
    ///
    /// - Throws: as ``write(_:page:_:)``.
    package func write(_ table: ExportTable, rows: [JSONObject]) async throws {
        let lines = TableFiles(self, table)
        for row in rows { try await lines.add(row) }
        try await lines.finish()
    }

    /// Writes a file.
    ///
    /// - Parameter name: its path below the service's folder in the archive.
    /// - Throws: `ObjectStoreError`, `AppendError.erased`.
    package func write(_ name: String, _ bytes: [UInt8]) async throws {
        let key = try await announce()
        try await objects.write(bytes, to: key)
        CrashPoint.reached("export.after-object")
        // A few megabytes would hold up every other request.
        let (sha256, crc32) = try await Offload.shared.run {
            (Hex.encode(SHA256.digest(bytes)), CRC32.checksum(bytes))
        }
        note(name, key, Int64(bytes.count), sha256, crc32)
    }

    /// Copies an object of the service, piece by piece; what is gone meanwhile is left out.
    ///
    /// - Returns: whether it was there.
    /// - Throws: `ObjectStoreError`, `AppendError.erased`.
    package func copy(_ source: String, size: Int64, as name: String) async throws -> Bool {
        let key = try await announce()
        // From then on the sweeper may have removed what was announced, and would not find what is put there later.
        let end: Timestamp = .now() + patience - min(Self.margin, patience / 4)
        let writer = try await objects.makeWriter(key, size: size)
        var hash = SHA256()
        var sum = CRC32()
        var count: Int64 = 0
        do {
            while count < size {
                let bytes = try await objects.read(
                    source, from: count, count: Int(min(Int64(Self.piece), size - count)))
                if bytes.isEmpty { throw ObjectStoreError.missing(source) }
                hash.update(bytes)
                sum.update(bytes)
                count += Int64(bytes.count)
                try await writer.write(bytes)
            }
            guard .now() < end else {
                throw RetriableFailure(
                    "export-file-late", "A file of an export took too long to copy; the part is written again.")
            }
            try await writer.commit()
        } catch {
            await writer.abandon()
            if case ObjectStoreError.missing = error { return false }
            throw error
        }
        note(name, key, size, Hex.encode(hash.finalize()), sum.value)
        return true
    }

    private func announce() async throws -> String {
        let key = folder.key("\(owner)/\(exportId)/\(UUID.v7())")
        announced.append(key)
        try await store.intendObject(
            key, of: owner, purpose: Self.purpose(exportId), until: .now() + patience)
        CrashPoint.reached("export.after-announce")
        return key
    }

    private func note(_ name: String, _ key: String, _ size: Int64, _ sha256: String, _ crc32: UInt32) {
        files.append(
            ExportFile(
                name: "\(service.rawValue)/\(name)", key: key, sizeBytes: size, sha256: sha256, crc32: Int64(crc32)))
    }

    /// The files of one table: goes on in another one where a file has grown large.
    @Loop private final class TableFiles {
        private let writer: ExportWriter
        private let table: ExportTable
        private var number = 1
        private var isFirst = true
        private var json: [UInt8] = []
        private var csv: [UInt8] = []

        init(_ writer: ExportWriter, _ table: ExportTable) {
            self.writer = writer
            self.table = table
            begin()
        }

        private func begin() {
            let head: JSONObject = [
                "formVersion": .int(ExportTable.formVersion), "schema": .string("\(table.name).schema.json"),
                "exportId": .uuid(writer.exportId), "service": .string(writer.service.rawValue),
                "table": .string(table.name),
            ]
            json = JSONValue.object(head).bytes.dropLast() + Array(",\"rows\":[".utf8)
            csv = ExportCSV.line(table.columns.map { .string($0.name) })
            isFirst = true
        }

        func add(_ given: JSONObject) async throws {
            let row = table.row(given)
            json += (isFirst ? [] : [UInt8(ascii: ",")]) + JSONValue.object(row).bytes
            if table.hasCSV { csv += ExportCSV.line(row.members.map(\.value)) }
            isFirst = false
            guard json.count >= ExportWriter.cut else { return }
            try await put()
            number += 1
            begin()
        }

        func finish() async throws {
            if number == 1 || !isFirst { try await put() }
            try await writer.write(
                "\(table.name).schema.json",
                Array(JSONValue.object(table.schema(of: writer.service.rawValue)).prettyText.utf8))
        }

        private func put() async throws {
            let name = number == 1 ? table.name : "\(table.name)-\(number)"
            try await writer.write("\(name).json", json + Array("]}".utf8))
            if table.hasCSV { try await writer.write("\(name).csv", csv) }
        }
    }
}
