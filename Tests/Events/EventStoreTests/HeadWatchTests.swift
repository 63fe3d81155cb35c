import EventSourcing
import EventStore
import Runtime
import Testing

/// A log that ends where it is told to.
@Loop private final class ShortLog: GrowingLog {
    var end: Int64
    private(set) var looks = 0
    var beforeGrowth: @Loop () async -> Void = {}

    init(end: Int64) { self.end = end }

    func end() async throws -> Int64 {
        looks += 1
        return end
    }

    func growth(after position: Int64) async throws -> [(position: Int64, stream: String)] {
        looks += 1
        await beforeGrowth()
        return position < end ? ((position + 1)...end).map { ($0, "note-1") } : []
    }
}

/// Pauses between looks that end when the test says so, or when the watch is nudged.
@Loop private final class Pauses {
    private(set) var asked: [Duration] = []
    private let over = Signal()

    func wait(_ limit: Duration, _ nudge: Signal) async throws {
        asked.append(limit)
        try await over.wait(atMost: .seconds(600), or: nudge)
    }

    /// Ends the present pause, and lets all that follows at once have its turn.
    func pass() async {
        over.raise()
        await Self.settle()
    }

    static func settle() async { for _ in 0..<20 { await Loop.turn() } }
}

@Suite(.timeLimit(.minutes(10))) @Loop struct `The watch over a log's head` {
    @Test func `waits again for growth where the log was set back, once a reader has said so`() async throws {
        let log = ShortLog(end: 60)
        let head = HeadWatch(log)
        head.raise(to: 100)
        // Whoever has read all that is there is told of more, as long as nobody says that it is gone.
        try await head.wait(beyond: 60, atMost: .seconds(60))
        head.lower(from: 100, to: 60)
        #expect(head.position == 60)
        let waiting = Loop.task { try await head.wait(beyond: 60, atMost: .seconds(60)) }
        while log.looks < 3 { try await Loop.sleep(for: .milliseconds(5)) }
        #expect(head.position == 60)
        log.end = 61
        try await waiting.value
        #expect(head.position == 61)
        head.stop()
    }

    @Test func `takes nobody's word for less than it has heard of since`() async throws {
        let head = HeadWatch(ShortLog(end: 60))
        head.raise(to: 100)
        head.raise(to: 101)
        head.lower(from: 100, to: 60)
        #expect(head.position == 101)
        head.lower(from: 101, to: 101)
        #expect(head.position == 101)
    }

    @Test func `says whether a stream may have news, and until where it has none`() async throws {
        let log = ShortLog(end: 60)
        let head = HeadWatch(log)
        head.raise(to: 60)
        // Others' news are none.
        let quiet = Loop.task {
            try await head.wait(for: StreamName(rawValue: "note-2"), since: 60, atMost: .milliseconds(300))
        }
        let told = Loop.task {
            try await head.wait(for: StreamName(rawValue: "note-1"), since: 60, atMost: .seconds(60))
        }
        log.end = 62
        #expect(try await told.value == nil)
        #expect(try await quiet.value == 62)
        // What came before the wait may be of any stream.
        #expect(
            try await head.wait(for: StreamName(rawValue: "note-2"), since: 60, atMost: .milliseconds(60)) == nil)
        head.stop()
    }

    @Test func `rests between its looks though what was announced is not there any more`() async throws {
        let log = ShortLog(end: 60)
        let head = HeadWatch(log)
        head.raise(to: 60)
        var streamWait: Task<Void, any Error>?
        // Announced while a stream is waited for, which nobody does any more when the watch looks again.
        log.beforeGrowth = {
            log.beforeGrowth = {}
            head.raise(to: 100)
            _ = await streamWait?.result
        }
        let wait = Loop.task { try await head.wait(beyond: 60, atMost: .milliseconds(300)) }
        streamWait = Loop.task {
            _ = try await head.wait(for: StreamName(rawValue: "note-2"), since: 0, atMost: .milliseconds(60))
        }
        let begun = monotonicNanoseconds()
        try await wait.value
        // Twice as many as its pace allows for.
        let most = (monotonicNanoseconds() - begun) / 25_000_000 * 2 + 4
        #expect(log.looks <= most)
        #expect(head.position == 60)
        head.stop()
    }

    @Test func `looks less often when nothing grows, until somebody waits for a stream`() async throws {
        let log = ShortLog(end: 60)
        let pauses = Pauses()
        let head = HeadWatch(log, pausing: pauses.wait)
        head.raise(to: 60)
        let growth = Loop.task { try await head.wait(beyond: 60, atMost: .seconds(600)) }
        await Pauses.settle()
        // Each look is followed by the shortest pause, and no more.
        for look in 1..<HeadWatch.looksUntilRest {
            #expect(log.looks == look)
            #expect(pauses.asked == Array(repeating: HeadWatch.interval, count: look))
            await pauses.pass()
        }
        // From now on there is a rest behind it, and no look in between.
        #expect(log.looks == HeadWatch.looksUntilRest)
        await pauses.pass()
        #expect(log.looks == HeadWatch.looksUntilRest)
        #expect(pauses.asked.suffix(2) == [HeadWatch.interval, HeadWatch.restingInterval - HeadWatch.interval])
        await pauses.pass()
        #expect(log.looks == HeadWatch.looksUntilRest + 1)

        // Nobody's wait ends the shortest pause, or many of them would make many looks.
        func follow() -> Task<Int64?, any Error> {
            Loop.task { try await head.wait(for: StreamName(rawValue: "note-2"), since: 60, atMost: .seconds(600)) }
        }
        let early = follow()
        await Pauses.settle()
        #expect(log.looks == HeadWatch.looksUntilRest + 1)
        early.cancel()
        _ = await early.result
        // It ends the rest at once.
        await pauses.pass()
        let following = follow()
        await Pauses.settle()
        #expect(log.looks == HeadWatch.looksUntilRest + 2)
        // As long as it lasts there is none.
        for look in 3...6 {
            await pauses.pass()
            #expect(log.looks == HeadWatch.looksUntilRest + look)
            #expect(pauses.asked.last == HeadWatch.interval)
        }
        following.cancel()
        _ = await following.result

        // What has grown meanwhile is found by the look behind the rest, and there is no rest after it.
        await pauses.pass()
        #expect(pauses.asked.last == HeadWatch.restingInterval - HeadWatch.interval)
        log.end = 61
        await pauses.pass()
        try await growth.value
        #expect(head.position == 61)
        let more = Loop.task { try await head.wait(beyond: 61, atMost: .seconds(600)) }
        await pauses.pass()
        await pauses.pass()
        #expect(pauses.asked.suffix(2) == [HeadWatch.interval, HeadWatch.interval])
        more.cancel()
        head.stop()
    }
}
