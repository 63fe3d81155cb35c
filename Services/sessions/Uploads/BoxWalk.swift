import Runtime

/// Finds metadata about places, and whatever else may hold them, in a file of ISO base media or QuickTime (ISO/IEC 14496-12): boxes
/// of a length and a type, some of which hold others. In those that are walked only what is known stays, and of tracks only picture,
/// sound and their clock: action cameras and drones write where they are into tracks of their own.
@Loop struct BoxWalk {
    /// How deep boxes that are walked lie in each other in a real file.
    private static let mostDepth = 8
    /// How many boxes are looked at: a recording in fragments of a tenth of a second has a few ten thousand.
    private static let mostBoxes = 200_000
    /// How many entries of one list of keys are looked at, and how long that list may be in bytes.
    private static let mostKeys = 1_024
    private static let mostKeyBytes: Int64 = 65_536
    /// How many chunks and samples of tracks that go are looked for: some minutes of two hundred a second are a hundred thousand.
    private static let mostSamples = 200_000
    /// As how many of them a track counts: its tables are read wherever they lie.
    private static let costOfTrack = 1_000

    /// What may stand in each box that is walked.
    private static let known: [UInt32: Set<UInt32>] = [
        type("moov"): types("mvhd", "iods", "mvex", "trak", "udta", "meta"),
        type("trak"): types("tkhd", "edts", "tref", "load", "tapt", "mdia", "udta", "meta"),
        type("mdia"): types("mdhd", "hdlr", "elng", "minf"),
        type("minf"): types("vmhd", "smhd", "hmhd", "nmhd", "sthd", "gmhd", "hdlr", "dinf", "stbl"),
        type("stbl"): types(
            "stsd", "stts", "ctts", "cslg", "stss", "stps", "stsh", "stsz", "stz2", "stsc", "stco", "co64", "sdtp",
            "sbgp", "sgpd", "subs", "saiz", "saio", "padb", "stdp"),
        type("moof"): types("mfhd", "traf"),
        type("traf"): types("tfhd", "tfdt", "trun", "sdtp", "sbgp", "sgpd", "subs", "saiz", "saio", "senc"),
        type("udta"): types("meta").union(plainTexts),
        type("meta"): types("hdlr", "keys", "ilst"),
        type("ilst"): plainTexts,
    ]
    /// What recorders say of themselves and of the moment, as Apple names it: ©too, ©swr, ©enc, ©mak, ©mod, ©day.
    private nonisolated static let plainTexts = types(
        "\u{A9}too", "\u{A9}swr", "\u{A9}enc", "\u{A9}mak", "\u{A9}mod", "\u{A9}day")
    /// The same by names.
    private static let plainKeys: Set<String> = [
        "com.apple.quicktime.make", "com.apple.quicktime.model", "com.apple.quicktime.software",
        "com.apple.quicktime.creationdate", "com.apple.quicktime.camera.identifier",
        "com.apple.quicktime.camera.lens_model", "com.apple.quicktime.camera.focal_length.35mm_equivalent",
        "com.apple.quicktime.full-frame-rate-playback-intent", "com.android.version", "com.android.capture.fps",
        "com.android.manufacturer", "com.android.model", "encoder", "major_brand", "minor_version", "compatible_brands",
    ]
    /// Beside those, anything may be there that players need: what goes is what cameras are known to write places in.
    private static let places = types("loci", "gps ", "GPS ", "GPMF", "XMP_", "\u{A9}xyz", "uuid")
    /// What the samples of tracks are that stay: picture, what belongs to it such as its depth, sound, and the time of day.
    private static let knownTracks = types("vide", "auxv", "soun", "tmcd")
    /// Room that readers pass over.
    private static let room = types("free", "skip", "wide")

    private struct Box {
        let start: Int64
        let content: Int64
        let end: Int64
        let type: UInt32
    }

    /// What lies in a box `meta` of QuickTime: items by the number of their key.
    private struct Items {
        /// The numbers of keys whose items may stay.
        var keys: Set<UInt32> = []
        var found: [Box] = []
        var isUnreadable = false

        func mayStay(_ type: UInt32) -> Bool { keys.contains(type) || plainTexts.contains(type) }
    }

    private let file: FileWindow

    init(_ file: FileWindow) { self.file = file }

    func overwritings() async throws -> [Overwriting] {
        var walk = State()
        try await boxes(0..<file.size, in: nil, depth: 0, &walk)
        // Items of a list that stands in no box `meta` have no keys.
        return walk.found + walk.items.found.map(Self.empty) + (try await samples(of: walk))
    }

    /// The samples of tracks that go. They may lie anywhere, but only what lies among media is taken for one.
    private func samples(of walk: State) async throws -> [Overwriting] {
        var left = Self.mostSamples
        var found: [Range<Int64>] = []
        for tables in walk.strangers {
            // Each has to be looked for in the file, however few samples it has.
            left -= Self.costOfTrack
            guard left > 0 else { break }
            found += try await TrackSamples(file, tables).ranges(&left)
        }
        let (ranges, media) = (found, walk.media)
        return try await Offload.shared.run { Self.overwritings(of: ranges, in: media) }
    }

    private nonisolated static func overwritings(of ranges: [Range<Int64>], in media: [Range<Int64>]) -> [Overwriting] {
        var places: [Overwriting] = []
        var media = media[...]
        var end: Int64 = 0
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            while let first = media.first, first.upperBound <= range.lowerBound { media = media.dropFirst() }
            guard let first = media.first else { break }
            // A sample that two tracks name, or one track twice, is emptied once.
            let part = (max(range.lowerBound, end)..<max(range.upperBound, end)).clamped(to: first)
            if !part.isEmpty { places.append(Overwriting(part)) }
            end = max(end, part.upperBound)
        }
        return places
    }

    private struct State {
        var found: [Overwriting] = []
        var boxes = 0
        var items = Items()
        /// Where media lie, in the order of the file.
        var media: [Range<Int64>] = []
        /// Of the track that is walked.
        var track = TrackSamples.Tables()
        /// Of the tracks that go.
        var strangers: [TrackSamples.Tables] = []
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
        if Self.room.contains(box.type) {
            if try await !isEmpty(box) { walk.found.append(Self.empty(box)) }
        } else if parent == Self.type("ilst") {
            if walk.items.found.count < Self.mostKeys {
                walk.items.found.append(box)
            } else {
                walk.found.append(Self.empty(box))
            }
        } else if Self.places.contains(box.type) || !Self.mayStay(box.type, in: parent) {
            walk.found.append(Self.empty(box))
        } else if parent == Self.type("meta"), box.type == Self.type("keys") {
            try await keys(of: box, &walk.items)
        } else if box.type == Self.type("meta") {
            let outer = walk.items
            walk.items = Items()
            try await boxes(contentOfMeta(box)..<box.end, in: box.type, depth: depth + 1, &walk)
            let items = walk.items
            for item in items.found where items.isUnreadable || !items.mayStay(item.type) {
                walk.found.append(Self.empty(item))
            }
            walk.items = outer
        } else if box.type == Self.type("trak") {
            try await track(box, depth: depth, &walk)
        } else if box.type == Self.type("mdat"), parent == nil {
            walk.media.append(box.content..<box.end)
        } else if parent == Self.type("mdia"), box.type == Self.type("hdlr") {
            // Behind the version and what QuickTime had there.
            let start = try await file.bytes(at: box.content, Int(min(12, box.end - box.content)))
            if start.count == 12 { walk.track.handler = UInt32(start.suffix(4).bigEndian) }
        } else if parent == Self.type("stbl") {
            Self.note(box, in: &walk.track)
        } else if Self.known[box.type] != nil {
            try await boxes(box.content..<box.end, in: box.type, depth: depth + 1, &walk)
        }
    }

    /// Walks a track. One of what is not known goes as a whole, and so do its samples.
    private func track(_ box: Box, depth: Int, _ walk: inout State) async throws {
        walk.track = TrackSamples.Tables()
        let before = walk.found.count
        try await boxes(box.content..<box.end, in: box.type, depth: depth + 1, &walk)
        guard let handler = walk.track.handler, !Self.knownTracks.contains(handler) else { return }
        walk.found.removeSubrange(before...)
        walk.found.append(Self.empty(box))
        walk.strangers.append(walk.track)
    }

    private static func note(_ box: Box, in tables: inout TrackSamples.Tables) {
        let content = box.content..<box.end
        switch box.type {
        case type("stco"): tables.offsets = (content, 4)
        case type("co64"): tables.offsets = (content, 8)
        case type("stsc"): tables.runs = content
        case type("stsz"): tables.sizes = (content, false)
        case type("stz2"): tables.sizes = (content, true)
        default: break
        }
    }

    /// Whether a box is known where it stands. Of those of the file itself only some are walked at all.
    private static func mayStay(_ type: UInt32, in parent: UInt32?) -> Bool {
        guard let parent, let known = known[parent] else { return true }
        return known.contains(type)
    }

    /// Whether a box holds zeros alone; of a long one that is not asked.
    private func isEmpty(_ box: Box) async throws -> Bool {
        guard box.end - box.content <= Self.mostKeyBytes else { return false }
        return try await file.bytes(at: box.content, Int(box.end - box.content)).allSatisfy { $0 == 0 }
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
        guard length >= UInt64(headLength) else { return nil }
        let end = length > UInt64(left) ? stretch.upperBound : place + Int64(length)
        return Box(start: place, content: place + headLength, end: end, type: type)
    }

    /// QuickTime's box `meta` has boxes at once, that of ISO has four bytes before them.
    private func contentOfMeta(_ box: Box) async throws -> Int64 {
        let start = try await file.bytes(at: box.content, 8)
        if start.count == 8, UInt32(start.suffix(4).bigEndian) == Self.type("hdlr") { return box.content }
        return min(box.content + 4, box.end)
    }

    /// Notes which keys name what may stay. Of a list that cannot be read none do.
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
            if Self.plainKeys.contains(name) { items.keys.insert(number) }
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

    /// Four bytes; `©` is one, as in QuickTime.
    private nonisolated static func type(_ name: String) -> UInt32 {
        name.unicodeScalars.reduce(0) { $0 << 8 | $1.value }
    }
    private nonisolated static func types(_ names: String...) -> Set<UInt32> { Set(names.map(type)) }
}
