package import Primitives

/// Reads an object of strings without escapes, whole numbers and no repeated members: the form in which metadata is written, and
/// the data of some events. Every event has metadata, and a tree of JSON values would cost several times as much.
package struct FlatReader {
    private let text: UnsafeBufferPointer<UInt8>
    private var place = 0
    private var isBehindMember = false

    package init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

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

/// Members in the order in which they were written. Each is nil where the text goes on in another way, which is not necessarily an
/// error: then it is read as general JSON.
extension FlatReader {
    /// Begins the object.
    package mutating func begin() -> Bool {
        skipSpace()
        return take(UInt8(ascii: "{"))
    }

    /// Ends the object, and with it the text.
    package mutating func end() -> Bool {
        skipSpace()
        guard take(UInt8(ascii: "}")) else { return false }
        skipSpace()
        return place == text.count
    }

    /// An identifier.
    package mutating func uuid(_ name: StaticString) -> UUID? { string(name).flatMap { UUID(utf8: $0) } }

    /// A UTC time (RFC 3339).
    package mutating func time(_ name: StaticString) -> Timestamp? { string(name).flatMap { Timestamp(rfc3339: $0) } }

    /// A local day (ISO 8601).
    package mutating func day(_ name: StaticString) -> LocalDay? { string(name).flatMap { LocalDay(utf8: $0) } }

    /// A text.
    package mutating func text(_ name: StaticString) -> String? {
        string(name).map { String(decoding: $0, as: UTF8.self) }
    }

    /// A whole number of at most eighteen digits.
    package mutating func int(_ name: StaticString) -> Int64? {
        guard member(name) else { return nil }
        let isNegative = take(UInt8(ascii: "-"))
        let start = place
        var number: Int64 = 0
        while place < text.count, place - start < 18, text[place] >= UInt8(ascii: "0"), text[place] <= UInt8(ascii: "9")
        {
            number = number * 10 + Int64(text[place] - UInt8(ascii: "0"))
            place += 1
        }
        // What is no end of a number behind it, such as a point, is nothing that can follow a member.
        guard place > start, place - start == 1 || text[start] != UInt8(ascii: "0") else { return nil }
        return isNegative ? -number : number
    }

    private mutating func string(_ name: StaticString) -> UnsafeBufferPointer<UInt8>? { member(name) ? string() : nil }

    /// The next member's name and what is before its value.
    private mutating func member(_ name: StaticString) -> Bool {
        skipSpace()
        if isBehindMember {
            guard take(UInt8(ascii: ",")) else { return false }
            skipSpace()
        }
        isBehindMember = true
        guard let found = string(), Self.is(found, name) else { return false }
        skipSpace()
        guard take(UInt8(ascii: ":")) else { return false }
        skipSpace()
        return true
    }

    private mutating func skipSpace() {
        while place < text.count {
            switch text[place] {
            case 0x20, 0x09, 0x0A, 0x0D: place += 1
            default: return
            }
        }
    }
}
