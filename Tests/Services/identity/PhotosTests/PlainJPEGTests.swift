import Photos
import Testing
import TestingSupport

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
        let table = Pictures.segment(0xDB, [UInt8](repeating: 1, count: 65_000))
        #expect(PlainJPEG(Pictures.jpeg(more: table)) != nil)
        #expect(PlainJPEG(Pictures.jpeg(more: table + table)) == nil)
    }

    @Test func `is a whole one`() {
        let jpeg = Pictures.jpeg()
        for count in 0..<jpeg.count { #expect(PlainJPEG(Array(jpeg[..<count])) == nil, "\(count) bytes") }
    }
}
