/// Decodes a chunked body (RFC 9112, section 7.1) piece by piece.
///
/// Chunk extensions and trailers are ignored: they must not change anything in the head.
struct ChunkedDecoder {
    private enum State: Equatable {
        case size(digits: Int)
        case sizeSpace
        case extensions
        case sizeEnd
        case data
        case dataReturn
        case dataEnd
        case trailerBegin
        case trailer
        case trailerEnd
        case lastEnd
        case done
    }

    private var state = State.size(digits: 0)
    private var left: Int64 = 0
    private var overhead = 0
    private let overheadLimit: Int

    init(overheadLimit: Int) { self.overheadLimit = overheadLimit }

    /// Whether the body has ended.
    var isDone: Bool { state == .done }

    /// Consumes bytes until the first piece of data or the end of the input.
    ///
    /// - Returns: how many bytes were consumed in total, and which of them, at the end, are data.
    mutating func next(_ bytes: UnsafeBufferPointer<UInt8>) throws(HeadRefusal) -> (consumed: Int, data: Range<Int>) {
        var place = 0
        while place < bytes.count, state != .done {
            if state == .data {
                let end = place + Int(min(left, Int64(bytes.count - place)))
                left -= Int64(end - place)
                if left == 0 { state = .dataReturn }
                return (end, place..<end)
            }
            try step(bytes[place])
            place += 1
        }
        return (place, place..<place)
    }

    private mutating func step(_ byte: UInt8) throws(HeadRefusal) {
        switch state {
        case .size(let digits):
            if let digit = Self.hexDigit(byte) {
                guard digits < 15 else { throw .bodyTooLarge }
                left = left << 4 | Int64(digit)
                state = .size(digits: digits + 1)
                return
            }
            guard digits > 0 else { throw Self.malformed }
            try afterSize(byte)
        case .sizeSpace: try afterSize(byte)
        case .extensions:
            if byte == 0x0D { state = .sizeEnd } else { try count(byte) }
        case .sizeEnd:
            guard byte == 0x0A else { throw Self.malformed }
            state = left == 0 ? .trailerBegin : .data
        case .dataReturn:
            guard byte == 0x0D else { throw Self.malformed }
            state = .dataEnd
        case .dataEnd:
            guard byte == 0x0A else { throw Self.malformed }
            state = .size(digits: 0)
        case .trailerBegin:
            if byte == 0x0D {
                state = .lastEnd
            } else {
                guard Token.contains(byte) else { throw Self.malformed }
                try count(byte)
                state = .trailer
            }
        case .trailer:
            if byte == 0x0D { state = .trailerEnd } else { try count(byte) }
        case .trailerEnd:
            guard byte == 0x0A else { throw Self.malformed }
            state = .trailerBegin
        case .lastEnd:
            guard byte == 0x0A else { throw Self.malformed }
            state = .done
        case .data, .done: break
        }
    }

    private mutating func afterSize(_ byte: UInt8) throws(HeadRefusal) {
        switch byte {
        case 0x0D: state = .sizeEnd
        case UInt8(ascii: ";"): state = .extensions
        case 0x20, 0x09:
            try count(byte)
            state = .sizeSpace
        default: throw Self.malformed
        }
    }

    private mutating func count(_ byte: UInt8) throws(HeadRefusal) {
        guard byte >= 0x20 && byte != 0x7F || byte == 0x09 else { throw Self.malformed }
        overhead += 1
        if overhead > overheadLimit { throw .tooLarge }
    }

    private static let malformed = HeadRefusal.malformed("Send each chunk as its size in hexadecimal and its bytes.")

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
