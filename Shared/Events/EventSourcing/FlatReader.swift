import Primitives

/// Reads an object of strings without escapes and without repeated members: the form in which metadata is written. Every
/// event has metadata, and a tree of JSON values would cost several times as much.
struct FlatReader {
    private let text: UnsafeBufferPointer<UInt8>
    private var place = 0

    init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

    /// The metadata; nil if the text has another form, which is not necessarily an error.
    mutating func metadata() -> EventMetadata? {
        var owner: UUID?
        var correlation: UUID?
        var causation: UUID?
        var actor: String?
        var traceparent: String?
        var origin: String?
        guard take(UInt8(ascii: "{")) else { return nil }
        repeat {
            guard let name = string(), take(UInt8(ascii: ":")), let value = string() else { return nil }
            if Self.is(name, "owner"), owner == nil {
                owner = UUID(utf8: value)
                if owner == nil { return nil }
            } else if Self.is(name, "correlation"), correlation == nil {
                correlation = UUID(utf8: value)
                if correlation == nil { return nil }
            } else if Self.is(name, "causation"), causation == nil {
                causation = UUID(utf8: value)
                if causation == nil { return nil }
            } else if Self.is(name, "actor"), actor == nil {
                actor = String(decoding: value, as: UTF8.self)
            } else if Self.is(name, "traceparent"), traceparent == nil {
                traceparent = String(decoding: value, as: UTF8.self)
            } else if Self.is(name, "origin"), origin == nil {
                origin = String(decoding: value, as: UTF8.self)
            } else {
                return nil
            }
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "}")), place == text.count, let correlation, let actor else { return nil }
        return EventMetadata(
            owner: owner, correlation: correlation, causation: causation, actor: actor, traceparent: traceparent,
            origin: origin)
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard place < text.count, text[place] == byte else { return false }
        place += 1
        return true
    }

    /// A string of printable ASCII without escapes.
    private mutating func string() -> UnsafeBufferPointer<UInt8>? {
        guard take(UInt8(ascii: "\"")) else { return nil }
        let start = place
        while place < text.count {
            let byte = text[place]
            if byte == UInt8(ascii: "\"") {
                place += 1
                return UnsafeBufferPointer(rebasing: text[start..<(place - 1)])
            }
            if byte < 0x20 || byte >= 0x7F || byte == UInt8(ascii: "\\") { return nil }
            place += 1
        }
        return nil
    }

    private static func `is`(_ text: UnsafeBufferPointer<UInt8>, _ name: StaticString) -> Bool {
        guard text.count == name.utf8CodeUnitCount else { return false }
        for index in text.indices where text[index] != name.utf8Start[index] { return false }
        return true
    }
}
