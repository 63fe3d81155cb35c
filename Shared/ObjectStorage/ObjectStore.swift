package import Runtime

/// Where bytes lie that are too large or too personal for the database: uploads and documents, named by keys that are never
/// used twice.
///
/// A key is a path of lower-case segments (`uploads/<owner>/<random>`), made by the platform, never by a client.
package protocol ObjectStore: Sendable {
    /// Begins to write an object; it exists for others only after ``ObjectWriter/commit()``.
    @Loop func makeWriter(_ key: String) async throws -> any ObjectWriter
    /// The whole object.
    ///
    /// - Throws: ``ObjectStoreError/missing(_:)``.
    @Loop func read(_ key: String, limit: Int) async throws -> [UInt8]
    /// A local file that holds the object while `work` runs, for child processes; it must not be changed.
    @Loop func withFile<T: Sendable>(_ key: String, _ work: (String) async throws -> T) async throws -> T
    /// Gives an object another key. The old one is gone afterwards; when only the new one is there, it has been done.
    @Loop func move(_ key: String, to newKey: String) async throws
    /// Removes an object; a missing one is no error.
    @Loop func delete(_ key: String) async throws
    /// The keys under a prefix that ends in a slash.
    @Loop func keys(under prefix: String) async throws -> [String]
}

/// An object being written, in pieces.
@Loop package protocol ObjectWriter: AnyObject {
    func write(_ bytes: [UInt8]) async throws
    /// Makes the object durable and visible.
    func commit() async throws
    /// Throws away what was written.
    func abandon() async
}

/// Why an object could not be had.
package enum ObjectStoreError: Error, Sendable, Equatable, CustomStringConvertible {
    case missing(String)
    case tooLarge(String)
    case badKey(String)
    /// The store itself failed, with the system's error number; try again.
    case failed(Int32)

    package var description: String {
        switch self {
        case .missing: "The object is not there; it was removed or never written."
        case .tooLarge: "The object is larger than expected."
        case .badKey: "The key is not one that the platform makes."
        case .failed(let code): "The object store failed (errno \(code)); see that its disk is there and has room."
        }
    }
}
