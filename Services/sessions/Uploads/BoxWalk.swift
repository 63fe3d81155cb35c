import Runtime

/// Finds metadata about places in a file of ISO base media or QuickTime (ISO/IEC 14496-12): boxes of a length and a type, some of
/// which hold others.
@Loop struct BoxWalk {
    /// How deep boxes that are walked lie in each other in a real file.
    private static let mostDepth = 8
    /// How many boxes are looked at: a recording in fragments of a tenth of a second has a few ten thousand.
    private static let mostBoxes = 200_000
    /// How many entries of one list of keys are looked at, and how long that list may be in bytes.
    private static let mostKeys = 1_024
    private static let mostKeyBytes: Int64 = 65_536

    private static let containers = types("moov", "trak", "mdia", "minf", "moof", "traf", "udta", "meta", "ilst")
    /// `©xyz` of QuickTime, `loci` of 3GPP, what cameras call it, XMP in QuickTime.
    private static let places = types("loci", "gps ", "GPS ", "GPMF", "XMP_").union([placeName])
    private static let placeName: UInt32 = 0xA978_797A
    /// `----`: named by whoever wrote it.
    private static let freeForm = type("----")
    private static let xmp: [UInt8] = [
        0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
    ]

    private struct Box {
        let start: Int64
        let content: Int64
        let end: Int64
        let type: UInt32
        /// Of a box `uuid`.
        var name: [UInt8] = []
    }

    /// What lies in a box `meta` of QuickTime: items by the number of their key.
    private struct Items {
        var keys: Set<UInt32> = []
        var found: [Box] = []
        var isUnreadable = false
    }

    private let file: FileWindow

    init(_ file: FileWindow) { self.file = file }

    func overwritings() async throws -> [Overwriting] {
        var walk = State()
        try await boxes(0..<file.size, in: nil, depth: 0, &walk)
        return walk.found
    }

    private struct State {
        var found: [Overwriting] = []
        var boxes = 0
        var items = Items()
    }

    /// Walks the boxes of a stretch one after another.
    private func boxes(_ stretch: Range<Int64>, in parent: UInt32?, depth: Int, _ walk: inout State) async throws {
        var place = stretch.lowerBound
        while place < stretch.upperBound {
            walk.boxes += 1
            guard depth <= Self.mostDepth, walk.boxes <= Self.mostBoxes,
                let box = try await box(at: place, in: stretch)
            else {
                // Which items are places is not known then either.
                walk.items.isUnreadable = true
                if try await !isTerminator(place..<stretch.upperBound) {
                    walk.found.append(Overwriting(place..<stretch.upperBound))
                }
                return
            }
            try await look(at: box, in: parent, depth: depth, &walk)
            place = box.end
        }
    }

    /// QuickTime ends user data with four zeros.
    private func isTerminator(_ rest: Range<Int64>) async throws -> Bool {
        guard rest.upperBound - rest.lowerBound < 8 else { return false }
        return try await file.bytes(at: rest.lowerBound, Int(rest.upperBound - rest.lowerBound)).allSatisfy { $0 == 0 }
    }

    private func look(at box: Box, in parent: UInt32?, depth: Int, _ walk: inout State) async throws {
        if Self.places.contains(box.type) || box.name == Self.xmp {
            walk.found.append(Self.empty(box))
        } else if parent == Self.type("ilst") {
            if box.type == Self.freeForm { walk.found.append(Self.empty(box)) }
            if walk.items.found.count < Self.mostKeys {
                walk.items.found.append(box)
            } else {
                walk.found.append(Self.empty(box))
            }
        } else if parent == Self.type("meta"), box.type == Self.type("keys") {
            try await keys(of: box, &walk.items)
        } else if box.type == Self.type("meta") {
            let outer = walk.items
            walk.items = Items()
            try await boxes(contentOfMeta(box)..<box.end, in: box.type, depth: depth + 1, &walk)
            let items = walk.items
            for item in items.found where items.isUnreadable || items.keys.contains(item.type) {
                walk.found.append(Self.empty(item))
            }
            walk.items = outer
        } else if Self.containers.contains(box.type) {
            try await boxes(box.content..<box.end, in: box.type, depth: depth + 1, &walk)
        }
    }

    /// The box at a place; nil when there is none that could be walked on from. One that is longer than what it stands in ends with
    /// that, as one does that was not written to its end.
    private func box(at place: Int64, in stretch: Range<Int64>) async throws -> Box? {
        let head = try await file.bytes(at: place, 32)
        let left = stretch.upperBound - place
        guard head.count >= 8, left >= 8 else { return nil }
        let type = UInt32(head.prefix(4 + 4).dropFirst(4).bigEndian)
        var length = head.prefix(4).bigEndian
        var headLength: Int64 = 8
        if length == 1 {
            guard head.count >= 16, left >= 16 else { return nil }
            length = head.prefix(16).dropFirst(8).bigEndian
            headLength = 16
        } else if length == 0 {
            // The last one, to the end.
            length = UInt64(left)
        }
        var name: [UInt8] = []
        if type == Self.type("uuid") {
            name = Array(head.dropFirst(Int(headLength)).prefix(16))
            guard name.count == 16 else { return nil }
        }
        guard length >= UInt64(headLength) else { return nil }
        let end = length > UInt64(left) ? stretch.upperBound : place + Int64(length)
        return Box(start: place, content: place + headLength, end: end, type: type, name: name)
    }

    /// QuickTime's box `meta` has boxes at once, that of ISO has four bytes before them.
    private func contentOfMeta(_ box: Box) async throws -> Int64 {
        let start = try await file.bytes(at: box.content, 8)
        if start.count == 8, UInt32(start.suffix(4).bigEndian) == Self.type("hdlr") { return box.content }
        return min(box.content + 4, box.end)
    }

    /// Notes which keys name a place. The items of a list that cannot be read are all taken for such.
    private func keys(of box: Box, _ items: inout Items) async throws {
        guard box.end - box.content <= Self.mostKeyBytes else {
            items.isUnreadable = true
            return
        }
        let bytes = Array(try await file.bytes(at: box.content, Int(box.end - box.content)))
        guard bytes.count >= 8 else {
            items.isUnreadable = true
            return
        }
        var place = 8
        var number: UInt32 = 0
        while place < bytes.count {
            number += 1
            let length = bytes[place...].prefix(4).bigEndian
            guard number <= UInt32(Self.mostKeys), bytes.count - place >= 8, length >= 8,
                length <= UInt64(bytes.count - place)
            else {
                items.isUnreadable = true
                return
            }
            let name = String(decoding: bytes[place + 8..<place + Int(length)], as: UTF8.self).lowercased()
            if name.contains("location") || name.contains("gps") { items.keys.insert(number) }
            place += Int(length)
        }
    }

    /// A box of the same length that readers pass over.
    private static func empty(_ box: Box) -> Overwriting {
        let start = box.start + 4
        return Overwriting(
            start..<box.end, Array("free".utf8) + (box.content - box.start == 16 ? length(of: box) : []))
    }

    /// A length of 64 bits, which stays.
    private static func length(of box: Box) -> [UInt8] {
        let length = UInt64(box.end - box.start)
        return (0..<8).map { UInt8(truncatingIfNeeded: length >> (56 - 8 * UInt64($0))) }
    }

    private static func type(_ name: String) -> UInt32 { name.utf8.reduce(0) { $0 << 8 | UInt32($1) } }
    private static func types(_ names: String...) -> Set<UInt32> { Set(names.map(type)) }
}
