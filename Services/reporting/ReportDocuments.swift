import Contracts
import Crypto
import EventConsumer
import JSON
import ObjectStorage
import Primitives
import Runtime

/// Reads the documents that analysis leaves in object storage.
@Loop struct ReportDocuments {
    /// The largest document, in bytes.
    static let limit: Int64 = 4 << 20

    private let objects: any ObjectStore

    init(_ objects: any ObjectStore) { self.objects = objects }

    /// A document; an empty object when it is no JSON object; nil when it is not there or is another one than the
    /// reference says.
    ///
    /// - Throws: `RetriableFailure` when the store itself fails.
    func read(_ reference: DocumentReference) async throws -> JSONObject? {
        guard (0...Self.limit).contains(reference.sizeBytes) else { return nil }
        let bytes: [UInt8]
        do {
            bytes = try await objects.read(reference.key, limit: Int(reference.sizeBytes))
        } catch let error as ObjectStoreError {
            switch error {
            case .missing, .tooLarge, .badKey, .wrongSize: return nil
            // Wrong settings too: an operator can correct them, and nothing is lost until then.
            case .failed, .unavailable, .misconfigured: throw RetriableFailure("object-store", error.description)
            }
        }
        // Hashing and parsing a few megabytes would hold up every other request.
        return try await Offload.shared.run {
            guard bytes.count == reference.sizeBytes, Hex.encode(SHA256.digest(bytes)) == reference.sha256 else {
                return nil
            }
            return (try? JSONObject.parse(bytes)) ?? [:]
        }
    }
}
