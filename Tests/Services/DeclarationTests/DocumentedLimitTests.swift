import Testing
import TestingSupport
import TestingTools

@testable import quota
@testable import sessions

/// The tests of rules take these numbers from the code, and so would follow any other one.
@Suite struct `The limits that documents name` {
    private static let limits: [(document: String, words: String)] = [
        ("docs/security.md", "an event: \(Session.mostUploads) in all (`Session.mostUploads`)"),
        (
            "docs/security.md",
            "device of nobody | \(InitLimit.count == 10 ? "ten" : "\(InitLimit.count)") in an hour (`InitLimit`)"
        ),
        (
            "docs/security.md",
            "\(PurchasePage.checkout.count == 5 ? "five" : "another number") and \(PurchasePage.portal.count == 3 ? "three" : "another") in an hour (`PurchasePage`)"
        ),
        ("docs/practice.md", "can log \(LoggedSession.mostOfDay) sessions for one local day"),
        ("docs/practice.md", "at most \(LoggedSession.mostCorrections) times; `kind` stays"),
        ("docs/practice.md", "one after another, at most \(PracticeTelling.mostPauses)) and `timeZone`"),
        (
            "docs/retention.md",
            "can be chosen \(MediaRetention.dayLimit == 10 ? "ten" : "\(MediaRetention.dayLimit)") times within 24 hours"
        ),
    ]

    @Test(arguments: limits.indices) func `are those of the code`(index: Int) throws {
        let (document, words) = Self.limits[index]
        #expect(try Checkout.text(of: document).contains(words), "\(document) does not say: \(words)")
    }
}
