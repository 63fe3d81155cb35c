import Photos
import Testing
import TestingSupport

@Suite struct `What a picture says of itself` {
    private static let others: [[UInt8]] = [
        [], [0xFF], [0xFF, 0xD8], Array("GIF89a".utf8), Array("<html></html>".utf8), Array("%PDF-1.7".utf8),
        // HEIC, AVIF, and a WAVE file in the same container as WebP.
        [0, 0, 0, 24] + Array("ftypheic".utf8), [0, 0, 0, 24] + Array("ftypavif".utf8),
        Array("RIFF\0\0\0\0WAVEfmt ".utf8),
    ]

    /// Whole files of each form, of 300 by 200 pixels.
    private static let wholes: [(form: PictureHead.Form, bytes: [UInt8])] = [
        (.jpeg, Pictures.jpeg(300, 200)), (.png, Pictures.png(300, 200)),
        (.webp, Pictures.webp([Pictures.vp8(300, 200)])), (.webp, Pictures.webp([Pictures.vp8l(300, 200)])),
        (.webp, Pictures.webp([Pictures.vp8x(300, 200, flags: 0), Pictures.vp8(300, 200)])),
    ]

    private func refusal(_ bytes: [UInt8]) -> PictureHead.Refusal? {
        do {
            _ = try PictureHead(bytes)
            return nil
        } catch {
            return error
        }
    }

    @Test func `is its form and its size`() throws {
        for (form, bytes) in Self.wholes {
            let head = try PictureHead(bytes)
            #expect(head.form == form && head.width == 300 && head.height == 200 && head.orientation == 1, "\(form)")
            #expect(form.contentType == "image/\(form)")
        }
    }

    @Test(arguments: others) func `is not asked of what is no such picture`(bytes: [UInt8]) {
        #expect(refusal(bytes) == .foreign)
    }

    @Test(arguments: wholes.indices) func `is believed of a whole file only`(index: Int) throws {
        let (form, bytes) = Self.wholes[index]
        for count in 0..<min(bytes.count, 400) {
            #expect(refusal(Array(bytes[..<count])) != nil, "\(form), \(count) bytes")
        }
        for left in 1...12 { #expect(refusal(Array(bytes.dropLast(left))) == .damaged, "\(form), \(left) bytes less") }
    }

    @Test func `ends with the picture, whatever lies behind it`() throws {
        for (form, bytes) in Self.wholes {
            #expect(try PictureHead(bytes + Array("PK\u{3}\u{4} and more".utf8)).form == form)
        }
    }

    // MARK: Orientation

    @Test(arguments: 1...8, [true, false])
    func `is how the camera was held, in every form`(orientation: Int, isLittle: Bool) throws {
        let block = Pictures.exif(orientation: orientation, isLittle: isLittle)
        let marked = Array("Exif\0\0".utf8) + block
        let pictures = [
            Pictures.jpeg(300, 200, more: Pictures.segment(0xE1, marked)),
            Pictures.png(300, 200, more: Pictures.chunk("eXIf", block)),
            Pictures.webp([Pictures.vp8x(300, 200, flags: 8), Pictures.vp8(300, 200), ("EXIF", block)]),
            Pictures.webp([Pictures.vp8x(300, 200, flags: 8), Pictures.vp8l(300, 200), ("EXIF", marked)]),
        ]
        for picture in pictures {
            let head = try PictureHead(picture)
            #expect(head.orientation == orientation && head.width == 300, "\(head.form)")
        }
    }

    @Test(arguments: [0, 9, 65_535]) func `is upright without a good orientation`(orientation: Int) throws {
        let block = Array("Exif\0\0".utf8) + Pictures.exif(orientation: orientation)
        #expect(try PictureHead(Pictures.jpeg(300, 200, more: Pictures.segment(0xE1, block))).orientation == 1)
    }

    @Test func `is upright when that part cannot be read`() throws {
        let block = Array("Exif\0\0".utf8) + Pictures.exif(orientation: 6)
        for count in 0..<28 {
            let part = Pictures.jpeg(300, 200, more: Pictures.segment(0xE1, Array(block[..<count])))
            #expect(try PictureHead(part).orientation == 1, "\(count) bytes")
        }
        // Its directory lies beyond the end.
        var far = block
        far.replaceSubrange(10..<14, with: [0xFF, 0xFF, 0xFF, 0x7F])
        #expect(try PictureHead(Pictures.jpeg(300, 200, more: Pictures.segment(0xE1, far))).orientation == 1)
    }

    // MARK: Size

    @Test func `is refused when it is too large to be decoded`() throws {
        #expect(try PictureHead(Pictures.png(64, 64, says: (5_000, 5_000))).width == 5_000)
        let huge = [(5_001, 5_000), (64, 400_000), (2_147_483_647, 2_147_483_647), (4_294_967_295, 4_294_967_295)]
        for size in huge { #expect(refusal(Pictures.png(64, 64, says: size)) == .tooManyPixels, "\(size)") }
        #expect(refusal(Pictures.jpeg(65_535, 65_535)) == .tooManyPixels)
        #expect(refusal(Pictures.webp([Pictures.vp8(16_383, 16_383)])) == .tooManyPixels)
        #expect(refusal(Pictures.webp([Pictures.vp8l(16_384, 16_384)])) == .tooManyPixels)
        // The larger of the two counts, whoever says it.
        let canvas = Pictures.vp8x(16_777_216, 16_777_216, flags: 0)
        #expect(refusal(Pictures.webp([canvas, Pictures.vp8(300, 200)])) == .tooManyPixels)
        let small = Pictures.vp8x(300, 200, flags: 0)
        #expect(refusal(Pictures.webp([small, Pictures.vp8(16_000, 16_000)])) == .tooManyPixels)
    }

    @Test func `is refused when it is too small, or nothing`() {
        #expect(refusal(Pictures.png(63, 200)) == .tooSmall && refusal(Pictures.jpeg(200, 63)) == .tooSmall)
        #expect(refusal(Pictures.png(64, 64)) == nil)
        #expect(refusal(Pictures.png(64, 64, says: (0, 64))) == .damaged && refusal(Pictures.jpeg(64, 0)) == .damaged)
    }

    // MARK: What contradicts itself

    @Test func `is refused when it moves`() {
        let control = Pictures.chunk("acTL", [0, 0, 0, 2, 0, 0, 0, 0])
        #expect(refusal(Pictures.png(300, 200, more: control)) == .animated)
        #expect(
            refusal(Pictures.webp([Pictures.vp8x(300, 200, flags: 2), ("ANIM", [0, 0, 0, 0, 0, 0])])) == .animated)
        // Also when it denies it.
        let frame = [UInt8](repeating: 0, count: 24)
        #expect(refusal(Pictures.webp([Pictures.vp8x(300, 200, flags: 0), ("ANMF", frame)])) == .animated)
    }

    @Test func `is refused without pixels, with two sizes, and with a length that lies`() {
        let head: [UInt8] = [0, 0, 1, 0, 0, 0, 1, 0, 8, 2, 0, 0, 0]
        let signature = Array(Pictures.png(64, 64)[..<8])
        #expect(refusal(signature + Pictures.chunk("IHDR", head) + Pictures.chunk("IEND")) == .damaged)
        #expect(refusal(signature + Pictures.chunk("tEXt") + Pictures.chunk("IHDR", head)) == .damaged)
        #expect(refusal(signature + [0xFF, 0xFF, 0xFF, 0xFF] + Array("IHDR".utf8) + head) == .damaged)
        #expect(refusal(Pictures.webp([Pictures.vp8x(300, 200, flags: 0)])) == .damaged)
        let frame: [UInt8] = [8, 0, 200, 1, 0, 1, 1, 0x11, 0]
        #expect(refusal(Pictures.jpeg(300, 200, more: Pictures.segment(0xC0, frame))) == .damaged)
        #expect(refusal(Pictures.jpeg(300, 200, more: [0xFF, 0xE1, 0, 1])) == .damaged)
        #expect(refusal(Pictures.jpeg(300, 200, end: [0xFF, 0xD0])) == .damaged)
    }

    @Test func `is read without harm whatever byte is another`() {
        // Nothing is expected but that each ends, and ends well or with a refusal.
        for (_, bytes) in Self.wholes {
            for place in 0..<min(bytes.count, 120) {
                for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
                    var other = bytes
                    other[place] = value
                    if let head = try? PictureHead(other) {
                        #expect(
                            head.width * head.height <= PictureHead.mostPixels && (1...8).contains(head.orientation))
                    }
                }
            }
        }
    }
}
