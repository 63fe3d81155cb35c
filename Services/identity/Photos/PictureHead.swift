/// What a picture says of itself before anything opens it: its form, its size and how it was held.
///
/// Nothing is decoded for it. It is read from what a stranger sent, in code that cannot read beyond the bytes, so that most of
/// what is no photo ends here and no decoder is started for it.
package struct PictureHead: Sendable, Equatable {
    /// The forms of pictures that are taken.
    package enum Form: String, Sendable, CaseIterable {
        case jpeg, png, webp

        /// The media type of such a file.
        package var contentType: String { "image/\(rawValue)" }
    }

    /// Why no photo is made of a file.
    package enum Refusal: Error, Sendable, Equatable, CaseIterable {
        /// It is none of the forms.
        case foreign
        /// Part of it is missing, or it contradicts itself.
        case damaged
        /// It moves.
        case animated
        /// A side is shorter than ``leastSide``.
        case tooSmall
        /// It has more than ``mostPixels``.
        case tooManyPixels
    }

    /// The most pixels that a picture may have: what the cameras of phones make by themselves, 24 megapixels, and a little more.
    package static let mostPixels = 25_000_000
    /// The shortest side, in pixels.
    package static let leastSide = 64

    package let form: Form
    package let width: Int
    package let height: Int
    /// How it is to be turned and mirrored to stand upright, as EXIF numbers it: from 1, which it already does, to 8.
    package let orientation: Int

    /// Reads it, and sees that the file goes on to its end.
    ///
    /// - Throws: why no photo is made of it.
    package init(_ bytes: [UInt8]) throws(Refusal) {
        var found = Found()
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            form = .jpeg
            try found.readJPEG(Bytes(bytes[...]))
        } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            form = .png
            try found.readPNG(Bytes(bytes[...]))
        } else if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
            form = .webp
            try found.readWebP(Bytes(bytes[...]))
        } else {
            throw .foreign
        }
        (width, height) = (found.width, found.height)
        orientation = found.orientation ?? 1
        guard width > 0, height > 0 else { throw .damaged }
        let most = Self.mostPixels
        // One by one first: the product of two such numbers may be none.
        guard width <= most, height <= most, width * height <= most else { throw .tooManyPixels }
        guard min(width, height) >= Self.leastSide else { throw .tooSmall }
    }
}

/// Numbers and parts of a file, each nil where the file has ended before.
private struct Bytes {
    let all: ArraySlice<UInt8>
    var count: Int { all.count }

    init(_ all: ArraySlice<UInt8>) { self.all = all }

    /// From so many bytes after the beginning.
    subscript(_ range: Range<Int>) -> Bytes? {
        guard range.lowerBound >= 0, range.upperBound <= count else { return nil }
        return Bytes(all[all.startIndex + range.lowerBound..<all.startIndex + range.upperBound])
    }

    func starts(with text: String) -> Bool { all.starts(with: text.utf8) }

    func big(_ at: Int, _ size: Int) -> Int? { self[at..<at + size]?.all.reduce(0) { $0 << 8 | Int($1) } }
    func little(_ at: Int, _ size: Int) -> Int? { self[at..<at + size]?.all.reversed().reduce(0) { $0 << 8 | Int($1) } }
}

/// What was read so far.
private struct Found {
    var width = 0
    var height = 0
    var orientation: Int?

    /// ISO/IEC 10918-1, annex B: segments up to the first scan, and an end behind it. What lies behind the end (a phone's second
    /// picture, or anything) is nobody's business.
    mutating func readJPEG(_ file: Bytes) throws(PictureHead.Refusal) {
        var at = 2
        while let lead = file.big(at, 1), let marker = file.big(at + 1, 1), lead == 0xFF {
            if marker == 0xFF {
                // Any number of these may stand before a marker.
                at += 1
                continue
            }
            guard let length = file.big(at + 2, 2), length >= 2, let body = file[at + 4..<at + 2 + length] else {
                throw .damaged
            }
            at += 2 + length
            switch marker {
            case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(marker):
                guard width == 0, let height = body.big(1, 2), let width = body.big(3, 2) else { throw .damaged }
                (self.width, self.height) = (width, height)
            case 0xE1 where body.starts(with: "Exif\0\0") && orientation == nil: readEXIF(body)
            case 0xDA:
                guard width > 0, Self.hasEnd(file, from: at) else { throw .damaged }
                return
            case 0xC4, 0xDB...0xDF, 0xE0...0xEF, 0xF0...0xFE: break
            default: throw .damaged
            }
        }
        throw .damaged
    }

    /// Whether a JPEG's end is in there somewhere.
    private static func hasEnd(_ file: Bytes, from start: Int) -> Bool {
        guard let rest = file[start..<file.count]?.all else { return false }
        return rest.withUnsafeBufferPointer { bytes in
            var isLead = false
            for byte in bytes {
                if isLead && byte == 0xD9 { return true }
                isLead = byte == 0xFF
            }
            return false
        }
    }

    /// ISO/IEC 15948: chunks up to the last one.
    mutating func readPNG(_ file: Bytes) throws(PictureHead.Refusal) {
        var at = 8
        var hasPixels = false
        while let length = file.big(at, 4), let name = file[at + 4..<at + 8],
            let body = file[at + 8..<at + 8 + length], file[at + 8 + length..<at + 12 + length] != nil
        {
            if at == 8 {
                guard name.starts(with: "IHDR"), let width = body.big(0, 4), let height = body.big(4, 4) else {
                    throw .damaged
                }
                (self.width, self.height) = (width, height)
            }
            if name.starts(with: "acTL") { throw .animated }
            if name.starts(with: "IDAT") { hasPixels = true }
            if name.starts(with: "eXIf"), orientation == nil { readTIFF(body) }
            if name.starts(with: "IEND") {
                guard hasPixels else { throw .damaged }
                return
            }
            at += 12 + length
        }
        throw .damaged
    }

    /// RFC 9649: the chunks of the file, which says how long it is.
    mutating func readWebP(_ file: Bytes) throws(PictureHead.Refusal) {
        guard let size = file.little(4, 4), let file = file[0..<size + 8] else { throw .damaged }
        var at = 12
        var hasPixels = false
        while at < file.count {
            guard let name = file[at..<at + 4], let length = file.little(at + 4, 4),
                let body = file[at + 8..<at + 8 + length]
            else { throw .damaged }
            if name.starts(with: "VP8X") {
                guard let flags = body.little(0, 1), let width = body.little(4, 3), let height = body.little(7, 3)
                else {
                    throw .damaged
                }
                if flags & 2 != 0 { throw .animated }
                measure(width + 1, height + 1)
            } else if name.starts(with: "VP8 ") {
                guard body.big(3, 3) == 0x9D_012A, let width = body.little(6, 2), let height = body.little(8, 2) else {
                    throw .damaged
                }
                measure(width & 0x3FFF, height & 0x3FFF)
                hasPixels = true
            } else if name.starts(with: "VP8L") {
                guard body.little(0, 1) == 0x2F, let bits = body.little(1, 4) else { throw .damaged }
                measure((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
                hasPixels = true
            } else if name.starts(with: "ANIM") || name.starts(with: "ANMF") {
                throw .animated
            } else if name.starts(with: "EXIF"), orientation == nil {
                if body.starts(with: "Exif\0\0") { readEXIF(body) } else { readTIFF(body) }
            }
            at += 8 + length + length % 2
        }
        guard hasPixels else { throw .damaged }
    }

    /// Takes the larger of what a canvas and its picture say.
    private mutating func measure(_ width: Int, _ height: Int) {
        self.width = max(self.width, width)
        self.height = max(self.height, height)
    }

    private mutating func readEXIF(_ block: Bytes) {
        if let tiff = block[6..<block.count] { readTIFF(tiff) }
    }

    /// TIFF 6.0: the entry 0x0112 of the first directory. Without a good one the picture stays as it is.
    private mutating func readTIFF(_ tiff: Bytes) {
        let isLittle = tiff.starts(with: "II")
        guard isLittle || tiff.starts(with: "MM") else { return }
        func number(_ at: Int, _ size: Int) -> Int? { isLittle ? tiff.little(at, size) : tiff.big(at, size) }
        guard number(2, 2) == 42, let start = number(4, 4), let entries = number(start, 2) else { return }
        for entry in 0..<entries {
            let at = start + 2 + entry * 12
            guard let tag = number(at, 2) else { return }
            guard tag == 0x0112 else { continue }
            if number(at + 2, 2) == 3, let value = number(at + 8, 2), (1...8).contains(value) { orientation = value }
            return
        }
    }
}
