/// Reads the text of a filter from left to right.
struct RestScanner {
    private let text: [UInt8]
    private(set) var place = 0

    init(_ text: String) { self.text = Array(text.utf8) }

    var isAtEnd: Bool { place == text.count }

    /// Takes a fixed piece of text, if it comes next.
    mutating func take(_ piece: StaticString) -> Bool {
        let size = piece.utf8CodeUnitCount
        guard text.count - place >= size,
            UnsafeBufferPointer(start: piece.utf8Start, count: size).elementsEqual(text[place..<place + size])
        else { return false }
        place += size
        return true
    }

    /// Whether a fixed piece of text comes next; takes nothing.
    func sees(_ piece: StaticString) -> Bool {
        var copy = self
        return copy.take(piece)
    }

    /// Everything up to one of these characters, or to the end; takes none of them.
    mutating func upTo(_ ends: StaticString) -> String {
        let ends = UnsafeBufferPointer(start: ends.utf8Start, count: ends.utf8CodeUnitCount)
        let start = place
        while place < text.count, !ends.contains(text[place]) { place += 1 }
        return String(decoding: text[start..<place], as: UTF8.self)
    }

    /// All that is left.
    mutating func rest() -> String {
        defer { place = text.count }
        return String(decoding: text[place...], as: UTF8.self)
    }

    /// A text between double quotes, in which a backslash takes the next character as it is; nil if none comes next, or it does not end.
    mutating func quoted() -> String? {
        var copy = self
        guard copy.take("\"") else { return nil }
        var bytes: [UInt8] = []
        while copy.place < text.count {
            let byte = text[copy.place]
            copy.place += 1
            switch byte {
            case UInt8(ascii: "\""):
                self = copy
                return String(decoding: bytes, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard copy.place < text.count else { return nil }
                bytes.append(text[copy.place])
                copy.place += 1
            default: bytes.append(byte)
            }
        }
        return nil
    }

    /// A piece between brackets with everything in it, brackets and quoted texts too; nil if it does not end.
    mutating func bracketed(_ open: UInt8, _ close: UInt8) -> String? {
        guard place < text.count, text[place] == open else { return nil }
        let start = place
        var copy = self
        var depth = 0
        while copy.place < text.count {
            if copy.sees("\"") {
                guard copy.quoted() != nil else { return nil }
                continue
            }
            if text[copy.place] == open { depth += 1 }
            if text[copy.place] == close { depth -= 1 }
            copy.place += 1
            if depth == 0 {
                self = copy
                return String(decoding: text[start..<place], as: UTF8.self)
            }
        }
        return nil
    }
}
