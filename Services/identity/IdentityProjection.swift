package import Contracts
package import Primitives

/// A row of `users`: what lists and sign-in need to know of somebody, without anything personal.
package struct UserRow: Sendable, Equatable {
    package var id: UUID
    package var kind: UserKind
    package var timeZone: String
    package var registeredAt: Timestamp
    /// When the user was erased; then only the receipt is left.
    package var erasedAt: Timestamp?
    /// The services that have confirmed the erasure, with what they removed, by name.
    package var confirmations: [String: SubjectErased.Removed]

    package init(
        id: UUID, kind: UserKind, timeZone: String, registeredAt: Timestamp, erasedAt: Timestamp? = nil,
        confirmations: [String: SubjectErased.Removed] = [:]
    ) {
        self.id = id
        self.kind = kind
        self.timeZone = timeZone
        self.registeredAt = registeredAt
        self.erasedAt = erasedAt
        self.confirmations = confirmations
    }
}

/// A row of `signing_keys`: a key by which tokens are checked.
package struct SigningKeyRow: Sendable, Equatable {
    package var key: SigningKeyMaterial
    /// From then on nothing that it signed is accepted.
    package var retiredAt: Timestamp?

    package init(key: SigningKeyMaterial, retiredAt: Timestamp? = nil) {
        self.key = key
        self.retiredAt = retiredAt
    }
}

/// The folds of the service's own log into its read models; the same functions live and in a rebuild.
package enum IdentityProjection {
    /// The users whose rows an event changes.
    package static func userKeys(of event: IdentityEvent) -> [UUID] {
        guard case .user(let event) = event else { return [] }
        return [event.userId]
    }

    /// A user's row after an event; an answer to the erasure of an unknown user makes none.
    package static func evolve(_ row: UserRow?, _ event: UserEvent, recordedAt: Timestamp) -> UserRow? {
        if case .registered(let id, let kind, let timeZone) = event {
            return UserRow(id: id, kind: kind, timeZone: timeZone, registeredAt: recordedAt)
        }
        guard var row else { return nil }
        switch event {
        case .registered, .passwordChanged: break
        case .credentialsAttached: row.kind = .user
        case .profileChanged(_, let timeZone): row.timeZone = timeZone
        case .erased: row.erasedAt = recordedAt
        case .erasureConfirmed(_, let service, let removed): row.confirmations[service] = removed
        }
        return row
    }

    /// The keys whose rows an event changes.
    package static func signingKeys(of event: IdentityEvent) -> [UUID] {
        switch event {
        case .signingKey(.published(let key)): [key.kid]
        case .signingKey(.retired(let kid, _)): [kid]
        case .user: []
        }
    }

    /// A key's row after an event.
    package static func evolve(_ row: SigningKeyRow?, _ event: SigningKeyEvent) -> SigningKeyRow? {
        switch event {
        case .published(let key): return SigningKeyRow(key: key)
        case .retired(_, let moment):
            guard var row else { return nil }
            row.retiredAt = moment
            return row
        }
    }
}
