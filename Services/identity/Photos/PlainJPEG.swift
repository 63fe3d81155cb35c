/// A photo as it is kept and given out: a small square JPEG that holds nothing but its pixels.
///
/// What made it has opened a stranger's file and may have been taken over by it, so it is not believed: nothing but what a JPEG
/// needs to be shown is let through, each once and as long as it has to be, and no place is left where a file could carry anything
/// else along. What the pixels show is the owner's affair.
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
        var hasHead = false
        var hasSize = false
        var tables: Set<UInt8> = []
        while at + 4 <= bytes.count, bytes[at] == 0xFF {
            let marker = bytes[at + 1]
            let length = Int(bytes[at + 2]) << 8 | Int(bytes[at + 3])
            let end = at + 2 + length
            guard length >= 2, end <= bytes.count else { return false }
            let body = bytes[at + 4..<end]
            switch marker {
            // JFIF, without a thumbnail.
            case 0xE0:
                guard !hasHead, at == 2, body.count == 14, body.starts(with: "JFIF\0".utf8), body.suffix(2) == [0, 0]
                else {
                    return false
                }
                hasHead = true
            // A baseline frame of three components.
            case 0xC0:
                let side = [UInt8(Self.side >> 8), UInt8(Self.side & 0xFF)]
                guard !hasSize, body.count == 15, body.starts(with: [8] + side + side + [3]) else { return false }
                hasSize = true
            case 0xDB: guard hasOnlySteps(body, &tables) else { return false }
            case 0xC4: guard hasOnlyCodes(body, &tables) else { return false }
            // One scan of all three components and all coefficients.
            case 0xDA:
                guard hasSize, body.count == 10, body.first == 3, body.suffix(3) == [0, 63, 0] else { return false }
                return endsScan(bytes, from: end)
            default: return false
            }
            at = end
        }
        return false
    }

    /// Whether these are tables of quantization, each of 64 steps of a byte, and none of which there was one before
    /// (ISO/IEC 10918-1, section B.2.4.1).
    private static func hasOnlySteps(_ body: ArraySlice<UInt8>, _ tables: inout Set<UInt8>) -> Bool {
        var rest = body
        while let name = rest.first {
            guard name < 4, rest.count >= 65, tables.insert(name).inserted else { return false }
            rest = rest.dropFirst(65)
        }
        return !body.isEmpty
    }

    /// Whether these are Huffman tables of a baseline frame, two of each class at most, each once and with no more codes than there
    /// can be: 12 for the sizes of differences, 162 for runs and sizes (section B.2.4.2).
    private static func hasOnlyCodes(_ body: ArraySlice<UInt8>, _ tables: inout Set<UInt8>) -> Bool {
        var rest = body
        while let name = rest.first {
            guard [0x00, 0x01, 0x10, 0x11].contains(name), rest.count >= 17, tables.insert(0x80 | name).inserted else {
                return false
            }
            let count = rest.dropFirst().prefix(16).reduce(0) { $0 + Int($1) }
            guard count <= (name < 0x10 ? 12 : 162), rest.count >= 17 + count else { return false }
            rest = rest.dropFirst(17 + count)
        }
        return !body.isEmpty
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
