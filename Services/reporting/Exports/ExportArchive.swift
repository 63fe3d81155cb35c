import Contracts
import Crypto
import HTTPServer
import JSON
import ObjectStorage
import Primitives
import Runtime
import ServiceKit

/// The archive of an export: what all services have written, with a list of it and a word about it. Made anew for each download, the
/// same bytes each time.
struct ExportArchive: Sendable {
    /// The version of the manifest's form, `docs/schemas/export-manifest.v1.json`.
    static let formVersion: Int64 = 1
    private static let piece: Int64 = 256 << 10

    let zip: ZipArchive
    /// By what a client sees that it has it already.
    let tag: String

    /// - Parameters:
    ///   - readyAt: when all parts were there.
    ///   - parts: the files of all services.
    init(_ export: Exports.Export, readyAt: Timestamp, _ parts: [ExportFile]) {
        let readme = ZipArchive.File("README.txt", Array(Self.readme(export, readyAt).utf8))
        let manifest = Self.manifest(export, readyAt, parts, readme)
        let bytes = Array(JSONValue.object(manifest).prettyText.utf8)
        tag = "\"\(Hex.encode(SHA256.digest(bytes).prefix(16)))\""
        zip = ZipArchive(
            [readme, ZipArchive.File("manifest.json", bytes)]
                + parts.map { file in
                    ZipArchive.File(
                        name: file.name, size: file.sizeBytes, crc32: UInt32(truncatingIfNeeded: file.crc32),
                        source: .object(file.key))
                }, madeAt: readyAt)
    }

    /// What is demanded of whoever fetches it.
    struct Pace {
        /// The least, in bytes per second of waiting.
        var bytesPerSecond: Int64
        /// How long it may take in all.
        var within: Duration
    }

    /// The answer with the whole archive, in constant memory.
    ///
    /// - Parameter place: is held until the last byte is written, or the client is gone.
    func answer(
        from objects: any ObjectStore, name: String, _ pace: Pace, holding place: ClientPlaces.Place
    ) -> Response {
        let zip = zip
        return .stream(
            contentType: "application/zip", length: zip.length,
            headers: [
                "Content-Disposition": "attachment; filename=\"\(name)\"", "Cache-Control": "private, no-store",
                "ETag": tag,
            ]
        ) { writer in
            defer { withExtendedLifetime(place) {} }
            writer.demand(bytesPerSecond: pace.bytesPerSecond, within: pace.within)
            try await zip.write(to: { try await writer.write($0) }) { key, size in
                var offset: Int64 = 0
                while offset < size {
                    let bytes = try await objects.read(
                        key, from: offset, count: Int(min(Self.piece, size - offset)))
                    // Removed meanwhile: the connection breaks, and the client sees that something is missing.
                    if bytes.isEmpty { throw ObjectStoreError.missing(key) }
                    try await writer.write(bytes)
                    offset += Int64(bytes.count)
                }
            }
        }
    }

    private static func manifest(
        _ export: Exports.Export, _ readyAt: Timestamp, _ parts: [ExportFile], _ readme: ZipArchive.File
    ) -> JSONObject {
        var files = parts.map { file -> JSONValue in
            [
                "name": .string(file.name), "sizeBytes": .int(file.sizeBytes), "sha256": .string(file.sha256),
                "service": .optional(file.name.split(separator: "/").first.map(String.init)),
            ]
        }
        if case .bytes(let bytes) = readme.source {
            files.insert(
                [
                    "name": .string(readme.name), "sizeBytes": .int(readme.size),
                    "sha256": .string(Hex.encode(SHA256.digest(bytes))), "service": .null,
                ], at: 0)
        }
        return [
            "formVersion": .int(formVersion), "software": "MirrorMate",
            "exportId": .uuid(export.identity.exportId), "userId": .uuid(export.identity.ownerId),
            "requestedAt": .time(export.terms.requestedAt), "madeAt": .time(readyAt),
            "services": .array(Exports.services.map(JSONValue.string)), "files": .array(files),
        ]
    }

    private static func readme(_ export: Exports.Export, _ readyAt: Timestamp) -> String {
        """
        This is everything that MirrorMate has of you, as of \(readyAt.rfc3339).

        manifest.json     every other file with its size and SHA-256
        identity/         your account: profile, linked identities, login sessions, preferences, photo
        sessions/         your sessions, recorded and logged, and recordings that were not removed yet
        quota/            your plan, and what was used of it
        reporting/        your reports, progress, goals, practice, and how you used the account

        Each table is there three times: NAME.json for programs, NAME.csv for spreadsheets, and NAME.schema.json, a JSON Schema that says
        what each column means. A large table goes on in NAME-2.json and so on. In CSV, text that a spreadsheet might take for a formula
        begins with an apostrophe; the JSON has it as it is.

        Software made the reports, from measurements of the recordings; no person has judged them, and they can be wrong.

        Not in here, because nobody could use it but to harm you: hashes of passwords and codes, keys and tokens.

        """
    }
}
