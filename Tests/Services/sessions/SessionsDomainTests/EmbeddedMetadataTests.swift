import Primitives
import Runtime
import Testing
import Uploads

/// Files that are made byte by byte.
private enum Made {
    static func bytes(_ number: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64(count - 1 - $0))) }
    }

    static func box(_ type: String, _ content: [UInt8]...) -> [UInt8] {
        let content = content.flatMap { $0 }
        return bytes(UInt64(content.count + 8), 4) + name(type) + content
    }

    /// A box whose length has 64 bits.
    static func longBox(_ type: String, _ content: [UInt8]) -> [UInt8] {
        bytes(1, 4) + name(type) + bytes(UInt64(content.count + 16), 8) + content
    }

    /// Four bytes; `©` is one, as in QuickTime.
    static func name(_ type: String) -> [UInt8] { type.unicodeScalars.map { UInt8($0.value) } }

    static let place = Array("+47.3769+008.5417/".utf8)
    static let xyz = box("\u{A9}xyz", [0, 18, 0x15, 0xC7], place)
    static let head = box("ftyp", Array("isomiso2".utf8))
    static let film = box("mdat", [UInt8](repeating: 0x42, count: 70_000))

    static func keys(_ names: String...) -> [UInt8] {
        let entries = names.flatMap { bytes(UInt64($0.utf8.count + 8), 4) + name("mdta") + Array($0.utf8) }
        return box("keys", bytes(0, 4), bytes(UInt64(names.count), 4), entries)
    }

    static func item(_ number: UInt64, _ text: [UInt8]) -> [UInt8] {
        let data = box("data", bytes(1, 4), bytes(0, 4), text)
        return bytes(UInt64(data.count + 8), 4) + bytes(number, 4) + data
    }

    static let tool = box("\u{A9}too", Array("encoder".utf8))
    static let handler = box("hdlr", [UInt8](repeating: 0, count: 24))

    static func track(_ handler: String, _ tables: [UInt8]...) -> [UInt8] {
        let kind = box("hdlr", bytes(0, 8), name(handler), bytes(0, 12))
        let media = box("mdia", kind, box("minf", box("stbl", tables.flatMap { $0 })))
        return box("trak", box("tkhd", [1, 2]), media)
    }

    /// A table of numbers of a track.
    static func table(_ type: String, _ numbers: [UInt64], after head: [UInt8] = [], width: Int = 4) -> [UInt8] {
        box(
            type, bytes(0, 4), head, bytes(UInt64(numbers.count), 4), numbers.flatMap { bytes($0, width) })
    }

    /// From which chunk on a chunk has how many samples.
    static func runs(_ runs: (chunk: UInt64, samples: UInt64)...) -> [UInt8] {
        box(
            "stsc", bytes(0, 4), bytes(UInt64(runs.count), 4),
            runs.flatMap { bytes($0.chunk, 4) + bytes($0.samples, 4) + bytes(1, 4) })
    }

    // Matroska.

    static func element(_ name: UInt64, _ content: [UInt8], length: Int = 8) -> [UInt8] {
        let nameLength = (8 - name.leadingZeroBitCount / 8)
        return bytes(name, nameLength) + bytes(UInt64(content.count) | 1 << (7 * UInt64(length)), length) + content
    }

    /// As browsers write it: its length was not known.
    static func open(_ name: UInt64) -> [UInt8] { bytes(name, 4) + [0x01] + [UInt8](repeating: 0xFF, count: 7) }

    static let ebml = element(0x1A45_DFA3, [0x42, 0x86, 0x81, 0x01])
    static let tag = Array("LOCATION +47.3769+008.5417/".utf8)
    static let block = element(0xA3, [UInt8](repeating: 0x55, count: 900))
}

@Suite("Metadata about places", .timeLimit(.minutes(10))) @Loop struct EmbeddedMetadataTests {
    /// What is left of a file, and how much of it was read.
    private func cleaned(
        _ file: [UInt8], _ type: MediaType = .mp4, pieces: Int = 1_000
    ) async throws -> (bytes: [UInt8], read: Int) {
        let reads = Reads()
        let found = try await EmbeddedMetadata.overwritings(in: type, size: Int64(file.count)) { offset, count in
            reads.bytes += count
            #expect(offset >= 0 && count > 0 && count <= 65_536 && Int(offset) + count <= file.count)
            return Array(file[Int(offset)..<min(file.count, Int(offset) + count)])
        }
        var clean: [UInt8] = []
        var offset = 0
        while offset < file.count {
            var piece = Array(file[offset..<min(file.count, offset + pieces)])
            for place in found { place.apply(to: &piece, at: Int64(offset)) }
            clean += piece
            offset += pieces
        }
        #expect(clean.count == file.count)
        return (clean, reads.bytes)
    }

    @Loop private final class Reads { var bytes = 0 }

    private func holds(_ file: [UInt8], _ part: [UInt8]) -> Bool {
        file.indices.dropLast(part.count - 1).contains { file[$0] == part[0] && file[$0...].starts(with: part) }
    }

    @Test("of a file that says nothing of it change nothing")
    func nothing() async throws {
        let udta = Made.box("udta", Made.tool, Made.box("free", [0, 0, 0]))
        let stbl = Made.box("stbl", Made.box("stsd", [1]), Made.box("stsz", [2]))
        let trak = Made.box("trak", Made.box("tkhd", [1, 2]), Made.box("mdia", Made.box("minf", stbl)))
        // Among the boxes of the file itself, players may need one that nobody knows here.
        let file = Made.head + Made.box("wide") + Made.box("moov", trak, udta) + Made.film + Made.box("abcd", [5])
        #expect(try await cleaned(file).bytes == file)
        let web = Made.ebml + Made.open(0x1853_8067) + Made.open(0x1F43_B675) + Made.block + Made.block
        #expect(try await cleaned(web, .webM).bytes == web)
        let checksum = Made.element(0xBF, [1, 2, 3, 4], length: 1)
        let info = Made.element(0x1549_A966, checksum + Made.element(0x4D80, Array("muxer".utf8)))
        let tracks = Made.element(0x1654_AE6B, Made.element(0xAE, Made.element(0xD7, [1])))
        let room = Made.element(0xEC, [0, 0, 0])
        let whole = Made.ebml + Made.element(0x1853_8067, info + room + tracks + Made.block)
        #expect(try await cleaned(whole, .webM).bytes == whole)
    }

    @Test(
        "are emptied where QuickTime and 3GPP have them, and all else stays where it is", arguments: [1, 7, 64, 1_000])
    func userData(pieces: Int) async throws {
        let loci = Made.box("loci", [0, 0, 0, 0], Made.place)
        let long = Made.longBox("\u{A9}xyz", Made.place)
        let inTrack = Made.box("trak", Made.box("tkhd", [1, 2]), Made.box("udta", loci, long))
        let moov = Made.box("moov", inTrack, Made.box("udta", Made.xyz, Made.tool), Made.box("iods", [4]))
        let file = Made.head + moov + Made.film
        let clean = try await cleaned(file, pieces: pieces).bytes
        #expect(holds(file, Made.place) && !holds(clean, Made.place))
        // The same lengths: a walk finds nothing any more, and whatever stands behind is untouched.
        #expect(try await cleaned(clean).bytes == clean)
        #expect(clean.suffix(Made.film.count) == Made.film[...] && clean.starts(with: Made.head))
        #expect(holds(clean, Made.box("iods", [4])) && holds(clean, Made.tool))
        let emptied = Made.longBox("free", [UInt8](repeating: 0, count: Made.place.count))
        #expect(holds(clean, emptied))
    }

    @Test("are emptied where a list of keys names them, in both forms of that list", arguments: [true, false])
    func keys(ofQuickTime: Bool) async throws {
        let list = Made.box("ilst", Made.item(1, Array("iPhone".utf8)), Made.item(2, Made.place), Made.item(3, [7]))
        let names = Made.keys(
            "com.apple.quicktime.make", "com.apple.quicktime.location.ISO6709", "com.apple.quicktime.creationdate")
        let meta = Made.box("meta", ofQuickTime ? [] : [0, 0, 0, 0], Made.handler, names, list)
        let file = Made.head + Made.film + Made.box("moov", meta)
        let clean = try await cleaned(file).bytes
        #expect(!holds(clean, Made.place) && holds(clean, Array("iPhone".utf8)) && holds(clean, Made.item(3, [7])))
        // Keys that come after what they name.
        let turned =
            Made.head + Made.box("moov", Made.box("meta", ofQuickTime ? [] : [0, 0, 0, 0], Made.handler, list, names))
        #expect(!holds(try await cleaned(turned).bytes, Made.place))
    }

    @Test("are emptied with a list of keys that cannot be read")
    func unreadableKeys() async throws {
        let list = Made.box("ilst", Made.item(1, Made.place))
        for names in [
            Made.box("keys", [0, 0, 0, 0, 0, 0, 0, 1, 0xFF, 0xFF, 0xFF, 0xFF], Made.name("mdta")),
            Made.box("keys", [0, 0]), Made.box("keys", [UInt8](repeating: 1, count: 70_000)),
        ] {
            let file = Made.head + Made.box("moov", Made.box("meta", Made.handler, names, list))
            #expect(!holds(try await cleaned(file).bytes, Made.place))
        }
    }

    @Test("are emptied wherever nobody knows what stands there, with whatever is told in words")
    func unknown() async throws {
        let text = Array("at home, ".utf8) + Made.place
        let boxes = [
            Made.box("moov", Made.box("abcd", text)), Made.box("moov", Made.box("cmov", Made.box("cmvd", text))),
            Made.box("moov", Made.box("trak", Made.box("abcd", text), Made.box("tkhd", [1, 2]))),
            Made.box(
                "moov", Made.box("trak", Made.box("mdia", Made.box("minf", Made.box("stbl", Made.box("abcd", text)))))),
            Made.box("moof", Made.box("traf", Made.box("uuid", [UInt8](repeating: 9, count: 16), text))),
            Made.box("moov", Made.box("udta", Made.box("name", text))),
            Made.box("moov", Made.box("udta", Made.box("\u{A9}cmt", text))),
            Made.box("meta", [0, 0, 0, 0], Made.handler, Made.box("xml ", text)),
            Made.box(
                "moov", Made.box("meta", [0, 0, 0, 0], Made.handler, Made.box("ilst", Made.box("\u{A9}nam", text)))),
            Made.box("moov", Made.box("meta", Made.handler, Made.keys("title"), Made.box("ilst", Made.item(1, text)))),
            Made.box("ilst", Made.item(1, text)), Made.box("free", text),
            Made.box("skip", [UInt8](repeating: 0, count: 70_000), text),
            Made.box("moov", Made.box("udta", Made.box("free", text))),
        ]
        for box in boxes {
            let clean = try await cleaned(Made.head + box + Made.film).bytes
            #expect(!holds(clean, Made.place))
            #expect(clean.suffix(Made.film.count) == Made.film[...])
            #expect(try await cleaned(clean).bytes == clean)
        }
    }

    @Test("are emptied in XMP and in items that somebody has named")
    func others() async throws {
        let name: [UInt8] = [
            0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
        ]
        let xmp = Made.box("uuid", name, Array("<exif:GPSLatitude>".utf8), Made.place)
        let other = Made.box("uuid", [UInt8](repeating: 9, count: 16), Made.place)
        let free = Made.box("----", Made.box("mean", Array("x".utf8)), Made.box("data", Made.place))
        let meta = Made.box("meta", [0, 0, 0, 0], Made.handler, Made.box("ilst", free, Made.xyz))
        let file = Made.head + xmp + other + Made.box("moov", Made.box("udta", meta, Made.box("XMP_", Made.place)))
        let clean = try await cleaned(file).bytes
        #expect(!holds(clean, Made.place) && !holds(clean, Array("exif".utf8)))
    }

    /// Two chunks of picture, and behind each one of places: one in the first, two in the second.
    private static func media(_ place: [UInt8]) -> [UInt8] {
        let film = [UInt8](repeating: 0x42, count: 100)
        return Made.box("mdat", film, place, film, place, place)
    }

    private static let film = Made.track(
        "vide", Made.table("stco", [24, 142]), Made.runs((1, 1)), Made.table("stsz", [], after: Made.bytes(100, 4)))

    @Test(
        "go with tracks of nothing but metadata, and with their samples, whatever the form of their tables",
        arguments: [1, 7, 1_000],
        [
            [
                Made.table("stco", [124, 242]), Made.runs((1, 1), (2, 2)),
                Made.table("stsz", [18, 18, 18], after: Made.bytes(0, 4)),
            ],
            [
                Made.table("co64", [124, 242], width: 8), Made.runs((1, 1), (2, 2)),
                Made.box("stsz", Made.bytes(0, 4), Made.bytes(18, 4), Made.bytes(3, 4)),
            ],
            [
                Made.table("stz2", [18, 18, 18], after: Made.bytes(8, 4), width: 1), Made.runs((1, 1), (2, 2)),
                Made.table("stco", [124, 242]),
            ],
            [
                Made.table("stz2", [18, 18, 18], after: Made.bytes(16, 4), width: 2),
                Made.table("stco", [124, 242, 260]),
                Made.runs((1, 1)),
            ],
        ])
    func timed(pieces: Int, tables: [[UInt8]]) async throws {
        for handler in ["meta", "text", "sbtl", "camm", "\u{0}\u{0}\u{0}\u{0}"] {
            let track = Made.track(handler, tables.flatMap { $0 })
            let file = Made.head + Self.media(Made.place) + Made.box("moov", Self.film, track)
            let nothing = [UInt8](repeating: 0, count: Made.place.count)
            let emptied = Made.box("free", [UInt8](repeating: 0, count: track.count - 8))
            let clean = try await cleaned(file, pieces: pieces).bytes
            #expect(clean == Made.head + Self.media(nothing) + Made.box("moov", Self.film, emptied))
            #expect(try await cleaned(clean).bytes == clean)
        }
        for handler in ["vide", "soun", "tmcd", "auxv"] {
            let track = Made.track(handler, tables.flatMap { $0 })
            let file = Made.head + Self.media(Made.place) + Made.box("moov", Self.film, track)
            #expect(try await cleaned(file, pieces: pieces).bytes == file)
        }
    }

    @Test("go with tracks whose tables lie, and nothing goes that is no sample")
    func lyingTables() async throws {
        let most: UInt64 = 0xFFFF_FFFF
        let whole = Made.box("stsz", Made.bytes(0, 4), Made.bytes(most, 4), Made.bytes(most, 4))
        let own = Made.table("stsz", [18, 18, 18], after: Made.bytes(0, 4))
        let chunks = Made.table("stco", [124, 242])
        // All of the media, nothing, and what lies elsewhere; the head of the file is never a sample.
        for tables in [
            [Made.table("stco", [0, 8, 16, 24, 300, most]), Made.runs((1, most)), whole],
            [Made.table("co64", [.max, .max - 1, 1 << 62], width: 8), Made.runs((1, most)), whole],
            [chunks, Made.runs((1, most), (1, most), (0, 0), (most, 1)), own], [chunks, Made.runs(), own],
            [chunks, Made.runs((1, 2)), Made.box("stsz", [0, 0])], [Made.box("stco"), Made.runs((1, 2)), own],
            [chunks, own], [Made.runs((1, 2)), own], [chunks, Made.runs((1, 2))],
            [chunks, Made.runs((1, 2)), Made.table("stz2", [0x22], after: Made.bytes(4, 4), width: 1)],
            [chunks, Made.box("stsc", Made.bytes(0, 8), [1]), own],
        ] {
            let track = Made.track("meta", tables.flatMap { $0 })
            let file = Made.head + Self.media(Made.place) + Made.box("moov", Self.film, track, Self.film)
            let clean = try await cleaned(file).bytes
            #expect(clean.starts(with: Made.head + file[16..<24]))
            let emptied = Made.box("free", [UInt8](repeating: 0, count: track.count - 8))
            #expect(clean.suffix(file.count - 278) == Made.box("moov", Self.film, emptied, Self.film)[...])
            #expect(try await cleaned(clean).bytes == clean)
        }
    }

    @Test("go with tracks of ever so many samples in bounded work")
    func manySamples() async throws {
        let tables = [
            Made.box("stco", [UInt8](repeating: 0, count: 600_000)), Made.runs((1, 2)),
            Made.box("stsz", [UInt8](repeating: 0, count: 8), [UInt8](repeating: 1, count: 1_200_000)),
        ]
        let tracks = Made.track("meta", tables.flatMap { $0 }) + Made.track("text", tables.flatMap { $0 })
        let file = Made.head + Self.media(Made.place) + Made.box("moov", Self.film, tracks)
        let (clean, read) = try await cleaned(file, pieces: 65_536)
        #expect(clean[24] == 0 && holds(clean, Self.film) && read <= 2 * file.count)
    }

    @Test("go with ever so many tracks in bounded work")
    func manyTracks() async throws {
        let track = Made.track(
            "meta",
            Made.box("stco", [UInt8](repeating: 0, count: 16)) + Made.runs((1, 2))
                + Made.box("stsz", [UInt8](repeating: 0, count: 16)))
        let tracks = (0..<2_000).flatMap { _ in track }
        let file = Made.head + Self.media(Made.place) + Made.box("moov", Self.film, tracks)
        let (clean, read) = try await cleaned(file, pieces: 65_536)
        #expect(holds(clean, Self.film) && read <= 2 * file.count + 200 * 3 * 65_536)
    }

    /// A file with a hundred thousand of something.
    private func long(_ kind: String) -> (MediaType, [UInt8]) {
        let zeros = [UInt8](repeating: 0, count: 400_000)
        func track(_ tables: [UInt8]...) -> [UInt8] {
            Made.head + Self.media(Made.place) + Made.box("moov", Self.film, Made.track("meta", tables.flatMap { $0 }))
        }
        switch kind {
        case "sample":
            let sizes = Made.box("stsz", [UInt8](repeating: 0, count: 8), [UInt8](repeating: 1, count: 400_000))
            return (.mp4, track(Made.table("stco", [124]), Made.runs((1, 100_000)), sizes))
        case "chunk":
            let sizes = Made.box("stsz", Made.bytes(0, 4), Made.bytes(18, 4), Made.bytes(0xFFFF_FFFF, 4))
            return (.mp4, track(Made.box("stco", zeros), Made.runs((1, 1)), sizes))
        case "box": return (.quickTime, Made.head + Array(repeating: Made.box("skip"), count: 100_000).joined())
        default:
            let elements = Array(repeating: Made.element(0xE7, [1], length: 1), count: 100_000).joined()
            return (.webM, Made.ebml + Made.open(0x1853_8067) + elements)
        }
    }

    @Test("are looked for while others have their turns", arguments: ["sample", "chunk", "box", "element"])
    func turns(kind: String) async throws {
        let (type, file) = long(kind)
        let turns = Turns()
        let other = Loop.task {
            while !Task.isCancelled {
                await Loop.turn()
                turns.count += 1
            }
        }
        _ = try await EmbeddedMetadata.overwritings(in: type, size: Int64(file.count)) { offset, count in
            // What is read is there at once, so it does not make the walk wait.
            turns.beforeLastRead = turns.count
            return Array(file[Int(offset)..<Int(offset) + count])
        }
        other.cancel()
        #expect(turns.beforeLastRead > 50)
    }

    @Loop private final class Turns {
        var count = 0
        var beforeLastRead = 0
    }

    @Test("go with what cannot be walked, up to the end of what it stands in")
    func malformed() async throws {
        // A length below its own head, in user data: what follows it there goes, what follows that stays.
        let broken = Made.box("udta", [0, 0, 0, 3], Made.name("junk"), Made.xyz)
        let file = Made.head + Made.box("moov", broken, Made.box("iods", [4])) + Made.film
        let clean = try await cleaned(file).bytes
        #expect(!holds(clean, Made.place) && holds(clean, Made.box("iods", [4])))
        #expect(clean.suffix(Made.film.count) == Made.film[...])
        // The terminator of QuickTime's user data is no fault.
        let ended = Made.head + Made.box("moov", Made.box("udta", Made.tool, [0, 0, 0, 0])) + Made.film
        #expect(try await cleaned(ended).bytes == ended)
    }

    @Test("are found in boxes that claim more than there is, and that nest without end")
    func hostile() async throws {
        // Longer than the file, in 32 and in 64 bits, and to its end.
        for length: [UInt8] in [[0x7F, 0xFF, 0xFF, 0xFF], [0, 0, 0, 0]] {
            let file = Made.head + length + Made.name("moov") + Made.box("udta", Made.xyz)
            #expect(!holds(try await cleaned(file).bytes, Made.place))
        }
        let huge = Made.head + Made.bytes(1, 4) + Made.name("moov") + [UInt8](repeating: 0xFF, count: 8)
        #expect(!holds(try await cleaned(huge + Made.box("udta", Made.xyz)).bytes, Made.place))
        var nest = Made.xyz
        for _ in 0..<200 { nest = Made.box("meta", [0, 0, 0, 0], nest) }
        #expect(!holds(try await cleaned(Made.head + nest).bytes, Made.place))
        // Cut off anywhere, it is walked to its end, and no byte is read twice.
        let whole = Made.head + Made.box("moov", Made.box("udta", Made.xyz, Made.box("loci", Made.place))) + Made.film
        for count in 0..<min(whole.count, 200) {
            let (clean, read) = try await cleaned(Array(whole.prefix(count)))
            #expect(!holds(clean, Made.place), "\(count)")
            #expect(read <= count)
        }
    }

    @Test("of ever so many small boxes are looked for in bounded work")
    func many() async throws {
        let boxes = [[UInt8]](repeating: Made.box("skip"), count: 250_000).flatMap { $0 }
        let (clean, read) = try await cleaned(
            Made.head + boxes + Made.box("moov", Made.box("udta", Made.xyz)), pieces: 65_536)
        // Behind the last box that is looked at nothing is left.
        #expect(!holds(clean, Made.place) && read <= clean.count)
    }

    @Test(
        "become void in Matroska, whatever their length and wherever they stand",
        arguments: [0, 5, 118, 119, 120, 121, 127, 128, 40_000])
    func tags(count: Int) async throws {
        let content = [UInt8](repeating: 0x4C, count: count)
        for length in 1...8 where length > 2 || count < 100 {
            let tags = Made.element(0x1254_C367, content, length: length)
            let rest = Made.element(0x1C53_BB6B, [1, 2, 3])
            let file = Made.ebml + Made.element(0x1853_8067, Made.block + tags + rest)
            let clean = try await cleaned(file, .webM).bytes
            #expect(clean.suffix(rest.count) == rest[...])
            #expect(count == 0 || !holds(clean, Array(content.prefix(4))))
            // A reader steps over it to what follows.
            let start = file.count - rest.count - tags.count
            #expect(clean[start] == 0xEC)
            let first = Int(clean[start + 1])
            let stepped =
                first == 1
                ? 9 + clean[start + 2..<start + 9].reduce(0) { $0 << 8 | Int($1) } : 2 + (first & 0x7F)
            #expect(stepped == tags.count)
        }
    }

    @Test("become void in Matroska with attachments, chapters, titles and whatever is not known there")
    func elements() async throws {
        let checksum = Made.element(0xBF, [0x31, 0x32, 0x33, 0x34], length: 1)
        let muxer = Made.element(0x4D80, Array("muxer".utf8))
        let number = Made.element(0xD7, [1])
        let stays = Made.element(0x1C53_BB6B, [1, 2, 3])
        func track(_ elements: [UInt8]) -> [UInt8] {
            Made.element(0x1654_AE6B, checksum + Made.element(0xAE, elements))
        }
        for (elements, hasChecksum) in [
            (Made.element(0x1941_A469, Made.tag), true), (Made.element(0x1043_A770, Made.tag), true),
            (Made.element(0x1111_1111, Made.tag), true), (Made.element(0xEC, Made.tag), true),
            (Made.element(0x1549_A966, checksum + Made.element(0x7BA9, Made.tag) + muxer), false),
            (Made.element(0x1549_A966, muxer + Made.element(0x7384, Made.tag) + checksum), false),
            (Made.element(0x1549_A966, checksum + Made.element(0xEC, Made.tag) + muxer), false),
            (track(Made.element(0x536E, Made.tag) + number), false),
        ] {
            let file = Made.ebml + Made.element(0x1853_8067, elements + Made.block + stays)
            let clean = try await cleaned(file, .webM).bytes
            #expect(!holds(clean, Made.tag))
            #expect(clean.suffix(stays.count) == stays[...] && holds(clean, Made.block))
            #expect(holds(file, muxer) == holds(clean, muxer) && holds(file, number) == holds(clean, number))
            // What a checksum was made of has changed.
            #expect(hasChecksum || !holds(clean, checksum))
            #expect(try await cleaned(clean, .webM).bytes == clean)
        }
    }

    @Test("are found in recordings of browsers, behind clusters without a length")
    func live() async throws {
        let tags = Made.element(0x1254_C367, Made.tag)
        let file =
            Made.ebml + Made.open(0x1853_8067) + tags + Made.open(0x1F43_B675) + Made.block
            + Made.open(0x1F43_B675) + Made.block + tags
        let clean = try await cleaned(file, .webM).bytes
        #expect(!holds(clean, Made.tag) && holds(clean, Made.block))
    }

    @Test("go with what is no element")
    func noElement() async throws {
        for junk: [UInt8] in [[0x00, 0x01], [0x08, 0x80], Made.open(0x1549_A966), [0xA3, 0x00]] {
            let file = Made.ebml + Made.open(0x1853_8067) + junk + Made.tag
            #expect(!holds(try await cleaned(file, .webM).bytes, Made.tag))
        }
        let cut = Made.ebml + Made.open(0x1853_8067) + Made.element(0x1254_C367, Made.tag)
        for count in 0..<cut.count {
            #expect(!holds(try await cleaned(Array(cut.prefix(count)), .webM).bytes, Array(Made.tag.prefix(8))))
        }
    }
}
