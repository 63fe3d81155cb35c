import Configuration
import Glibc
import ObjectStorage
import Primitives
import Runtime
import ServiceTesting
import Testing

/// The kinds of object store; all are tested in the same way.
enum Kind: String, CaseIterable, CustomTestStringConvertible {
    case folder
    case s3 = "S3 server"

    /// Without a server, S3 is left out; ``On an S3 server`` says so.
    static let there = S3Server.isThere ? allCases : [.folder]

    var testDescription: String { rawValue }
}

/// A store of one test and a folder next to it.
@Loop struct Place {
    let store: any ObjectStore
    let folder = TemporaryFolder()

    init(_ kind: Kind) async throws {
        let variables =
            kind == .s3
            ? try await S3Server.variables() : ["OBJECT_STORE": "file://\(folder.path)/objects"]
        let environment = Environment(variables)
        store = ObjectStoreSettings(environment).makeStore()
        try environment.finish()
        try await store.prepare()
    }

    func put(_ text: String, _ key: String) async throws { try await store.write(Array(text.utf8), to: key) }

    func text(_ key: String) async throws -> String {
        String(decoding: try await store.read(key, limit: 1_000), as: UTF8.self)
    }
}

@Suite(.timeLimit(.minutes(10))) @Loop struct `An object store` {
    @Test(arguments: Kind.there) func `returns what was written in pieces`(kind: Kind) async throws {
        let place = try await Place(kind)
        var whole: [UInt8] = []
        let writer = try await place.store.makeWriter("uploads/a/b", size: 3_000_000)
        for number in 0..<30 {
            let piece = [UInt8](repeating: UInt8(number), count: 100_000)
            whole += piece
            try await writer.write(piece)
        }
        try await writer.commit()
        #expect(try await place.store.read("uploads/a/b", limit: 3_000_000) == whole)
        await #expect(throws: ObjectStoreError.tooLarge("uploads/a/b")) {
            try await place.store.read("uploads/a/b", limit: 2_999_999)
        }
        try await place.store.write([], to: "uploads/a/empty")
        #expect(try await place.store.read("uploads/a/empty", limit: 10) == [])
    }

    @Test(arguments: Kind.there) func `returns some of its bytes, and fewer where it ends`(kind: Kind) async throws {
        let place = try await Place(kind)
        let whole = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 / 7) }
        try await place.store.write(whole, to: "media/a/b")
        for (offset, count) in [(0, 1), (0, 200_000), (65_535, 65_537), (199_999, 1)] {
            let part = try await place.store.read("media/a/b", from: Int64(offset), count: count)
            #expect(part == Array(whole[offset..<offset + count]), "\(offset)")
        }
        #expect(try await place.store.read("media/a/b", from: 199_990, count: 100) == Array(whole.suffix(10)))
        #expect(try await place.store.read("media/a/b", from: 200_000, count: 5) == [])
        #expect(try await place.store.read("media/a/b", from: 300_000, count: 5) == [])
        await #expect(throws: ObjectStoreError.missing("media/a/c")) {
            try await place.store.read("media/a/c", from: 0, count: 5)
        }
        await #expect(throws: ObjectStoreError.badKey("../a")) {
            try await place.store.read("../a", from: 0, count: 5)
        }
    }

    @Test(arguments: Kind.there) func `shows nothing of what was not committed`(kind: Kind) async throws {
        let place = try await Place(kind)
        let abandoned = try await place.store.makeWriter("uploads/x", size: 200_000)
        try await abandoned.write([UInt8](repeating: 1, count: 100_000))
        // All bytes are there, but only committing makes them an object.
        try await abandoned.write([UInt8](repeating: 2, count: 100_000))
        await abandoned.abandon()
        let short = try await place.store.makeWriter("uploads/y", size: 200_000)
        try await short.write([UInt8](repeating: 1, count: 100_000))
        try await short.write([UInt8](repeating: 1, count: 99_999))
        await #expect(throws: ObjectStoreError.wrongSize) { try await short.commit() }
        await short.abandon()
        let long = try await place.store.makeWriter("uploads/z", size: 3)
        await #expect(throws: ObjectStoreError.wrongSize) { try await long.write([1, 2, 3, 4]) }
        await long.abandon()
        if kind == .s3 {
            // A server may notice late that the upload ended and keep what it has; the sweeper removes it then.
            for key in ["uploads/x", "uploads/y"] {
                #expect((try? await place.store.read(key, limit: 200_000).count < 200_000) ?? true)
                try await place.store.delete(key)
            }
        }
        await #expect(throws: ObjectStoreError.missing("uploads/z")) {
            try await place.store.read("uploads/z", limit: 10)
        }
        if kind == .folder { #expect(try await place.store.keys(under: "uploads/") == []) }
    }

    @Test(arguments: Kind.there) func `gives an object another key, also when asked twice`(kind: Kind) async throws {
        let place = try await Place(kind)
        try await place.put("a recording", "uploads/o/1")
        for _ in 0..<2 { try await place.store.move("uploads/o/1", to: "media/o/1") }
        #expect(try await place.text("media/o/1") == "a recording")
        let left = try await place.store.keys(under: "uploads/")
        #expect(left == [])
        await #expect(throws: ObjectStoreError.missing("uploads/o/2")) {
            try await place.store.move("uploads/o/2", to: "media/o/2")
        }
    }

    @Test(arguments: Kind.there) func `removes an object, also when asked twice`(kind: Kind) async throws {
        let place = try await Place(kind)
        try await place.put("a", "documents/1.json")
        for _ in 0..<2 { try await place.store.delete("documents/1.json") }
        #expect(try await place.store.keys(under: "documents/") == [])
    }

    @Test func `removes with an object what a killed writer left of it, and nothing of its neighbours`() async throws {
        let place = try await Place(.folder)
        // Never ended, as the process of a writer that is killed.
        let killed = try await place.store.makeWriter("uploads/o/1", size: 10)
        try await killed.write([1, 2, 3])
        let neighbour = try await place.store.makeWriter("uploads/o/11", size: 3)
        try await neighbour.write([1, 2, 3])
        try await place.store.delete("uploads/o/1")
        try await neighbour.commit()
        #expect(files(in: "\(place.folder.path)/objects/uploads/o") == ["11"])
        // And what comes too late does not bring the object back.
        try await killed.write([UInt8](repeating: 4, count: 7))
        await #expect(throws: ObjectStoreError.self) { try await killed.commit() }
        #expect(try await place.store.keys(under: "uploads/") == ["uploads/o/11"])
    }

    @Test(arguments: Kind.there) func `lists the keys under a prefix and no others`(kind: Kind) async throws {
        let place = try await Place(kind)
        for key in ["a/2", "a/1", "a/b/3", "ab/4"] { try await place.put(key, key) }
        #expect(try await place.store.keys(under: "a/") == ["a/1", "a/2", "a/b/3"])
        #expect(try await place.store.keys(under: "c/") == [])
    }

    @Test(arguments: Kind.there) func `lends an object as a file`(kind: Kind) async throws {
        let place = try await Place(kind)
        let bytes = [UInt8](repeating: 7, count: 1_000_001)
        try await place.store.write(bytes, to: "media/o/1")
        let (path, size) = try await place.store.withFile("media/o/1", in: place.folder.path) { path in
            var status = stat()
            #expect(stat(path, &status) == 0)
            return (path, status.st_size)
        }
        #expect(size == 1_000_001)
        // A copy is removed again; the store's own file stays.
        #expect((access(path, F_OK) == 0) == (kind == .folder))
        await #expect(throws: ObjectStoreError.missing("media/o/2")) {
            try await place.store.withFile("media/o/2", in: place.folder.path) { _ in }
        }
        #expect(try await place.store.read("media/o/1", limit: 1_000_001) == bytes)
    }

    @Test(arguments: Kind.there) func `takes no key that leads elsewhere`(kind: Kind) async throws {
        let place = try await Place(kind)
        for key in ["", "/etc/passwd", "a/../b", "../a", "a/.hidden", "A", "a b", "a?b", "a%2e"] {
            await #expect(throws: ObjectStoreError.badKey(key)) { try await place.store.read(key, limit: 1) }
            await #expect(throws: ObjectStoreError.badKey(key)) { try await place.store.makeWriter(key, size: 1) }
            await #expect(throws: ObjectStoreError.badKey(key)) { try await place.store.delete(key) }
        }
    }
}

/// All names in a folder, also the hidden ones.
private func files(in folder: String) -> [String] {
    var names: [String] = []
    guard let directory = opendir(folder) else { return names }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
}
