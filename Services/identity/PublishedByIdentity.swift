import Access
package import Contracts
import Primitives
import SigningKeys

/// What is published of the private events for other services: at most one message for each.
package enum PublishedByIdentity {
    /// The message that is published for an event; nil for what concerns this service alone.
    ///
    /// A device that becomes an account is published as a second `UserRegistered` with the kind `user`.
    package static func outgoing(for event: IdentityEvent) -> Outgoing? {
        switch event {
        case .user(.registered(let id, let kind, _)): Outgoing(UserRegistered(userId: id, kind: kind))
        case .user(.credentialsAttached(let id, _, upgradesDevice: true)):
            Outgoing(UserRegistered(userId: id, kind: .user))
        case .user(.profileChanged(let id, let timeZone)):
            Outgoing(UserProfileChanged(userId: id, timeZone: timeZone))
        case .user(.deviceHandedOver(let id, let account, at: let moment?)):
            Outgoing(DeviceHandedOverV2(userId: id, accountId: account, handedOverAt: moment))
        case .user(.deviceHandedOver(let id, let account, at: nil)):
            Outgoing(DeviceHandedOver(userId: id, accountId: account))
        case .user(.deviceSecretRevoked(let id, isAnnounced: true)): Outgoing(DeviceSecretRevoked(userId: id))
        case .user(.consentGiven(let id, let consent)): Outgoing(consent.message(of: id))
        case .user(.consentWithdrawn(let id, let scope, let moment)):
            Outgoing(ConsentWithdrawn(userId: id, from: scope, withdrawnAt: moment))
        case .user(.erased(let id, isSigned: true)): Outgoing(UserErasedV2(userId: id))
        case .user(.erased(let id, isSigned: false)): Outgoing(UserErased(userId: id))
        case .user(.credentialsAttached), .user(.credentialsDetached), .user(.passwordChanged), .user(.passwordReset),
            .user(.emailVerified),
            .user(.newAddressProven), .user(.emailChanged), .user(.emailChangeWithdrawn), .user(.emailChangeStopped),
            .user(.notificationsChanged), .user(.termsAccepted), .user(.deviceSecretChanged),
            .user(.deviceSecretRevoked(_, isAnnounced: false)), .user(.erasureConfirmed), .user(.secondFactorAdded),
            .user(.secondFactorRemoved), .user(.recoveryCodesReplaced):
            nil
        case .signingKey(.published(let key, let isSigned)):
            isSigned ? Outgoing(SigningKeyPublishedV2(key.message)) : Outgoing(key.message)
        case .signingKey(.retired(let kid, let moment, let isSigned)):
            outgoing(SigningKeyRetired(kid: kid.description, retiredAt: moment), isSigned)
        case .announcing(.begun(let key)): Outgoing(AnnouncementsBegun(announcementKey: key))
        case .announcing(.erasuresAnnounced): nil
        case .login(.appTokenIssued(let token)): Outgoing(token)
        case .apiKey(.issued(let key)): Outgoing(key)
        case .apiKey(.revoked(let key)): Outgoing(key)
        case .login(.ended(let end)):
            Outgoing(
                LoginSessionEnded(
                    userId: end.user, loginSessionId: end.session, reason: end.reason, tokensUntil: end.tokensUntil))
        }
    }

    private static func outgoing(_ retirement: SigningKeyRetired, _ isSigned: Bool) -> Outgoing {
        isSigned ? Outgoing(SigningKeyRetiredV2(retirement)) : Outgoing(retirement)
    }
}
