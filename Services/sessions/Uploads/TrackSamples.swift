import Runtime

/// Finds where the samples of a track lie in a file of ISO base media or QuickTime (ISO/IEC 14496-12, 8.7): in chunks that begin
/// anywhere in the file, of so many samples each, which follow one another and have sizes of their own.
@Loop struct TrackSamples {
    /// What a track says of its samples, as far as it was seen: the stretches of the file with the contents of its tables.
    struct Tables {
        /// What its samples are; nil where it does not say.
        var handler: UInt32?
        /// Where chunks begin, with 32 or with 64 bits each.
        var offsets: (content: Range<Int64>, bytes: Int)?
        /// From which chunk on a chunk has how many samples.
        var runs: Range<Int64>?
        /// How long samples are: as long as each other, or with 32 bits each; in a compact table with as many bits as that says.
        var sizes: (content: Range<Int64>, isCompact: Bool)?
    }

    private let file: FileWindow
    private let tables: Tables

    init(_ file: FileWindow, _ tables: Tables) {
        self.file = file
        self.tables = tables
    }

    /// The stretches with samples, in the order of the tables; none of tables that are missing or cannot be read, of which no reader
    /// finds a sample either.
    ///
    /// - Parameter left: how many entries of tables may still be looked at.
    /// - Throws: what reading throws.
    func ranges(_ left: inout Int) async throws -> [Range<Int64>] {
        guard let offsets = tables.offsets, let runs = tables.runs, let sizes = tables.sizes,
            var lengths = try await lengths(sizes.content, isCompact: sizes.isCompact)
        else { return [] }
        // Behind the version and the number of entries, which end with their table.
        var chunks = numbers(offsets.content, from: 8)
        var steps = numbers(runs, from: 8)
        var step = try await steps.run()
        var samples: UInt64 = 0
        var chunk: UInt64 = 0
        var found: [Range<Int64>] = []
        while let start = try await chunks.next(offsets.bytes) {
            chunk += 1
            left -= 1
            while left > 0, let reached = step, reached.firstChunk <= chunk {
                samples = reached.samples
                step = try await steps.run()
                left -= 1
            }
            let length = try await lengths.next(samples, &left)
            guard left > 0 else { break }
            guard length > 0, let lower = Int64(exactly: start), lower < file.size else { continue }
            let upper = lower + min(length, file.size - lower)
            if let last = found.last, last.upperBound == lower {
                found[found.count - 1] = last.lowerBound..<upper
            } else {
                found.append(lower..<upper)
            }
        }
        return found
    }

    private func numbers(_ content: Range<Int64>, from start: Int64) -> Numbers {
        // Each through a window of its own: the tables are read side by side.
        Numbers(
            file: file.another(), place: min(content.lowerBound + start, content.upperBound), end: content.upperBound)
    }

    private func lengths(_ content: Range<Int64>, isCompact: Bool) async throws -> Lengths? {
        var numbers = numbers(content, from: 4)
        guard let first = try await numbers.next(4), let count = try await numbers.next(4) else { return nil }
        if !isCompact { return Lengths(numbers: numbers, bytes: 4, common: first, left: count) }
        // Half a byte would be possible too; nobody writes it.
        guard first == 8 || first == 16 else { return nil }
        return Lengths(numbers: numbers, bytes: Int(first) / 8, common: 0, left: count)
    }

    /// The lengths of samples, one after another.
    @Loop private struct Lengths {
        var numbers: Numbers
        let bytes: Int
        /// That of all samples; 0 where each has its own.
        let common: UInt64
        /// Of how many samples.
        var left: UInt64

        /// How long the next samples are together, in bytes.
        mutating func next(_ samples: UInt64, _ budget: inout Int) async throws -> Int64 {
            let count = min(samples, left)
            left -= count
            // Both have 32 bits.
            if common > 0 { return Int64(clamping: count * common) }
            var sum: UInt64 = 0
            for _ in 0..<count {
                budget -= 1
                guard budget > 0, let length = try await numbers.next(bytes) else { break }
                sum += length
            }
            return Int64(clamping: sum)
        }
    }

    /// The numbers of a table, one after another.
    @Loop private struct Numbers {
        /// How much of it is looked through before everybody else has a turn, in bytes.
        private static let mostBytes: Int64 = 4_096

        let file: FileWindow
        var place: Int64
        let end: Int64
        private var held: ArraySlice<UInt8> = []

        init(file: FileWindow, place: Int64, end: Int64) {
            self.file = file
            self.place = place
            self.end = end
        }

        /// The next one of so many bytes; nil at the end of the table or of the file.
        mutating func next(_ bytes: Int) async throws -> UInt64? {
            guard end - place >= bytes else { return nil }
            if held.count < bytes {
                await Loop.turn()
                held = try await file.bytes(at: place, Int(min(end - place, Self.mostBytes)))
            }
            guard held.count >= bytes else { return nil }
            defer {
                held = held.dropFirst(bytes)
                place += Int64(bytes)
            }
            return held.prefix(bytes).bigEndian
        }

        /// From which chunk on, counted from 1, chunks have how many samples; the third number says how they are coded.
        mutating func run() async throws -> (firstChunk: UInt64, samples: UInt64)? {
            guard let first = try await next(4), let samples = try await next(4), try await next(4) != nil else {
                return nil
            }
            return (first, samples)
        }
    }
}
