import EventSourcing
import EventSourcingTesting
import JSON
import Primitives
import Testing

@testable import reporting

/// The states of somebody's shares that rules tell apart.
enum SharesState: CaseIterable {
    case none, open, full, revoked

    var given: Specification<Shares> {
        let f = Fixture.self
        return switch self {
        case .none: Specification([])
        case .open: Specification([f.shared])
        // As many as may be, made over several days.
        case .full: Specification([f.shared] + SharesRuleTests.others.map { .reportShared(ownerId: f.owner, $0) })
        case .revoked: Specification([f.shared, f.revoked])
        }
    }
}

@Suite("Every state of somebody's shares and every command") struct SharesRuleTests {
    private static let f = Fixture.self

    private static func share(
        _ number: UInt64, after seconds: Int64 = 0, parts: [Share.Part] = [.score], views: Int64 = 50,
        for lifetime: Int64 = 2_592_000
    ) -> Share {
        let now = f.start.adding(seconds: seconds)
        return Share(
            shareId: UUID(high: 0x019A_9C60_0000_7000, low: 0x8000_0000_0000_0100 | number), sessionId: f.id,
            parts: parts, maxViews: views, sharedAt: now, expiresAt: now.adding(seconds: lifetime))
    }

    static let others = (1..<Shares.openLimit).map { share(UInt64($0), after: Int64($0) * 6_000) }
    /// When no day's limit is in the way any more, and the first of the open ones is not over.
    private static let later: Int64 = 400_000

    private static func make(_ share: Share, over: Set<UUID> = []) -> SharesCommand {
        .share(ownerId: f.owner, share, over: over, tokenHash: [], card: [:])
    }

    static let rules: [CommandRule<SharesState, Shares>] = [
        .init("share it", make(f.share), .gives("ReportShared", in: .none, .revoked), .nothing()),
        .init(
            "share another one", make(share(99, after: later)), .refuses(.usedUp, in: .full), .gives("ReportShared")),
        .init(
            "share another one, an open one being used up", make(share(99, after: later), over: [f.share.shareId]),
            .gives("ReportShared")),
        .init(
            "share another one when the first is over", make(share(99, after: 604_800)), .gives("ReportShared")),
        .init("share nothing of it", make(share(99, after: later, parts: [])), .refuses(.impossible)),
        .init(
            "share a part twice", make(share(99, after: later, parts: [.score, .score])), .refuses(.impossible)),
        .init("share it for no view", make(share(99, after: later, views: 0)), .refuses(.impossible)),
        .init("share it for too many", make(share(99, after: later, views: 1_001)), .refuses(.impossible)),
        .init("share it for less than a minute", make(share(99, after: later, for: 59)), .refuses(.impossible)),
        .init(
            "share it for more than thirty days", make(share(99, after: later, for: 2_592_001)),
            .refuses(.impossible)),
        .init(
            "take it back", .revoke(ownerId: f.owner, shareId: f.share.shareId),
            .refuses(.unknown, in: .none, .revoked), .gives("ShareRevoked")),
        .init("take a stranger's back", .revoke(ownerId: f.owner, shareId: f.owner), .refuses(.unknown)),
    ]

    @Test("has the stated outcome", arguments: rules)
    func outcome(rule: CommandRule<SharesState, Shares>) { #expect(rule.violations(given: \.given) == []) }

    @Test("has room for so many links a day, also of those that are taken back again") func aDay() {
        let busy = Specification<Shares>([]).after(
            (0..<Shares.dayLimit).flatMap { number -> [SharesCommand] in
                let share = Self.share(UInt64(number), after: Int64(number))
                return [Self.make(share), .revoke(ownerId: Self.f.owner, shareId: share.shareId)]
            })
        #expect(busy.history.count == 2 * Shares.dayLimit)
        #expect(busy.when(Self.make(Self.share(99, after: 86_399))) == .refusal(.usedUp))
        #expect(busy.after(Self.make(Self.share(99, after: 86_400))).history.count == 2 * Shares.dayLimit + 1)
    }

    @Test("says neither a token nor a name in any event") func silent() throws {
        let command = SharesCommand.share(
            ownerId: Self.f.owner, Self.f.share, over: [], tokenHash: SharedCards.hash("sesame"),
            card: ["firstName": "Zdenobia"])
        let history = Specification<Shares>([]).after(command).history
        let event = try #require(history.first)
        #expect(
            event.data.keys == [
                "ownerId", "shareId", "sessionId", "parts", "maxViews", "sharedAt", "expiresAt",
            ])
        let calls = Shares.rowCalls(for: command, Shares(), history)
        #expect(calls.count == 1)
    }
}

@Suite("A shared card") struct ShareCardTests {
    private static let secret = "the merger with Quixwell"

    /// A report that quotes its speaker wherever reports do.
    private static let report: JSONObject = [
        "confidenceScore": 74, "scoreRange": ["low": 71, "high": 77],
        "strengths": [.string("You say early what it is about: “\(secret)”."), "You bring it to a close."],
        "transcript": ["text": .string(secret)], "feedback": .string(secret),
        "firstStep": ["what": .string(secret), "exercise": .string(secret)],
        "wording": [
            "language": "en",
            "variants": [
                "strength.clearOpening": 0, "strength.clearClosing": 1, "area.fillers.what": 0, "area.fillers.why": 1,
                "area.tooFast.what": 0, "feedback.good": 0,
            ],
        ],
    ]

    @Test("shows fixed words for what the report says, and nothing that was spoken") func words() {
        let card = ShareCard(Self.report, Share.Part.allCases, firstName: "Ada").json
        #expect(
            card == [
                "firstName": "Ada", "language": "en", "confidenceScore": 74,
                "scoreRange": ["low": 71, "high": 77],
                "strengths": ["Says early what it is about", "Brings it to a close"],
                "workOn": "Leaving out filler words",
            ])
        #expect(!JSONValue.object(card).text.contains("Quixwell"))
    }

    @Test("shows no part that was not chosen") func parts() {
        let score = ShareCard(Self.report, [.score], firstName: nil).json
        #expect(score["confidenceScore"] == 74 && score["strengths"] == [] && score["workOn"] == .null)
        #expect(score["firstName"] == .null)
        let step = ShareCard(Self.report, [.workOn], firstName: nil).json
        #expect(step["confidenceScore"] == .null && step["scoreRange"] == .null && step["workOn"] != .null)
    }

    @Test("is empty where the report has none of the parts") func empty() {
        #expect(ShareCard([:], Share.Part.allCases, firstName: "Ada").isEmpty)
        #expect(!ShareCard(Self.report, [.strengths], firstName: nil).isEmpty)
        // Without a score there is no range to show.
        var report = Self.report
        report["confidenceScore"] = .null
        #expect(ShareCard(report, [.score], firstName: nil).isEmpty)
        #expect(ShareCard(report, [.score], firstName: nil).json["scoreRange"] == .null)
    }

    @Test("takes a first name, and nothing that only looks like one")
    func names() {
        for name in ["Ada", "Zoë", "Anne-Marie", "D’Arcy", "Мария", "李", "J.R.", "St. John", "Ada L."] {
            #expect(ShareCard.name(name) == name)
        }
        #expect(ShareCard.name("  Ada ") == "Ada")
        for text in [
            "", "   ", "ada@example.org", "Ada\nLovelace", "Ada 1", "<b>Ada</b>", "-",
            "example.org", "See example.org", "St.John",
            String(repeating: "a", count: 41),
        ] { #expect(ShareCard.name(text) == nil, "\(text)") }
    }
}
