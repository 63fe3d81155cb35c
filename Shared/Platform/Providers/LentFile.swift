package import Primitives

/// A file that a provider gets for one question, and that is taken back afterwards.
///
/// Its name is chosen here, and whoever lends it writes that down first: then it can be taken back after anything, the death of the process among it.
package struct LentFile: Sendable {
    /// Gives the bytes from a place on: as many as are asked for.
    package typealias Piece = @Sendable (_ from: Int64, _ count: Int) async throws -> [UInt8]

    /// It says nothing of anybody.
    package let name: UUID
    /// Such as `video/mp4`.
    package var contentType: String
    package var size: Int64
    package var milliseconds: Int64
    package var piece: Piece

    package init(name: UUID, contentType: String, size: Int64, milliseconds: Int64, piece: @escaping Piece) {
        self.name = name
        self.contentType = contentType
        self.size = size
        self.milliseconds = milliseconds
        self.piece = piece
    }
}
