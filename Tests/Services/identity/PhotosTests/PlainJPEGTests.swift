import Photos
import Testing
import TestingSupport

/// A table of quantization with so many steps of a byte.
private func steps(_ name: UInt8, _ count: Int = 64) -> [UInt8] { [name] + [UInt8](repeating: 7, count: count) }

/// A Huffman table of so many codes.
private func codes(_ name: UInt8, _ count: Int) -> [UInt8] {
    [name] + [UInt8](repeating: 0, count: 14) + [0, UInt8(count)] + [UInt8](repeating: 9, count: count)
}

@Suite struct `A photo that is kept` {
    @Test func `is a JPEG of that size`() {
        let bytes = Pictures.jpeg()
        #expect(PlainJPEG(bytes)?.bytes == bytes)
        for (width, height) in [(511, 512), (512, 511), (1_024, 1_024), (0, 0)] {
            #expect(PlainJPEG(Pictures.jpeg(width, height)) == nil, "\(width) by \(height)")
        }
        #expect(PlainJPEG([]) == nil && PlainJPEG(Pictures.png(512, 512)) == nil)
    }

    @Test(arguments: Array<UInt8>(0xE0...0xEF) + [0xFE, 0xC2, 0xCC, 0xDD, 0xF0])
    func `has no segment that could carry anything else`(marker: UInt8) {
        let planted = Pictures.segment(marker, Array("Exif\0\0PLANTED".utf8))
        #expect(PlainJPEG(Pictures.jpeg(more: planted)) == nil)
    }

    @Test func `has no thumbnail, no second frame and nothing behind its end`() {
        let jpeg = Pictures.jpeg()
        #expect(PlainJPEG(jpeg + [0]) == nil && PlainJPEG(jpeg + jpeg) == nil)
        #expect(PlainJPEG(Pictures.jpeg(end: [])) == nil && PlainJPEG(Pictures.jpeg(end: [0xFF])) == nil)
        // Restarts, and whatever else begins in the middle of pixels.
        for marker: UInt8 in [0xD0, 0xDA, 0xE1, 0xFF] {
            #expect(PlainJPEG(Pictures.jpeg(end: [0xFF, marker, 0, 2, 0xFF, 0xD9])) == nil, "\(marker)")
        }
        let frame: [UInt8] = [8, 2, 0, 2, 0, 3, 1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0]
        #expect(PlainJPEG(Pictures.jpeg(more: Pictures.segment(0xC0, frame))) == nil)
        let thumbnail = Array("JFIF\0".utf8) + [1, 2, 0, 0, 1, 0, 1, 1, 1, 9, 9, 9]
        #expect(PlainJPEG(Pictures.jpeg(more: Pictures.segment(0xE0, thumbnail))) == nil)
    }

    @Test func `is small`() {
        let start = Array(Pictures.jpeg(end: []))
        func photo(_ count: Int) -> [UInt8] {
            start + [UInt8](repeating: 1, count: count - start.count - 2) + [0xFF, 0xD9]
        }
        #expect(PlainJPEG(photo(PlainJPEG.mostBytes)) != nil)
        #expect(PlainJPEG(photo(PlainJPEG.mostBytes + 1)) == nil)
    }

    // MARK: Tables

    @Test func `has the tables that ffmpeg writes, in one segment or in several`() {
        // Beside those that `Pictures` has, 0 of the steps and the first of the codes.
        let all = [steps(1), steps(2), steps(3)]
        let allCodes = [codes(1, 12), codes(0x10, 162), codes(0x11, 162)]
        let together = Pictures.segment(0xDB, Array(all.joined())) + Pictures.segment(0xC4, Array(allCodes.joined()))
        let apart = all.flatMap { Pictures.segment(0xDB, $0) } + allCodes.flatMap { Pictures.segment(0xC4, $0) }
        for more in [together, apart] { #expect(PlainJPEG(Pictures.jpeg(more: more)) != nil) }
    }

    @Test(
        arguments: [
            ("steps of a number that there is not", 0xDB, steps(4)), ("steps of two bytes", 0xDB, steps(0x11, 128)),
            ("too few steps", 0xDB, steps(1, 63)), ("steps with more behind them", 0xDB, steps(1) + [2, 3]),
            ("steps that are there already", 0xDB, steps(0)), ("the same steps twice", 0xDB, steps(1) + steps(1)),
            ("no steps at all", 0xDB, []), ("a file in place of steps", 0xDB, [UInt8](repeating: 1, count: 65_000)),
            ("codes of a class that there is not", 0xC4, codes(0x20, 4)),
            ("codes of a number that baseline has not", 0xC4, codes(2, 4)),
            ("too many codes for differences", 0xC4, codes(1, 13)), ("too many codes for runs", 0xC4, codes(0x10, 163)),
            ("fewer codes than are counted", 0xC4, Array(codes(1, 12).dropLast())),
            ("codes with more behind them", 0xC4, codes(1, 12) + [1]),
            ("codes that are there already", 0xC4, codes(0, 4)), ("no codes at all", 0xC4, []),
            ("a file in place of codes", 0xC4, [UInt8](repeating: 1, count: 65_000)),
        ] as [(String, UInt8, [UInt8])])
    func `has no tables that could carry anything else`(what: String, marker: UInt8, body: [UInt8]) {
        #expect(PlainJPEG(Pictures.jpeg(more: Pictures.segment(marker, body))) == nil, "\(what)")
    }

    @Test func `has one head, before all else, and a scan of everything`() {
        let head = Pictures.segment(0xE0, Array("JFIF\0".utf8) + [1, 2, 0, 0, 1, 0, 1, 0, 0])
        #expect(PlainJPEG(Pictures.jpeg(more: head)) == nil)
        let jpeg = Pictures.jpeg()
        #expect(PlainJPEG(Array(jpeg[..<2]) + Array(jpeg[20...])) != nil, "and does without")
        let scan = Pictures.segment(0xDA, [3, 1, 0, 2, 0x11, 3, 0x11, 0, 63, 0])
        for body: [UInt8] in [
            [1, 1, 0, 0, 63, 0], [3, 1, 0, 2, 0x11, 3, 0x11, 0, 5, 0], [3, 1, 0, 2, 0x11, 3, 0x11, 0, 63, 0x10],
            [3, 1, 0, 2, 0x11, 3, 0x11, 0, 63, 0] + Array("PLANTED".utf8),
        ] {
            let changed = jpeg.dropLast(scan.count + 6) + Pictures.segment(0xDA, body) + jpeg.suffix(6)
            #expect(PlainJPEG(Array(changed)) == nil, "\(body)")
        }
    }

    @Test func `is read without harm whatever byte is another`() {
        let jpeg = Pictures.jpeg()
        // Nothing is expected but that each ends, and that what is let through is what came.
        for place in jpeg.indices {
            for value: UInt8 in [0, 1, 0x10, 0x7F, 0x80, 0xC4, 0xD9, 0xDA, 0xDB, 0xE1, 0xFE, 0xFF] {
                var other = jpeg
                other[place] = value
                if let photo = PlainJPEG(other) { #expect(photo.bytes == other) }
            }
        }
    }

    @Test(arguments: 0..<200)
    func `has room for nothing else, whatever is spliced into it`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let jpeg = Pictures.jpeg()
        let word = Array("PLANTED-\(seed)".utf8)
        for _ in 0..<20 {
            let marker = UInt8.random(in: 0xC0...0xFE, using: &random)
            let noise = (0..<Int.random(in: 0..<300, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            let planted = Pictures.segment(marker, noise + word)
            #expect(PlainJPEG(Pictures.jpeg(more: planted)) == nil, "\(String(marker, radix: 16))")
            let place = Int.random(in: 2..<jpeg.count - 8, using: &random)
            var spliced = jpeg
            spliced.insert(contentsOf: planted, at: place)
            // Only among the pixels' own bytes could it stand, and there a marker ends the file.
            #expect(PlainJPEG(spliced) == nil, "at \(place)")
        }
    }

    @Test func `is a whole one`() {
        let jpeg = Pictures.jpeg()
        for count in 0..<jpeg.count { #expect(PlainJPEG(Array(jpeg[..<count])) == nil, "\(count) bytes") }
    }
}
