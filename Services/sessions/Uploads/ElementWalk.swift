import Runtime

/// Finds tags in a Matroska or WebM file (RFC 9559, RFC 8794): elements of a name, a length and what they hold. Every element
/// `Tags` goes, since a tag says by a free name what it is.
@Loop struct ElementWalk {
    /// How many elements are looked at: a recording of some minutes without clusters of known length has some ten thousand.
    private static let mostElements = 200_000

    private static let segment: UInt64 = 0x1853_8067
    private static let cluster: UInt64 = 0x1F43_B675
    private static let tags: UInt64 = 0x1254_C367

    private struct Element {
        let name: UInt64
        let content: Int64
        /// Nil when it was written before its length was known.
        let length: Int64?
    }

    private let file: FileWindow

    init(_ file: FileWindow) { self.file = file }

    func overwritings() async throws -> [Overwriting] {
        var found: [Overwriting] = []
        var place: Int64 = 0
        var count = 0
        while place < file.size {
            count += 1
            guard count <= Self.mostElements, let element = try await element(at: place) else {
                found.append(Overwriting(place..<file.size))
                break
            }
            guard let length = element.length else {
                guard [Self.segment, Self.cluster].contains(element.name) else {
                    found.append(Overwriting(place..<file.size))
                    break
                }
                // It ends where the next of its kind begins: what it holds is walked with what follows.
                place = element.content
                continue
            }
            // One that is longer than the file was not written to its end.
            let end = length > file.size - element.content ? file.size : element.content + length
            if element.name == Self.tags { found.append(Self.void(place..<end)) }
            place = element.name == Self.segment ? element.content : end
        }
        return found
    }

    /// The element at a place; nil when there is none that could be walked on from.
    private func element(at place: Int64) async throws -> Element? {
        let head = try await file.bytes(at: place, 12)
        guard let nameLength = Self.length(head, most: 4) else { return nil }
        let rest = head.dropFirst(nameLength)
        guard let sizeLength = Self.length(rest, most: 8) else { return nil }
        // Without the bit that says how long it is.
        let mask: UInt64 = (1 << (7 * UInt64(sizeLength))) - 1
        let length = rest.prefix(sizeLength).bigEndian & mask
        return Element(
            name: head.prefix(nameLength).bigEndian, content: place + Int64(nameLength + sizeLength),
            length: length == mask ? nil : Int64(length))
    }

    /// How many bytes a number has, told by its first one.
    private static func length(_ bytes: ArraySlice<UInt8>, most: Int) -> Int? {
        guard let first = bytes.first else { return nil }
        let length = first.leadingZeroBitCount + 1
        return length <= most && length <= bytes.count ? length : nil
    }

    /// An element `Void` in the place of another one, which has at least five bytes.
    private static func void(_ range: Range<Int64>) -> Overwriting {
        let length = range.upperBound - range.lowerBound
        // Either form says how much follows it: in one byte, or in eight.
        if length < 128 { return Overwriting(range, [0xEC, 0x80 | UInt8(length - 2)]) }
        let rest = UInt64(length - 9)
        return Overwriting(
            range, [0xEC, 0x01] + (0..<7).map { UInt8(truncatingIfNeeded: rest >> (48 - 8 * UInt64($0))) })
    }
}
