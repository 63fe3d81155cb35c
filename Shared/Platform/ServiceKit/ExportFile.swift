package import JSON
package import Primitives

/// A file of an export as it lies in object storage until the export is over.
package struct ExportFile: Sendable, Hashable {
    /// The largest, in bytes: more than an archive holds, and so little that no index of such files has a sum that overflows.
    package static let mostBytes: Int64 = 1 << 32

    /// Its path in the archive, such as `sessions/sessions.csv`; never anything of its owner.
    package var name: String
    /// The object's key in the store.
    package var key: String
    /// The number of bytes.
    package var sizeBytes: Int64
    /// SHA-256 of the bytes, 64 lower-case hexadecimal digits.
    package var sha256: String
    /// CRC-32 of the bytes (ISO 3309), which an archive names before the bytes come.
    package var crc32: Int64

    package init(name: String, key: String, sizeBytes: Int64, sha256: String, crc32: Int64) {
        self.name = name
        self.key = key
        self.sizeBytes = sizeBytes
        self.sha256 = sha256
        self.crc32 = crc32
    }

    package init(_ object: JSONObject) throws(JSONError) {
        name = try object.string("name")
        key = try object.string("key")
        sizeBytes = try object.int("sizeBytes")
        sha256 = try object.string("sha256")
        crc32 = try object.int("crc32")
    }

    package var json: JSONObject {
        [
            "name": .string(name), "key": .string(key), "sizeBytes": .int(sizeBytes), "sha256": .string(sha256),
            "crc32": .int(crc32),
        ]
    }

    /// Whether it is a file that a service may have written for an export: services do not believe each other's keys.
    package func isPart(of export: UUID, owner: UUID, by service: String) -> Bool {
        Self.isKey(key, of: export, owner: owner, by: service) && name.hasPrefix("\(service)/") && !name.contains("..")
            && name.utf8.count <= 200 && name.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x5C }
            && (0...Self.mostBytes).contains(sizeBytes) && (0...Int64(UInt32.max)).contains(crc32)
    }

    /// Whether an object's key is one that a service may have written for an export.
    package static func isKey(_ key: String, of export: UUID, owner: UUID, by service: String) -> Bool {
        key.hasPrefix("export-\(service)/\(owner)/\(export)/") && !key.contains("..")
    }
}

/// The document that names the files of one service's part of an export. It lies beside them: a topic keeps what it has for good.
package enum ExportIndex {
    /// The largest, in bytes.
    package static let limit: Int64 = 16 << 20

    /// The document's bytes.
    package static func bytes(_ files: [ExportFile]) -> [UInt8] {
        JSONValue.object(["version": 1, "files": .array(files.map { .object($0.json) })]).bytes
    }

    /// The files that a document names.
    ///
    /// - Throws: `JSONError` if a member is missing or malformed.
    package static func files(_ bytes: [UInt8]) throws(JSONError) -> [ExportFile] {
        var files: [ExportFile] = []
        for value in try JSONObject.parse(bytes).array("files") {
            guard let file = value.objectValue else {
                throw JSONError(.type, at: "files", "must be a list of objects")
            }
            files.append(try ExportFile(file))
        }
        return files
    }
}
