package import Runtime

/// Storage for bytes that are too large or too personal for the database: uploads and documents, under keys that are never
/// reused.
///
/// A key is a path of lower-case segments (`uploads/<owner>/<random>`), chosen by the platform, never by a client.
package protocol ObjectStore: Sendable {
    /// Creates the folder or bucket if it is missing, and checks that it can be used.
    ///
    /// - Parameter prefixes: where in it the caller writes; where else need not be open to writing.
    /// - Throws: ``ObjectStoreError``; a retryable one if the store does not answer at the moment.
    @Loop func prepare(writing prefixes: [String]) async throws
    /// Starts writing an object of `size` bytes, which becomes visible only with ``ObjectWriter/commit()``.
    ///
    /// - Throws: ``ObjectStoreError``: `badKey`, or that the store cannot be written to.
    @Loop func makeWriter(_ key: String, size: Int64) async throws -> any ObjectWriter
    /// The complete object.
    ///
    /// - Throws: ``ObjectStoreError``: missing, or larger than `limit` bytes.
    @Loop func read(_ key: String, limit: Int) async throws -> [UInt8]
    /// Bytes of an object from an offset on: `count` of them, or fewer where it ends before.
    ///
    /// - Throws: ``ObjectStoreError``: `missing`, `badKey`, or that the store failed.
    @Loop func read(_ key: String, from offset: Int64, count: Int) async throws -> [UInt8]
    /// Runs `work` with a local file that holds the object, for child processes; the file must not be changed.
    ///
    /// - Parameter folder: where a remote store may put a copy.
    /// - Throws: ``ObjectStoreError``: `missing`, `badKey`, or that the store or the local disk failed; otherwise what
    ///   `work` throws.
    @Loop func withFile<T: Sendable>(
        _ key: String, in folder: String, _ work: (String) async throws -> T
    ) async throws -> T
    /// Moves an object to another key; succeeds if that has already happened.
    ///
    /// - Throws: ``ObjectStoreError``: `missing` if neither key has it, `badKey`, or that the store failed.
    @Loop func move(_ key: String, to newKey: String) async throws
    /// Deletes an object; a missing one is not an error.
    ///
    /// - Throws: ``ObjectStoreError``: `badKey`, or that the store failed.
    @Loop func delete(_ key: String) async throws
    /// The keys under a prefix that ends in a slash.
    ///
    /// - Throws: ``ObjectStoreError``: `badKey` for the prefix, or that the store failed.
    @Loop func keys(under prefix: String) async throws -> [String]
}

/// An object being written piece by piece. After an error, only ``abandon()`` is allowed.
@Loop package protocol ObjectWriter: AnyObject {
    /// - Throws: ``ObjectStoreError/wrongSize`` beyond the announced size.
    func write(_ bytes: [UInt8]) async throws
    /// Makes the object durable and visible.
    ///
    /// - Throws: ``ObjectStoreError/wrongSize`` if less was written than announced.
    func commit() async throws
    /// Discards what was written.
    func abandon() async
}

extension ObjectStore {
    /// Writes an object from memory.
    ///
    /// - Throws: ``ObjectStoreError``, as ``makeWriter(_:size:)`` and the writer.
    @Loop package func write(_ bytes: [UInt8], to key: String) async throws {
        let writer = try await makeWriter(key, size: Int64(bytes.count))
        do {
            try await writer.write(bytes)
            try await writer.commit()
        } catch {
            await writer.abandon()
            throw error
        }
    }
}

extension ObjectStore {
    /// As ``prepare(writing:)``, for a caller who writes everywhere.
    ///
    /// - Throws: as ``prepare(writing:)``.
    @Loop package func prepare() async throws { try await prepare(writing: [""]) }
}
