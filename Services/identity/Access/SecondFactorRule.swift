/// Who must have a second factor.
package enum SecondFactorRule: String, Sendable, CaseIterable {
    /// Nobody: who has added one, is asked for it.
    case none
    /// Every account: who has none adds one with the next sign-in.
    case accounts
}
