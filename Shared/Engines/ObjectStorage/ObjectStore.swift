package import Runtime

/// Where bytes lie that are too large or too personal for the database: uploads and documents, named by keys that are never
/// used twice.
///
/// A key is a path of lower-case segments (`uploads/<owner>/<random>`), made by the platform, never by a client.
package protocol ObjectStore: Sendable {
    /// Makes what objects are put into (a folder, a bucket) when it is not there, and sees that it can be used.
    ///
    /// - Throws: ``ObjectStoreError``; a retryable one when the store does not answer just now.
    @Loop func prepare() async throws
    /// Begins to write an object of so many bytes; it exists for others only after ``ObjectWriter/commit()``.
    @Loop func makeWriter(_ key: String, size: Int64) async throws -> any ObjectWriter
    /// The whole object.
    ///
    /// - Throws: ``ObjectStoreError/missing(_:)``.
    @Loop func read(_ key: String, limit: Int) async throws -> [UInt8]
    /// A local file that holds the object while `work` runs, for child processes; it must not be changed.
    ///
    /// - Parameter folder: where a store whose objects are elsewhere may put a copy.
    @Loop func withFile<T: Sendable>(
        _ key: String, in folder: String, _ work: (String) async throws -> T
    ) async throws -> T
    /// Gives an object another key. The old one is gone afterwards; when only the new one is there, it has been done.
    @Loop func move(_ key: String, to newKey: String) async throws
    /// Removes an object; a missing one is no error.
    @Loop func delete(_ key: String) async throws
    /// The keys under a prefix that ends in a slash.
    @Loop func keys(under prefix: String) async throws -> [String]
}

/// An object being written, in pieces. After an error nothing is left but ``abandon()``.
@Loop package protocol ObjectWriter: AnyObject {
    /// - Throws: ``ObjectStoreError/wrongSize`` beyond the announced size.
    func write(_ bytes: [UInt8]) async throws
    /// Makes the object durable and visible.
    ///
    /// - Throws: ``ObjectStoreError/wrongSize`` when less was written than announced.
    func commit() async throws
    /// Throws away what was written.
    func abandon() async
}

extension ObjectStore {
    /// Writes an object that is in memory already.
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
