import Primitives
import Testing

@testable import reporting

/// That other programs read one is for the test from outside, with Python's zipfile.
@Suite("An archive of an export") struct ZipArchiveTests {
    private static let text = Array("Hello, archive".utf8)

    private func archive() -> ZipArchive {
        ZipArchive(
            [
                ZipArchive.File("README.txt", Self.text),
                ZipArchive.File(
                    name: "a/b.json", size: 3, crc32: CRC32.checksum([1, 2, 3]), source: .object("export-a/b")),
                ZipArchive.File("empty", []),
            ], madeAt: Timestamp(rfc3339: "2026-11-25T20:14:58.000000Z")!)
    }

    private func written(_ archive: ZipArchive) async throws -> [UInt8] {
        var out: [UInt8] = []
        try await archive.write(to: { out += $0 }) { key, size in
            #expect(key == "export-a/b" && size == 3)
            out += [1, 2, 3]
        }
        return out
    }

    private func little(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> Int {
        (0..<count).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }

    @Test("is as long as it said before it was written") func length() async throws {
        let archive = archive()
        #expect(try await Int64(written(archive).count) == archive.length && archive.isPossible)
    }

    @Test("ends with a directory that leads to each file") func directory() async throws {
        let bytes = try await written(archive())
        let end = bytes.count - 22
        #expect(little(bytes, end, 4) == 0x0605_4B50 && little(bytes, end + 10, 2) == 3)
        var place = little(bytes, end + 16, 4)
        #expect(place + little(bytes, end + 12, 4) == end)
        for (name, content) in [("README.txt", Self.text), ("a/b.json", [1, 2, 3]), ("empty", [])] {
            #expect(little(bytes, place, 4) == 0x0201_4B50)
            #expect(little(bytes, place + 16, 4) == Int(CRC32.checksum(content)))
            #expect(little(bytes, place + 24, 4) == content.count)
            let length = little(bytes, place + 28, 2)
            #expect(Array(bytes[(place + 46)..<(place + 46 + length)]) == Array(name.utf8))
            let local = little(bytes, place + 42, 4)
            #expect(little(bytes, local, 4) == 0x0403_4B50)
            let start = local + 30 + length
            #expect(Array(bytes[start..<(start + content.count)]) == content)
            place += 46 + length
        }
        #expect(place == end)
    }

    @Test("has the time of its making, as MS-DOS writes it") func time() async throws {
        let bytes = try await written(archive())
        #expect(little(bytes, 10, 2) == 20 << 11 | 14 << 5 | 29)
        #expect(little(bytes, 12, 2) == 46 << 9 | 11 << 5 | 25)
    }

    @Test("that is larger than its form allows is not begun") func large() {
        let file = ZipArchive.File(name: "x", size: ZipArchive.sizeLimit, crc32: 0, source: .object("x"))
        #expect(!ZipArchive([file], madeAt: .epoch).isPossible)
    }
}
