import Contracts
import Foundation
import JSON
import Testing
import TestingSupport

@testable import Coaching

@Suite struct `The list of filler words` {
    @Test func `is the same in the media helper, in the same order`() throws {
        let path = "\(Checkout.root)/Services/analysis/media/Words.hpp"
        let header = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
        let start = try #require(header.range(of: "fillerNames{"))
        let end = try #require(header.range(of: "}", range: start.upperBound..<header.endIndex))
        let names = header[start.upperBound..<end.lowerBound].split(separator: "\"").filter {
            $0.contains(where: \.isLetter)
        }
        #expect(names.map(String.init) == FillerWord.allCases.map(\.rawValue))
    }
}

@Suite("A filler that only signs show") struct WrittenFillerTests {
    private func found(_ text: String) throws -> [String] {
        var document = MeasuredDocument.json()
        let words = text.split { !$0.isLetter }.map(String.init)
        document["transcript"] = [
            "text": .string(text), "lowConfidence": false,
            "words": .array(
                words.enumerated().map { index, word in
                    [
                        "w": .string(word.lowercased()), "start": .double(Double(index)),
                        "end": .double(Double(index) + 0.4),
                    ]
                }),
        ]
        let findings = try Findings(document)
        return WrittenFillers.all(findings.words, in: findings.text).map(\.text)
    }

    @Test(
        "is a sentence of nothing else, or stands alone between signs",
        arguments: [
            ("It was foolish. And you know. We went on.", ["you know"]),
            ("It was. But you know. We went.", ["you know"]),
            ("It was foolish, and you know it. We went on.", []), ("And you know the way. We went.", []),
            ("It was light. And like. We went on.", ["like"]), ("And like him we went on.", []),
            ("We went. Ah, he came. Oh. We saw him.", ["uh", "uh"]), ("We said ah and he came.", []),
            ("Oh my, we went on.", []),
        ])
    func found(text: String, fillers: [String]) throws { #expect(try found(text) == fillers) }

    @Test("is counted beside those that were heard, and once")
    func counted() throws {
        var document = MeasuredDocument.json(fillers: ["you know": 1])
        let words = ["we", "went", "and", "you", "know", "um", "you", "know", "so", "we", "came", "back"]
        document["transcript"] = [
            "text": "We went. And you know. Um, you know. So we came back.", "lowConfidence": false,
            "words": .array(
                words.enumerated().map { index, word in
                    ["w": .string(word), "start": .double(Double(index)), "end": .double(Double(index) + 0.4)]
                }),
        ]
        document["fillerTimes"] = [["word": "you know", "start": 6, "end": 7.4]]
        let findings = try Findings(document)
        #expect(findings.fillers.first { $0.word == "you know" }?.count == 2)
        #expect(findings.fillerTimes.map(\.start) == [3, 6])
        // Of another language nothing is counted.
        var other = findings
        other.leaveOutWords(.otherLanguage, .otherLanguage)
        #expect(other.fillerTimes.isEmpty)
    }
}
