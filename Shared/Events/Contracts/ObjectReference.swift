package import JSON

/// A document in object storage, named by where it lies and what it must be.
package struct DocumentReference: Sendable, Hashable {
    /// The object's key in the store.
    package var key: String
    /// SHA-256 of the bytes, 64 lower-case hexadecimal digits.
    package var sha256: String
    /// The number of bytes.
    package var sizeBytes: Int64

    package init(key: String, sha256: String, sizeBytes: Int64) {
        self.key = key
        self.sha256 = sha256
        self.sizeBytes = sizeBytes
    }

    package init(_ object: JSONObject) throws(JSONError) {
        key = try object.string("key")
        sha256 = try object.string("sha256")
        sizeBytes = try object.int("sizeBytes")
    }

    package var json: JSONObject {
        ["key": .string(key), "sha256": .string(sha256), "sizeBytes": .int(sizeBytes)]
    }
}

/// An uploaded recording in object storage.
package struct MediaReference: Sendable, Hashable {
    /// The object's key in the store.
    package var key: String
    /// SHA-256 of the bytes, 64 lower-case hexadecimal digits.
    package var sha256: String
    /// The number of bytes.
    package var sizeBytes: Int64
    /// The media type, as recognised by content.
    package var contentType: String

    package init(key: String, sha256: String, sizeBytes: Int64, contentType: String) {
        self.key = key
        self.sha256 = sha256
        self.sizeBytes = sizeBytes
        self.contentType = contentType
    }

    package init(_ object: JSONObject) throws(JSONError) {
        key = try object.string("key")
        sha256 = try object.string("sha256")
        sizeBytes = try object.int("sizeBytes")
        contentType = try object.string("contentType")
    }

    package var json: JSONObject {
        [
            "key": .string(key), "sha256": .string(sha256), "sizeBytes": .int(sizeBytes),
            "contentType": .string(contentType),
        ]
    }
}
