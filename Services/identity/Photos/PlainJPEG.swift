/// A photo as it is kept and given out: a small square JPEG that holds nothing but its pixels.
///
/// What made it has opened a stranger's file and may have been taken over by it, so it is not believed: nothing but what a JPEG
/// needs to be shown is let through, and no place is left where a file could carry anything else along. What the pixels show is
/// the owner's affair.
package struct PlainJPEG: Sendable, Equatable {
    /// Its width and height in pixels.
    package static let side = 512
    /// The most bytes that it may have.
    package static let mostBytes = 98_304

    package let bytes: [UInt8]

    /// - Returns: nil for anything but such a JPEG.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.mostBytes, bytes.starts(with: [0xFF, 0xD8]), Self.isPlain(bytes) else { return nil }
        self.bytes = bytes
    }

    /// Goes through the segments and the scan, which must end the file.
    private static func isPlain(_ bytes: [UInt8]) -> Bool {
        var at = 2
        var hasSize = false
        while at + 4 <= bytes.count, bytes[at] == 0xFF {
            let marker = bytes[at + 1]
            let length = Int(bytes[at + 2]) << 8 | Int(bytes[at + 3])
            let end = at + 2 + length
            guard length >= 2, end <= bytes.count else { return false }
            let body = bytes[at + 4..<end]
            switch marker {
            // JFIF, without a thumbnail.
            case 0xE0: guard body.count == 14, body.starts(with: "JFIF\0".utf8) else { return false }
            // A baseline frame of three components.
            case 0xC0:
                let side = [UInt8(Self.side >> 8), UInt8(Self.side & 0xFF)]
                guard !hasSize, body.count == 15, body.starts(with: [8] + side + side + [3]) else { return false }
                hasSize = true
            // Tables.
            case 0xC4, 0xDB: break
            case 0xDA: return hasSize && endsScan(bytes, from: end)
            default: return false
            }
            at = end
        }
        return false
    }

    /// Whether coded pixels go on from there to the end of the image, and the file ends with it.
    private static func endsScan(_ bytes: [UInt8], from start: Int) -> Bool {
        var at = start
        while at + 1 < bytes.count {
            if bytes[at] != 0xFF {
                at += 1
            } else if bytes[at + 1] == 0 {
                at += 2
            } else {
                return bytes[at + 1] == 0xD9 && at + 2 == bytes.count
            }
        }
        return false
    }
}
