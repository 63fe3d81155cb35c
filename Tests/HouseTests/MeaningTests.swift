import Testing
import TestingSupport
import TestingTools

@Suite("The meanings") struct MeaningTests {
    @Test("are words of somebody: none is what a scaffold wrote for want of one") func written() throws {
        for path in try Checkout.swiftFiles(in: ["Shared", "Services"]) {
            let lines = try Checkout.text(of: path).split(separator: "\n", omittingEmptySubsequences: false)
            for (number, line) in lines.enumerated() where line.contains("Say what it means.") {
                Issue.record("\(path):\(number + 1): say what it means: it goes into the documents.")
            }
        }
    }
}
