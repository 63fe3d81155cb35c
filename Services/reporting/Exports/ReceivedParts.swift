import Contracts
import Crypto
import EventConsumer
import EventStore
import JSON
import ObjectStorage
import Observability
import Primitives
import Runtime
import ServiceKit

/// Takes what services have written for exports, and finds it again for whoever fetches one.
@Loop struct ReceivedParts {
    private let store: EventStore
    private let objects: any ObjectStore
    private let log = Logger(label: "exports")

    init(_ store: EventStore, _ objects: any ObjectStore) {
        self.store = store
        self.objects = objects
    }

    /// Notes another service's part. One that cannot be believed is none: the export fails at its deadline and says whose is missing.
    ///
    /// - Throws: `RetriableFailure` when the object store fails, `AppendError`, `PostgresError`.
    func receive(
        _ written: ExportPartWritten, _ message: ReceivedMessage, through gate: any AppendGate
    ) async throws {
        let export = ExportIdentity(exportId: written.exportId, ownerId: written.ownerId)
        // Whose it is says the key, by which the log orders.
        guard message.key == .owner(written.ownerId) else { return }
        let files: [ExportFile]?
        do {
            files = try await self.files(written.index, of: export, by: written.service)
        } catch let error as ObjectStoreError {
            throw RetriableFailure("object-store", error.description)
        }
        guard let files else {
            log.warning("a part of an export cannot be read", ["service": .string(written.service)])
            return
        }
        let part = ExportPart(
            index: written.index, files: Int64(files.count), sizeBytes: files.reduce(0) { $0 + $1.sizeBytes })
        _ = try await CommandHandler<Exports>(store, through: gate).handle(
            .receive(export, service: written.service, part, at: message.incoming.time),
            on: Exports.stream(written.ownerId), id: message.appendID, requestHash: message.incoming.id.bytes,
            metadata: message.metadata(actor: ReportingService.name.rawValue))
    }

    /// The archive of an export that is ready; nil when parts of it are gone.
    ///
    /// - Throws: `ObjectStoreError` when the store fails.
    func archive(_ export: Exports.Export, readyAt: Timestamp) async throws -> ExportArchive? {
        var files: [ExportFile] = []
        for service in Exports.services {
            guard let part = export.parts[service],
                let found = try await self.files(part.index, of: export.identity, by: service)
            else { return nil }
            files += found
        }
        let archive = ExportArchive(export, readyAt: readyAt, files)
        return archive.zip.isPossible ? archive : nil
    }

    /// The files of a part; nil when the document that names them is gone, is another one, or names what is not of the export.
    private func files(
        _ index: DocumentReference?, of export: ExportIdentity, by service: String
    ) async throws -> [ExportFile]? {
        guard let index else { return [] }
        guard (0...ExportIndex.limit).contains(index.sizeBytes),
            ExportFile.isKey(index.key, of: export.exportId, owner: export.ownerId, by: service)
        else { return nil }
        let bytes: [UInt8]
        do {
            bytes = try await objects.read(index.key, limit: Int(index.sizeBytes))
        } catch let error as ObjectStoreError {
            switch error {
            case .missing, .tooLarge, .badKey, .wrongSize: return nil
            case .failed, .unavailable, .misconfigured: throw error
            }
        }
        guard Hex.encode(SHA256.digest(bytes)) == index.sha256, let files = try? ExportIndex.files(bytes) else {
            return nil
        }
        let isWhole = files.allSatisfy { $0.isPart(of: export.exportId, owner: export.ownerId, by: service) }
        return isWhole ? files : nil
    }
}
