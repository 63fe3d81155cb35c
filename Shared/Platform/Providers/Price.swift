/// What calls cost, in millionths of the provider's currency. Amounts are rounded up, so that a sum is never less than what is charged.
package struct Price: Sendable, Equatable {
    package var microsPerMinute: Int64 = 0
    package var microsPerMillionInputTokens: Int64 = 0
    package var microsPerMillionOutputTokens: Int64 = 0
    package var microsPerMillionCharacters: Int64 = 0
    package var microsPerModeration: Int64 = 0
    package var microsPerVoice: Int64 = 0

    package init() {}

    /// The price of sound of a length.
    package func ofAudio(milliseconds: Int64) -> Int64 { Self.share(microsPerMinute, max(milliseconds, 0), 60_000) }

    /// The price of a text that is read aloud.
    package func ofText(characters: Int64) -> Int64 {
        Self.share(microsPerMillionCharacters, max(characters, 0), 1_000_000)
    }

    /// The price of tokens.
    package func ofTokens(input: Int64, output: Int64) -> Int64 {
        let (sum, overflow) = Self.share(microsPerMillionInputTokens, max(input, 0), 1_000_000)
            .addingReportingOverflow(Self.share(microsPerMillionOutputTokens, max(output, 0), 1_000_000))
        return overflow ? .max : sum
    }

    /// `price * part / whole`, rounded up; as much as there can be for what is too large.
    private static func share(_ price: Int64, _ part: Int64, _ whole: Int64) -> Int64 {
        let product = price.multipliedFullWidth(by: part)
        // Below this the quotient fits, and beyond it the division itself would fail.
        guard product.high < whole / 2 else { return .max }
        let (quotient, remainder) = whole.dividingFullWidth(product)
        return remainder > 0 && quotient < .max ? quotient + 1 : quotient
    }
}

/// How much calls may cost within a day, in millionths; nil for no limit.
package struct Budget: Sendable, Equatable {
    /// All calls for one owner.
    package var ownerDayMicros: Int64?
    /// All calls of the deployment.
    package var dayMicros: Int64?

    /// Which limit would be exceeded.
    package enum Refusal: String, Error, Sendable {
        case owner = "owner-budget"
        case deployment = "budget"
    }

    package init(ownerDayMicros: Int64? = nil, dayMicros: Int64? = nil) {
        self.ownerDayMicros = ownerDayMicros
        self.dayMicros = dayMicros
    }

    /// Why a call may not be made; nil when it may. Asked before the call, with all that calls which are under way may cost.
    ///
    /// - Parameters:
    ///   - cost: what it costs at most.
    ///   - owner: what was spent, or promised to calls under way, for its owner today.
    ///   - all: the same of the deployment.
    package func refusal(of cost: Int64, spentByOwner owner: Int64, spent all: Int64) -> Refusal? {
        func exceeds(_ limit: Int64?, _ spent: Int64) -> Bool {
            guard let limit else { return false }
            let (sum, overflow) = max(spent, 0).addingReportingOverflow(max(cost, 0))
            return overflow || sum > limit
        }
        if exceeds(ownerDayMicros, owner) { return .owner }
        return exceeds(dayMicros, all) ? .deployment : nil
    }
}
