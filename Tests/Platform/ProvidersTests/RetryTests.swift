import Primitives
import ProviderTesting
import Testing

@testable import Providers

@Suite struct `A failed call` {
    private let plan = RetryPlan()
    private let now = Timestamp(seconds: 784_111_777)

    private func pause(
        _ failure: ProviderFailure, _ attempt: Int = 1, left: Duration = .seconds(60), luck: Double = 0
    ) -> Duration? {
        plan.pause(after: failure, attempt: attempt, left: left, luck: luck)
    }

    static let all: [ProviderFailure] = [
        .unreachable, .untrusted, .paused, .overdue, .cut, .throttled(after: nil),
        .unavailable(status: 500, after: nil), .keyRefused, .refused(status: 400), .tooLarge, .unreadable(.form),
        .invalidRequest,
    ]

    @Test func `is sent again only where it has certainly cost nothing and may help`() {
        #expect(
            Self.all.filter { pause($0) != nil } == [
                .unreachable, .throttled(after: nil), .unavailable(status: 500, after: nil),
            ])
        #expect(!Self.all.contains { $0.isWorthAnotherTry && $0.mayBePaid })
        #expect(Self.all.filter(\.mayBePaid) == [.overdue, .cut, .tooLarge, .unreadable(.form)])
        #expect(Set(Self.all.map(\.code)).count == Self.all.count)
        for failure in Self.all {
            #expect(ProviderFailure.countsAgainstProvider(code: failure.code) == failure.countsAgainstProvider)
        }
        #expect(!ProviderFailure.countsAgainstProvider(code: "answered"))
        // What was said or shown may have led a model to the others.
        let faults = AnswerFault.allCases.filter { ProviderFailure.unreadable($0).countsAgainstProvider }
        #expect(faults == [.notJSON, .form, .notAudio])
        for fault in AnswerFault.allCases {
            let code = ProviderFailure.unreadable(fault).code
            #expect(ProviderFailure.countsAgainstProvider(code: code) == faults.contains(fault), "\(code)")
        }
        #expect(AnswerFault.allCases.allSatisfy { ProviderFailure.unreadable($0).advice.contains($0.words) })
    }

    @Test(
        arguments: [
            (408, false), (500, false), (501, false), (503, false), (521, false), (522, false), (529, false),
            (502, true),
            (504, true), (520, true), (524, true),
        ])
    func `may be charged when a gateway does not know what became of it behind`(status: Int, mayBePaid: Bool) {
        let failure = ProviderFailure.unavailable(status: status, after: nil)
        #expect(failure.mayBePaid == mayBePaid && failure.isWorthAnotherTry != mayBePaid)
        #expect((pause(failure) == nil) == mayBePaid)
    }

    @Test func `is sent again twice, after twice as long, with some chance`() {
        #expect(pause(.unreachable, 1) == .seconds(1))
        #expect(pause(.unreachable, 1, luck: 0.5) == .milliseconds(1_500))
        #expect(pause(.unreachable, 2) == .seconds(2))
        #expect(pause(.unreachable, 3) == nil)
    }

    @Test func `waits as long as the provider wants, never less, and not beyond the deadline`() {
        #expect(pause(.throttled(after: .seconds(20))) == .seconds(20))
        #expect(pause(.throttled(after: .seconds(20)), luck: 0.25) == .milliseconds(20_250))
        #expect(pause(.unavailable(status: 503, after: .milliseconds(10))) == .seconds(1))
        #expect(pause(.throttled(after: .seconds(60))) == nil)
        #expect(pause(.unreachable, left: .seconds(1)) == nil)
        #expect(pause(.unreachable, left: .milliseconds(1_001)) == .seconds(1))
    }

    @Test(
        arguments: [
            ("120", 120), ("0", 0), ("999999999", 86_400), ("Sun, 06 Nov 1994 08:49:47 GMT", 10),
            ("Sun, 06 Nov 1994 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 08:49:36 GMT", nil),
            ("Mon, 07 Nov 1995 08:49:37 GMT", 86_400), ("-1", nil), ("1.5", nil), ("", nil), ("soon", nil),
            ("1e3", nil), ("9999999999", nil), ("Sun, 36 Nov 1994 08:49:47 GMT", nil),
            ("Sunday, 06-Nov-94 08:49:47 GMT", nil),
        ] as [(String, Int?)])
    func `reads Retry-After in seconds and as a date, and nothing else`(text: String, seconds: Int?) {
        #expect(RetryAfter.read(text, at: now) == seconds.map { .seconds($0) })
    }
}

@Suite struct `What a call costs` {
    private let price = StandIn.price

    @Test func `is rounded up to the next millionth`() {
        #expect(price.ofAudio(milliseconds: 60_000) == 6_000)
        #expect(price.ofAudio(milliseconds: 1) == 1)
        #expect(price.ofAudio(milliseconds: 0) == 0)
        #expect(price.ofAudio(milliseconds: -5) == 0)
        #expect(price.ofTokens(input: 1_000, output: 100) == 210)
        #expect(price.ofTokens(input: 1, output: 0) == 1)
        #expect(Price().ofAudio(milliseconds: 60_000) == 0)
    }

    @Test func `is as much as there can be when it does not fit`() {
        var dear = Price()
        dear.microsPerMinute = .max
        dear.microsPerMillionInputTokens = .max
        dear.microsPerMillionOutputTokens = .max
        #expect(dear.ofAudio(milliseconds: 60_000) == .max)
        #expect(dear.ofAudio(milliseconds: .max) == .max)
        // Just too large for a number, and not for the product of two.
        dear.microsPerMinute = 1_000_000_000
        #expect(dear.ofAudio(milliseconds: 600_000_000_000_000) == .max)
        #expect(dear.ofAudio(milliseconds: 500_000_000_000_000) == 8_333_333_333_333_333_334)
        #expect(dear.ofTokens(input: 1_000_000, output: 1_000_000) == .max)
    }

    @Test func `is refused before a limit is exceeded, and not when it is just reached`() {
        let budget = Budget(ownerDayMicros: 100, dayMicros: 1_000)
        #expect(budget.refusal(of: 40, spentByOwner: 60, spent: 960) == nil)
        #expect(budget.refusal(of: 41, spentByOwner: 60, spent: 0) == .owner)
        #expect(budget.refusal(of: 41, spentByOwner: 0, spent: 960) == .deployment)
        #expect(budget.refusal(of: .max, spentByOwner: 1, spent: 0) == .owner)
        #expect(Budget().refusal(of: .max, spentByOwner: .max, spent: .max) == nil)
        #expect(Budget(dayMicros: 0).refusal(of: 1, spentByOwner: 0, spent: 0) == .deployment)
        #expect(Budget(dayMicros: 0).refusal(of: 0, spentByOwner: 0, spent: 0) == nil, "What is free is no expense.")
    }
}
