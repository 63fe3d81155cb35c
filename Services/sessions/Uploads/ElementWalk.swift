import Runtime

/// Finds in a Matroska or WebM file (RFC 9559, RFC 8794) what may say where it was recorded: elements of a name, a length and what
/// they hold. Of the elements of a segment, of its description and of its clusters that have no length only those stay that playing
/// needs, since tags, attachments, chapters and titles say by free names and texts what they are.
@Loop struct ElementWalk {
    /// How many elements are looked at: a recording of some minutes without clusters of known length has some ten thousand.
    private static let mostElements = 200_000
    /// Up to which length it is looked whether room holds anything, in bytes.
    private static let mostRoom: Int64 = 65_536

    private static let segment: UInt64 = 0x1853_8067
    private static let cluster: UInt64 = 0x1F43_B675
    private static let info: UInt64 = 0x1549_A966
    private static let tracks: UInt64 = 0x1654_AE6B
    private static let track: UInt64 = 0xAE
    /// What a track is called.
    private static let trackName: UInt64 = 0x536E
    private static let room: UInt64 = 0xEC
    private static let checksum: UInt64 = 0xBF

    /// The file's head, and what stands in a segment: the list of where things are, clusters, cues, the times and blocks of clusters
    /// without a length.
    private static let known: Set<UInt64> = [
        0x1A45_DFA3, 0x114D_9B74, 0x1C53_BB6B, segment, info, tracks, cluster, checksum, 0xE7, 0xA7, 0xAB, 0xA0, 0xA3,
        0x5854,
    ]
    /// Of the description: identifiers, the unit of times, length and date, the programs that wrote it.
    private static let knownOfInfo: Set<UInt64> = [
        0x73A4, 0x3C_B923, 0x3E_B923, 0x4444, 0x2A_D7B1, 0x4489, 0x4461, 0x4D80, 0x5741, checksum,
    ]

    private struct Element {
        let name: UInt64
        let content: Int64
        /// Nil when it was written before its length was known.
        let length: Int64?
    }

    private struct State {
        var found: [Overwriting] = []
        var count = 0
    }

    private let file: FileWindow

    init(_ file: FileWindow) { self.file = file }

    func overwritings() async throws -> [Overwriting] {
        var walk = State()
        var place: Int64 = 0
        while place < file.size {
            guard let element = try await next(at: place, before: file.size, &walk) else {
                walk.found.append(Overwriting(place..<file.size))
                break
            }
            guard let length = element.length else {
                guard [Self.segment, Self.cluster].contains(element.name) else {
                    walk.found.append(Overwriting(place..<file.size))
                    break
                }
                // It ends where the next of its kind begins: what it holds is walked with what follows.
                place = element.content
                continue
            }
            // One that is longer than the file was not written to its end.
            var end = length > file.size - element.content ? file.size : element.content + length
            switch element.name {
            case Self.segment: end = element.content
            case Self.info, Self.tracks: try await elements(of: element, to: end, &walk)
            case Self.room: try await empty(element.content..<end, &walk)
            default: if !Self.known.contains(element.name) { walk.found.append(Self.void(place..<end)) }
            }
            place = end
        }
        return walk.found
    }

    /// Walks the description of a segment, its tracks, or one of them. A checksum goes with the first of them that goes.
    ///
    /// - Returns: whether anything goes.
    @discardableResult
    private func elements(of parent: Element, to end: Int64, _ walk: inout State) async throws -> Bool {
        var place = parent.content
        var checksum: Range<Int64>?
        var isChanged = false
        while place < end {
            guard let element = try await next(at: place, before: end, &walk), let length = element.length else {
                walk.found.append(Overwriting(place..<end))
                return true
            }
            let next = length > end - element.content ? end : element.content + length
            switch (parent.name, element.name) {
            case (_, Self.checksum): checksum = place..<next
            case (_, Self.room): if try await empty(element.content..<next, &walk) { isChanged = true }
            case (Self.tracks, Self.track): if try await elements(of: element, to: next, &walk) { isChanged = true }
            default:
                if Self.mayStay(element.name, in: parent.name) { break }
                walk.found.append(Self.void(place..<next))
                isChanged = true
            }
            place = next
        }
        if isChanged, let checksum { walk.found.append(Self.void(checksum)) }
        return isChanged
    }

    private static func mayStay(_ name: UInt64, in parent: UInt64) -> Bool {
        parent == info ? knownOfInfo.contains(name) : parent != track || name != trackName
    }

    /// Empties room that holds anything.
    ///
    /// - Returns: whether it does.
    @discardableResult
    private func empty(_ content: Range<Int64>, _ walk: inout State) async throws -> Bool {
        if content.upperBound - content.lowerBound <= Self.mostRoom,
            try await file.bytes(at: content.lowerBound, content.count).allSatisfy({ $0 == 0 })
        {
            return false
        }
        walk.found.append(Overwriting(content))
        return true
    }

    /// The element at a place; nil when there is none that could be walked on from, or as many were looked at as may be.
    private func next(at place: Int64, before end: Int64, _ walk: inout State) async throws -> Element? {
        walk.count += 1
        guard walk.count <= Self.mostElements else { return nil }
        let head = try await file.bytes(at: place, Int(min(12, end - place)))
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

    /// An element `Void` in the place of another one, which has at least two bytes.
    private static func void(_ range: Range<Int64>) -> Overwriting {
        let length = range.upperBound - range.lowerBound
        // Either form says how much follows it: in one byte, or in eight.
        if length < 128 { return Overwriting(range, [0xEC, 0x80 | UInt8(length - 2)]) }
        let rest = UInt64(length - 9)
        return Overwriting(
            range, [0xEC, 0x01] + (0..<7).map { UInt8(truncatingIfNeeded: rest >> (48 - 8 * UInt64($0))) })
    }
}
