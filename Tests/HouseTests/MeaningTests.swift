import Testing
import TestingSupport
import TestingTools

@Suite("The meanings") struct MeaningTests {
    /// What a scaffold writes for want of words, and why it does not stay.
    private static let placeholders = [
        "Say what it means.": "say what it means: it goes into the documents.",
        "Say why nothing follows from it.": "say why nothing follows from it, or react to it.",
        "Say when it follows.": "say in which states the event follows from the command: so far it does in all.",
    ]

    @Test("and reasons are words of somebody: none is what a scaffold wrote for want of one") func written() throws {
        for path in try Checkout.swiftFiles(in: ["Shared", "Services"]) {
            let lines = try Checkout.text(of: path).split(separator: "\n", omittingEmptySubsequences: false)
            for (number, line) in lines.enumerated() {
                for (placeholder, advice) in Self.placeholders where line.contains(placeholder) {
                    Issue.record("\(path):\(number + 1): \(advice)")
                }
            }
        }
    }
}
