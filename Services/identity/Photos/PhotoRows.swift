package import EventStore
package import Primitives

/// The row functions of photos.
package enum PhotoRows {
    private static let put = RowFunction("put_photo", .uuid("userId"), .string("jpeg"))
    private static let remove = RowFunction("remove_photo", .uuid("userId"))

    package static let all = [put.declaration, remove.declaration]

    /// Sets a user's photo in the place of an earlier one.
    package static func put(of user: UUID, _ photo: PlainJPEG) -> RowCall { put(user, Base64.encode(photo.bytes)) }

    /// Removes a user's photo, if there is one.
    package static func remove(of user: UUID) -> RowCall { remove(user) }
}
