import Contracts
import HTTPServer
import JSON
import ServiceKit
import Uploads
import sessions

/// Recordings that come in pieces, by tus 1.0.
extension Operations {
    private static let version = field("Tus-Resumable", "The version of tus.", ["enum": ["1.0.0"]])
    private static let length = field(
        "Upload-Length", "The file's size in bytes, as it was announced.", ["pattern": "^[1-9][0-9]{0,9}$"])
    private static let offset = field(
        "Upload-Offset", "Where in the file the bytes begin.", ["pattern": "^[0-9]{1,10}$"])
    private static let signed = signature + [version]

    private static func field(_ name: String, _ meaning: String, _ form: JSONObject) -> Operation.Parameter {
        Operation.Parameter(
            name: name, place: "header", meaning: meaning, isRequired: true,
            schema: .object(JSONObject([("type", "string")]).adding(membersOf: form)))
    }

    static let resumable = [
        Operation(
            .sessions, "OPTIONS", "/v1/uploads/{id}/resumable", "uploadOptions",
            "Which version and which extensions of tus there are, and how large a file may be, in header fields.",
            .anybody,
            [nothing("Tus-Version, Tus-Extension, Tus-Max-Size and Tus-Checksum-Algorithm say it.")], [.notFound],
            isKept: false),
        Operation(
            .sessions, "POST", "/v1/uploads/{id}/resumable", "beginUpload",
            """
            Begins an upload to the caller's session, in the place of one that was begun before. Location is its address, which holds for \
            as long as the session waits. With a body of application/offset+octet-stream the first bytes come at once.
            """, .user,
            parameters: [
                version, length,
                header("Upload-Metadata", "Whatever a client sends here is not looked at: the session says it."),
            ],
            [
                Operation.Answer(
                    status: 201, meaning: "Location, Upload-Offset and Upload-Expires say where it goes on.",
                    schema: nil)
            ],
            [
                .invalidRequest, .notFound, .tusVersion, .uploadMismatch, .bodyTooLarge, .chunkTypeUnsupported,
                .mediaTypeMismatch, .sessionQueued, .sessionEnded, .uploadSealed, .uploadsUsedUp,
            ]),
        Operation(
            .sessions, "HEAD", "/v1/uploads/{id}/resumable/{upload}", "uploadOffset",
            "How much of an upload has come for good.", .anybody, parameters: signed,
            [
                Operation.Answer(
                    status: 200, meaning: "Upload-Offset, Upload-Length and Upload-Expires say it.", schema: nil)
            ],
            [
                .notFound, .tusVersion, .uploadAddressInvalid, .uploadGone, .sessionEnded,
            ]),
        Operation(
            .sessions, "PATCH", "/v1/uploads/{id}/resumable/{upload}", "uploadChunk",
            "Takes a piece of a recording, of any size; with its last byte the session has the whole.", .anybody,
            parameters: signed + [
                offset,
                header(
                    "Upload-Checksum",
                    "sha1 or sha256, a space and the hash of the bytes in base 64: all of them count, or none."),
            ], body: "Chunk", [nothing("They are stored. Upload-Offset says where it goes on.")],
            [
                .invalidRequest, .notFound, .tusVersion, .uploadAddressInvalid, .uploadGone, .chunkTypeUnsupported,
                .lengthRequired, .bodyTooLarge, .uploadOffsetMismatch, .uploadLocked, .uploadChecksumMismatch,
                .tooManyUploads, .uploadMismatch, .mediaTypeMismatch, .sessionEnded,
            ]),
        Operation(
            .sessions, "DELETE", "/v1/uploads/{id}/resumable/{upload}", "endUpload",
            "Gives an upload up, with what has come of it.", .anybody, parameters: signed,
            [nothing("It is gone.")],
            [.notFound, .tusVersion, .uploadAddressInvalid, .uploadGone, .uploadStored, .sessionEnded]),
    ]
}
