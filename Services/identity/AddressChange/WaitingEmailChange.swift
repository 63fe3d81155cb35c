package import Primitives

/// Another address that has shown whose it is, and waits for the one so far.
package struct WaitingEmailChange: Sendable, Equatable {
    package let id: UUID
    /// When it is the account's although the address so far was silent.
    package let takesEffectAt: Timestamp
}
