import Coaching
import Foundation
import Testing
import TestingSupport

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
