package import Primitives

/// The recording of a session as an object of the bucket `videos`, as clients of the compatible surface name it.
package enum CompatibleObject {
    package static let bucket = "videos"

    /// Its path within the bucket.
    package static func name(_ session: UUID) -> String { "\(session).mp4" }

    /// The path to which it is put with a token alone; the token is made for this path.
    package static func uploadPath(_ session: UUID) -> String {
        "/storage/v1/object/upload/sign/\(bucket)/\(name(session))"
    }
}
