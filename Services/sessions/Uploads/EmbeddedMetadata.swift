import Runtime

/// What a recording says beside picture and sound: above all at which place it was made, and whatever else may say so
/// (`docs/retention.md`).
///
/// A walk over the structure of the file, never over picture and sound. What it finds is overwritten by empty elements of the same
/// length. Files are hostile: what cannot be walked is overwritten too, up to the end of what it stands in, so that nothing is kept
/// because it was not understood.
package enum EmbeddedMetadata {
    /// What is to be overwritten, in the order of the file; nothing of it is in two of them.
    ///
    /// - Parameters:
    ///   - size: the length of the file, in bytes.
    ///   - read: reads so many bytes at a place of the file; fewer where it ends.
    /// - Throws: what `read` throws.
    @Loop package static func overwritings(
        in type: MediaType, size: Int64, read: @escaping @Loop (Int64, Int) async throws -> [UInt8]
    ) async throws -> [Overwriting] {
        let file = FileWindow(size: size, read)
        let found =
            switch type {
            case .mp4, .quickTime: try await BoxWalk(file).overwritings()
            case .webM: try await ElementWalk(file).overwritings()
            }
        // Off the loop: there may be some hundred thousand.
        return try await Offload.shared.run { found.sorted { $0.range.lowerBound < $1.range.lowerBound } }
    }
}
