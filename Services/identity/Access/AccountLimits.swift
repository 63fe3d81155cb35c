package import HTTPServer
package import Primitives
import Runtime
package import ServiceKit

/// Who tries something on an account: one client address, or one device that the account knows, wherever it is.
package struct Visitor: Sendable {
    fileprivate let place: String
    fileprivate let isKnown: Bool

    /// Whoever sent a request, for an account; nil for none.
    ///
    /// - Parameter strength: what a device must have shown to be known.
    package init(
        _ request: Request, for user: UUID?, _ devices: KnownDevices,
        provenBy strength: KnownDevices.Strength = .password
    ) {
        self.init(
            request.remoteNetwork, device: user.flatMap { devices.device(of: request, for: $0, provenBy: strength) })
    }

    /// Somebody who is signed in to the account.
    package init(_ caller: Caller) { self.init("", device: caller.session) }

    /// Somebody at a network whose device the account does not know.
    package init(network: String) { self.init(network, device: nil) }

    private init(_ network: String, device: UUID?) {
        place = device.map { "device \($0)" } ?? "network \(network)"
        isKnown = device != nil
    }
}

/// How often something may be tried on one account: by one visitor, and by all strangers together. Strangers are those whose
/// device has not signed in to it before. So whoever guesses from many addresses is slowed down, and whoever guesses from
/// one locks nobody out but themselves.
package struct AccountLimit: Sendable {
    let visitor: RateLimit
    let strangers: RateLimit
    /// What somebody can do for whom none is left.
    let advice: String
}

extension RateLimits {
    /// Takes one attempt on an account.
    ///
    /// - Throws: a problem 429 with the time to wait when none is left, or `PostgresError`.
    package func take(_ limit: AccountLimit, _ account: String, by visitor: Visitor) async throws {
        do {
            try await take(limit.visitor, "\(account) \(visitor.place)")
            if visitor.isKnown { return }
            do {
                try await take(limit.strangers, account)
            } catch {
                // Nothing was tried.
                try await giveBack(limit.visitor, "\(account) \(visitor.place)")
                throw error
            }
        } catch var problem as Problem {
            problem.detail = limit.advice
            throw problem
        }
    }

    /// Gives one attempt back that came to nothing, because nobody had time for it.
    ///
    /// - Throws: `PostgresError`.
    package func untake(_ limit: AccountLimit, _ account: String, by visitor: Visitor) async throws {
        try await giveBack(limit.visitor, "\(account) \(visitor.place)")
        if !visitor.isKnown { try await giveBack(limit.strangers, account) }
    }

    /// Gives a visitor's attempts on an account back, after a success; of those that all strangers share only this one, so
    /// that the owner's coming does not help who guesses.
    ///
    /// - Throws: `PostgresError`.
    package func succeed(_ limit: AccountLimit, _ account: String, by visitor: Visitor) async throws {
        try await clear(limit.visitor, "\(account) \(visitor.place)")
        if !visitor.isKnown { try await giveBack(limit.strangers, account) }
    }
}
