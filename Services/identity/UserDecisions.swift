import Access
import Contracts
package import EventStore
import Federation
import Mail
import Primitives
import ServiceKit

extension User {
    package static func decide(_ command: UserCommand, _ state: User) throws(UserRefusal) -> [UserEvent] {
        switch command {
        case .registerDevice(let id, let timeZone): try state.registerDevice(id, timeZone)
        case .signUp(let id, let method, let timeZone, let terms, let isEmailVerified):
            try state.signUp(id, method, timeZone) + (isEmailVerified ? [.emailVerified(id)] : [])
                + state.accepting(terms, id)
        case .attach(let method): try state.attach(method)
        case .detach(let method): try state.detach(method)
        case .changeTimeZone(let timeZone): try state.changeTimeZone(timeZone)
        case .changePassword: [.passwordChanged(try state.withPassword())]
        case .resetPassword: try state.resetPassword()
        case .verifyEmail: state.isEmailVerified ? [] : [.emailVerified(try state.withAccount())]
        case .proveNewAddress(let change, let moment): try state.proveNewAddress(change, moment)
        case .confirmEmailChange(let change): [.emailChanged(try state.waiting(change), by: .bothAddresses)]
        case .completeEmailChange(let change, let now): try state.completeEmailChange(change, at: now)
        case .withdrawEmailChange: try state.withdrawEmailChange()
        case .stopEmailChange(let doubtsFactor): try state.stopEmailChange(doubtsFactor: doubtsFactor)
        case .setNotifications(let wanted): try state.setNotifications(wanted)
        case .acceptTerms(let terms): state.accepting(terms, try state.active())
        case .setConsents(let wanted, let now): try state.setConsents(wanted, at: now)
        case .withdrawConsent(let scope, let moment): try state.withdraw([scope], at: moment)
        case .changeDeviceSecret: [.deviceSecretChanged(try state.withDeviceSecret())]
        case .revokeDeviceSecret: try state.revokeDeviceSecret()
        case .erase(let removed): try state.erase(removed)
        case .announceErasure: state.phase == .erased ? state.id.map { [.erased($0)] } ?? [] : []
        case .confirmErasure(let id, let service, let removed): state.confirm(id, service, removed)
        case .addSecondFactor: [.secondFactorAdded(try state.withoutSecondFactor())]
        case .addSecondFactorGivingUpChange:
            [.secondFactorAdded(try state.withoutSecondFactor())] + (try state.withdrawEmailChange())
        case .removeSecondFactor: [.secondFactorRemoved(try state.withSecondFactor())]
        case .liftSecondFactor: try state.liftSecondFactor()
        case .replaceRecoveryCodes: [.recoveryCodesReplaced(try state.withSecondFactor())]
        case .handOver(let account, let moment):
            [.deviceHandedOver(try state.withDeviceSecret(), accountId: account, at: moment)]
        }
    }

    private func registerDevice(_ id: UUID, _ timeZone: String) throws(UserRefusal) -> [UserEvent] {
        switch phase {
        case .absent: return [.registered(id, .device, timeZone: try Self.checked(timeZone))]
        // A repeated call; the zone that was given first stands until it is changed.
        case .active where methods.isEmpty: return []
        case .active: throw .exists
        case .erased: throw .erased
        }
    }

    private func signUp(
        _ id: UUID, _ method: SignInMethod, _ timeZone: String
    ) throws(UserRefusal) -> [UserEvent] {
        switch phase {
        case .absent:
            return [
                .registered(id, .user, timeZone: try Self.checked(timeZone)),
                .credentialsAttached(id, method, upgradesDevice: false),
            ]
        case .active where methods.isEmpty: return [.credentialsAttached(id, method, upgradesDevice: true)]
        case .active: throw .exists
        case .erased: throw .erased
        }
    }

    private func attach(_ method: SignInMethod) throws(UserRefusal) -> [UserEvent] {
        let id = try active()
        guard !methods.isEmpty else { throw .noAccount }
        return methods.contains(method) ? [] : [.credentialsAttached(id, method, upgradesDevice: false)]
    }

    private func detach(_ method: SignInMethod) throws(UserRefusal) -> [UserEvent] {
        let id = try withAccount()
        guard methods.contains(method) else { throw .noSuchMethod }
        guard methods.count > 1 else { throw .lastMethod }
        return [.credentialsDetached(id, method)]
    }

    /// Whoever reads a mail to the address of an account may choose a password for it, also its first, and has confirmed the
    /// address with that.
    private func resetPassword() throws(UserRefusal) -> [UserEvent] {
        let id = try withAccount()
        return attachingPassword(id) + [.passwordReset(id)] + (isEmailVerified ? [] : [.emailVerified(id)])
    }

    private func attachingPassword(_ id: UUID) -> [UserEvent] {
        methods.contains(.password) ? [] : [.credentialsAttached(id, .password, upgradesDevice: false)]
    }

    private func changeTimeZone(_ zone: String) throws(UserRefusal) -> [UserEvent] {
        let id = try active()
        return zone == timeZone ? [] : [.profileChanged(id, timeZone: try Self.checked(zone))]
    }

    private func setNotifications(_ wanted: NotificationPreferences) throws(UserRefusal) -> [UserEvent] {
        let id = try active()
        return wanted == notifications ? [] : [.notificationsChanged(id, wanted)]
    }

    /// The first acceptance of a version is the proof.
    private func accepting(_ terms: TermsAcceptance?, _ id: UUID) -> [UserEvent] {
        guard let terms, terms.version != self.terms?.version else { return [] }
        return [.termsAccepted(id, terms)]
    }

    /// What is not wanted any more is withdrawn; what is wanted as it was given stays, with its proof.
    private func setConsents(_ wanted: [ConsentTerms], at now: Timestamp) throws(UserRefusal) -> [UserEvent] {
        let id = try active()
        let gone = Set(consents.keys).subtracting(wanted.map(\.scope))
        let new = wanted.filter { consents[$0.scope]?.terms != $0 }.sorted { $0.scope < $1.scope }
        return try withdraw(gone, at: now)
            + new.map { .consentGiven(id, Consent(terms: $0, givenAt: consentMoment(now))) }
    }

    private func withdraw(_ scopes: Set<ConsentScope>, at now: Timestamp) throws(UserRefusal) -> [UserEvent] {
        let id = try active()
        return scopes.filter { consents[$0] != nil }.sorted()
            .map { .consentWithdrawn(id, $0, at: consentMoment(now)) }
    }

    /// Others tell by the moments which word came last, so they grow, whatever clocks say.
    private func consentMoment(_ now: Timestamp) -> Timestamp { max(now, consentsChangedAt + .microseconds(1)) }

    /// An address that was never confirmed may be a stranger's, who has no say.
    private func proveNewAddress(_ change: UUID, _ moment: Timestamp) throws(UserRefusal) -> [UserEvent] {
        let id = try withAccount()
        if !isEmailVerified { return [.emailChanged(id, by: .newAddress)] }
        guard let emailChange else { return [.newAddressProven(id, change: change, takesEffectAt: moment)] }
        // Whoever may displace a change may let one come of which its owner has heard nothing.
        guard emailChange.id == change else { throw .emailChangeWaits }
        return []
    }

    private func completeEmailChange(_ change: UUID, at now: Timestamp) throws(UserRefusal) -> [UserEvent] {
        let id = try waiting(change)
        guard let emailChange, now >= emailChange.takesEffectAt else { throw .noEmailChange }
        return [.emailChanged(id, by: .wait)]
    }

    private func withdrawEmailChange() throws(UserRefusal) -> [UserEvent] {
        let id = try withAccount()
        return emailChange == nil ? [] : [.emailChangeWithdrawn(id)]
    }

    private func revokeDeviceSecret() throws(UserRefusal) -> [UserEvent] {
        let id = try withoutAccount()
        return isDeviceRevoked ? [] : [.deviceSecretRevoked(id)]
    }

    private func liftSecondFactor() throws(UserRefusal) -> [UserEvent] {
        let id = try withSecondFactor()
        return [.secondFactorRemoved(id)] + (emailChange == nil ? [] : [.emailChangeWithdrawn(id)])
    }

    /// A second factor of whoever changed the address would keep its owner out; one from long before is the owner's. Which identities are
    /// whose nobody can tell, so the mailbox alone is left: with it a password can be chosen, and the own ones linked again.
    private func stopEmailChange(doubtsFactor: Bool) throws(UserRefusal) -> [UserEvent] {
        let id = try withAccount()
        let losesFactor = hasSecondFactor && (doubtsFactor || hasFactorOfNewAddress)
        let others = methods.subtracting([.password]).sorted { $0.rawValue < $1.rawValue }
        return [.emailChangeStopped(id)] + (losesFactor ? [.secondFactorRemoved(id)] : [])
            + attachingPassword(id) + others.map { .credentialsDetached(id, $0) }
    }

    /// The user, who is an anonymous device.
    private func withoutAccount() throws(UserRefusal) -> UUID {
        let id = try active()
        guard methods.isEmpty else { throw .exists }
        return id
    }

    /// The user, who is an anonymous device whose secret counts.
    private func withDeviceSecret() throws(UserRefusal) -> UUID {
        let id = try withoutAccount()
        guard !isDeviceRevoked else { throw .deviceRevoked }
        return id
    }

    /// The user, for whom this other address waits.
    private func waiting(_ change: UUID) throws(UserRefusal) -> UUID {
        let id = try withAccount()
        guard emailChange?.id == change else { throw .noEmailChange }
        return id
    }

    /// The user, who has an account.
    private func withAccount() throws(UserRefusal) -> UUID {
        let id = try active()
        guard !methods.isEmpty else { throw .noAccount }
        return id
    }

    /// The user, who has a password.
    private func withPassword() throws(UserRefusal) -> UUID {
        let id = try active()
        guard methods.contains(.password) else { throw .noPassword }
        return id
    }

    /// The user, who has an account and nothing beside its first factor.
    private func withoutSecondFactor() throws(UserRefusal) -> UUID {
        let id = try withAccount()
        guard !hasSecondFactor else { throw .hasSecondFactor }
        return id
    }

    /// The user, who has a second factor.
    private func withSecondFactor() throws(UserRefusal) -> UUID {
        let id = try active()
        guard hasSecondFactor else { throw .noSecondFactor }
        return id
    }

    /// This service's own part is done with the decision: its rows go in the same append.
    private func erase(_ removed: SubjectErased.Removed) throws(UserRefusal) -> [UserEvent] {
        if phase == .erased { return [] }
        let id = try active()
        return [.erased(id)] + confirm(id, ServiceName.identity.rawValue, removed)
    }

    /// Written down whatever is known of the user, because after a restore the answer may be there before the question
    /// is asked again; once for each service that has to answer.
    private func confirm(_ id: UUID, _ service: String, _ removed: SubjectErased.Removed) -> [UserEvent] {
        guard ServiceName(rawValue: service) != nil, confirmations[service] == nil else { return [] }
        return [.erasureConfirmed(id, service: service, removed)]
    }

    private func active() throws(UserRefusal) -> UUID {
        switch phase {
        case .absent: throw .unknown
        case .erased: throw .erased
        case .active:
            guard let id else { throw .unknown }
            return id
        }
    }

    /// An IANA name by its form; that the zone exists was looked up before.
    private static func checked(_ timeZone: String) throws(UserRefusal) -> String {
        let isPrintable = timeZone.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        guard isPrintable, timeZone.first != "/", (1...64).contains(timeZone.utf8.count) else { throw .invalidTimeZone }
        return timeZone
    }
}

extension User: Aggregate {
    /// An erasure closes the service for the user and removes every row in the append that says so.
    package static func rowCalls(for command: UserCommand, _ state: User, _ events: [UserEvent]) -> [RowCall] {
        if case .announceErasure = command { return [] }
        return events.flatMap { event -> [RowCall] in
            switch event {
            case .erased(let user, _):
                [
                    EventStoreRows.eraseSubject(user), IdentityRows.forgetUser(user),
                    KitRows.forgetAppTokens(of: user), KitRows.discardObjects(user),
                ] + MailOutbox.forgetting(user)
            case .registered, .credentialsAttached, .profileChanged, .emailVerified, .newAddressProven,
                .emailChanged, .emailChangeStopped, .notificationsChanged, .termsAccepted, .consentGiven,
                .consentWithdrawn, .deviceSecretChanged, .erasureConfirmed, .secondFactorAdded, .recoveryCodesReplaced:
                []
            case .passwordChanged(let user), .passwordReset(let user), .emailChangeWithdrawn(let user):
                state.emailChange == nil ? [] : [AccessRows.dropEmailChange(user)]
            case .deviceSecretRevoked(let user, _): [AccessRows.revokeDevice(user)]
            case .deviceHandedOver(let user, let account, let moment):
                [AccessRows.handDeviceOver(user, account, moment)]
            case .secondFactorRemoved(let user): [SecondFactorRows.remove(user)]
            case .credentialsDetached(let user, let method):
                [AccessRows.removeIdentity(user, method.rawValue)]
                    + (method == .apple ? [FederationRows.revokeToken(user)] : [])
            }
        }
    }
}
