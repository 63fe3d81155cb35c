/// Pictures for tests, made byte by byte.
package enum Pictures {
    package typealias Colour = (red: UInt8, green: UInt8, blue: UInt8)

    // MARK: PNG

    /// A PNG.
    ///
    /// - Parameters:
    ///   - says: the size that it claims to have, when that is another.
    ///   - more: chunks between its head and its pixels.
    ///   - colour: the colour of each pixel.
    package static func png(
        _ width: Int, _ height: Int, says size: (Int, Int)? = nil, more: [UInt8] = [],
        _ colour: (_ x: Int, _ y: Int) -> Colour = { _, _ in (200, 30, 30) }
    ) -> [UInt8] {
        var rows: [UInt8] = []
        rows.reserveCapacity(height * (width * 3 + 1))
        for y in 0..<height {
            rows.append(0)
            for x in 0..<width {
                let pixel = colour(x, y)
                rows.append(pixel.red)
                rows.append(pixel.green)
                rows.append(pixel.blue)
            }
        }
        let head = big(size?.0 ?? width, 4) + big(size?.1 ?? height, 4) + [8, 2, 0, 0, 0]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", head) + more
            + chunk("IDAT", stored(rows)) + chunk("IEND")
    }

    /// A chunk of a PNG.
    package static func chunk(_ name: String, _ body: [UInt8] = []) -> [UInt8] {
        let named = Array(name.utf8) + body
        return big(body.count, 4) + named + big(Int(crc(named)), 4)
    }

    /// A zlib stream that compresses nothing (RFC 1950, 1951).
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        var (low, high) = (1, 0)
        for start in stride(from: 0, to: bytes.count, by: 65_535) {
            let block = bytes[start..<min(start + 65_535, bytes.count)]
            stream.append(block.endIndex == bytes.count ? 1 : 0)
            stream += little(block.count, 2) + little(~block.count & 0xFFFF, 2) + block
        }
        for byte in bytes {
            low = (low + Int(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return stream + big(high << 16 | low, 4)
    }

    private static let crcs: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }

    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { $0 >> 8 ^ crcs[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] }
    }

    // MARK: JPEG

    /// A JPEG with nothing but what one needs; its pixels mean nothing.
    ///
    /// - Parameters:
    ///   - more: segments behind the first one.
    ///   - end: what stands in the place of its end.
    package static func jpeg(
        _ width: Int = 512, _ height: Int = 512, more: [UInt8] = [], end: [UInt8] = [0xFF, 0xD9]
    ) -> [UInt8] {
        let frame = [8] + big(height, 2) + big(width, 2) + [3, 1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0]
        return [0xFF, 0xD8] + segment(0xE0, Array("JFIF\0".utf8) + [1, 2, 0, 0, 1, 0, 1, 0, 0]) + more
            + segment(0xDB, [0] + [UInt8](repeating: 1, count: 64)) + segment(0xC0, frame)
            + segment(0xC4, [0] + [UInt8](repeating: 0, count: 16))
            + segment(0xDA, [3, 1, 0, 2, 0x11, 3, 0x11, 0, 63, 0]) + [0x12, 0xFF, 0x00, 0x34] + end
    }

    /// A segment of a JPEG.
    package static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
        [0xFF, marker] + big(body.count + 2, 2) + body
    }

    /// A TIFF block as cameras write it: how the picture was held, what made it, and where (GPSAreaInformation).
    package static func exif(orientation: Int, isLittle: Bool = true) -> [UInt8] {
        func number(_ value: Int, _ size: Int) -> [UInt8] { isLittle ? little(value, size) : big(value, size) }
        let maker = Array("PlantedCamera 7\0".utf8)
        let place = Array("PLANTED-PLACE 48.2082N 16.3738E\0".utf8)
        let data = 8 + 2 + 3 * 12 + 4
        let gps = data + maker.count
        var block = Array((isLittle ? "II" : "MM").utf8) + number(42, 2) + number(8, 4) + number(3, 2)
        block += number(0x010F, 2) + number(2, 2) + number(maker.count, 4) + number(data, 4)
        block += number(0x0112, 2) + number(3, 2) + number(1, 4) + number(orientation, 2) + number(0, 2)
        block += number(0x8825, 2) + number(4, 2) + number(1, 4) + number(gps, 4)
        block += number(0, 4) + maker
        block += number(1, 2) + number(0x001C, 2) + number(2, 2) + number(place.count, 4) + number(gps + 18, 4)
        return block + number(0, 4) + place
    }

    // MARK: WebP

    /// A WebP of these chunks.
    package static func webp(_ chunks: [(name: String, body: [UInt8])]) -> [UInt8] {
        let all = chunks.flatMap { name, body in
            Array(name.utf8) + little(body.count, 4) + body + [UInt8](repeating: 0, count: body.count % 2)
        }
        return Array("RIFF".utf8) + little(all.count + 4, 4) + Array("WEBP".utf8) + all
    }

    /// The head of a picture with losses.
    package static func vp8(_ width: Int, _ height: Int) -> (String, [UInt8]) {
        ("VP8 ", [0x10, 0, 0, 0x9D, 0x01, 0x2A] + little(width, 2) + little(height, 2) + [7, 7, 7])
    }

    /// The head of one without losses.
    package static func vp8l(_ width: Int, _ height: Int) -> (String, [UInt8]) {
        ("VP8L", [0x2F] + little((width - 1) | (height - 1) << 14, 4) + [7, 7])
    }

    /// What says which other chunks there are; a flag of 2 means that it moves.
    package static func vp8x(_ width: Int, _ height: Int, flags: UInt8) -> (String, [UInt8]) {
        ("VP8X", [flags, 0, 0, 0] + little(width - 1, 3) + little(height - 1, 3))
    }

    // MARK: Numbers

    private static func big(_ value: Int, _ size: Int) -> [UInt8] {
        (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    private static func little(_ value: Int, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}
