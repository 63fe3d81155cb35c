import Coaching
import Contracts
import JSON
import Testing

/// Documents of a helper that somebody has taken over: refused, or a report like any other, but never the end of the process.
@Suite struct `Measurements that nothing could have given` {
    private static let huge: [JSONValue] = [
        .double(1e300), .double(-1e300), .double(1e18), .int(.max), .int(.min), .double(3_601), .int(-2),
    ]

    @Test(arguments: huge)
    func `are refused as moments`(number: JSONValue) {
        let word: JSONValue = ["w": "a", "word": "a", "start": number, "end": number]
        let changes: [(String, JSONValue)] = [
            ("transcript", ["text": "a", "words": [word], "lowConfidence": false]), ("fillerTimes", [word]),
            ("pauses", [["start": 0, "end": number]]), ("toneTimeline", [["t": number, "energy": 0.5]]),
        ]
        for (name, value) in changes {
            var document = MeasuredDocument.json()
            document[name] = value
            #expect(throws: JSONError.self, "\(name)") { try Measurements(document) }
        }
    }

    @Test(arguments: [Int64.max, .min, -2, 3_600_001])
    func `are refused as the length of a recording`(milliseconds: Int64) {
        var document = MeasuredDocument.json()
        document["durationMs"] = .int(milliseconds)
        #expect(throws: JSONError.self) { try Measurements(document) }
    }

    @Test(arguments: huge.prefix(5))
    func `are no figures`(number: JSONValue) throws {
        for name in MeasuredDocument.good.keys {
            var values = MeasuredDocument.good
            values[name] = number
            let measured = try Measurements(MeasuredDocument.json(values))
            #expect(measured.quantity(name)?.number == nil, "\(name)")
        }
    }

    @Test func `are no counts of fillers, and no lists without end`() {
        for count in [Int64.max, Int64.min, -1, 10_001] {
            #expect(throws: JSONError.self) { try Measurements(MeasuredDocument.json(fillers: ["um": .int(count)])) }
        }
        #expect(throws: JSONError.self) { try Measurements(MeasuredDocument.json(words: 10_001)) }
    }

    @Test(arguments: [0.0, 0.001, -1, 1e300, 1e-300])
    func `are no steps of a melody`(step: Double) {
        var document = MeasuredDocument.json()
        document["melody"] = ["stepSec": .double(step), "semitones": [0]]
        #expect(throws: JSONError.self) { try Measurements(document) }
    }

    @Test func `are no melody without end, and no tone that nobody sings`() throws {
        var document = MeasuredDocument.json()
        document["melody"] = ["stepSec": 0.1, "semitones": .array(Array(repeating: 0, count: 36_001))]
        #expect(throws: JSONError.self) { try Measurements(document) }
        document["melody"] = ["stepSec": 0.1, "semitones": [1e300, -1e300, "a", .null, 1.5]]
        #expect(try Measurements(document).melody?.semitones == [36, -36, nil, nil, 1.5])
    }
}
