import Contracts
import EventSourcing
import History
import Primitives

extension UserCommand {
    /// What was asked without a message, told from what followed.
    static func recalled(_ record: DecisionRecord<UserEvent>, _ state: User) -> UserCommand? {
        switch record.events.first {
        case .registered(let id, .device, let zone): return .registerDevice(id, timeZone: zone)
        case .registered(let id, _, let zone):
            for case .credentialsAttached(_, let method, _) in record.events {
                return .signUp(
                    id, method: method, timeZone: zone, terms: accepted(record),
                    isEmailVerified: record.events.contains(.emailVerified(id)))
            }
            return nil
        case .credentialsAttached(_, .password, upgradesDevice: false) where record.events.count > 1:
            return .resetPassword
        case .credentialsAttached(_, let method, upgradesDevice: false): return .attach(method: method)
        case .credentialsDetached(_, let method): return .detach(method: method)
        case .profileChanged(_, let zone): return .changeTimeZone(zone)
        case .passwordChanged: return .changePassword
        case .passwordReset: return .resetPassword
        case .emailVerified where record.events.count == 1: return .verifyEmail
        case .erased where state.phase == .erased: return .announceErasure
        case .erased:
            for case .erasureConfirmed(_, ServiceName.identity.rawValue, let removed) in record.events {
                return .erase(here: removed)
            }
            return nil
        // One that took the place of another, by a rule that is none any more.
        case .newAddressProven where state.emailChange != nil: return nil
        case .newAddressProven(_, let change, let moment):
            return .proveNewAddress(change: change, takesEffectAt: moment)
        case .emailChanged(_, let ground): return recalled(ground, state)
        case .emailChangeWithdrawn: return .withdrawEmailChange
        case .emailChangeStopped(let id):
            return .stopEmailChange(doubtsFactor: record.events.contains(.secondFactorRemoved(id)))
        case .notificationsChanged(_, let wanted): return .setNotifications(wanted)
        case .termsAccepted(_, let terms): return .acceptTerms(terms)
        case .consentGiven(_, let consent): return recalled(record, state, consentsAt: consent.givenAt)
        case .consentWithdrawn(_, _, let moment): return recalled(record, state, consentsAt: moment)
        case .deviceSecretChanged: return .changeDeviceSecret
        case .deviceSecretRevoked: return .revokeDeviceSecret
        case .credentialsAttached(_, _, upgradesDevice: true), .emailVerified, .erasureConfirmed, nil:
            return nil
        case .secondFactorAdded where record.events.count > 1: return .addSecondFactorGivingUpChange
        case .secondFactorAdded: return .addSecondFactor
        case .secondFactorRemoved where record.events.count > 1: return .liftSecondFactor
        case .secondFactorRemoved: return .removeSecondFactor
        case .recoveryCodesReplaced: return .replaceRecoveryCodes
        case .deviceHandedOver(_, let account, let moment): return .handOver(to: account, at: moment)
        }
    }

    /// What made another address the user's; nil for what release 1 did with confirmed ones, by a rule that is none any more.
    private static func recalled(_ ground: EmailChangeGround, _ state: User) -> UserCommand? {
        switch ground {
        case .bothAddresses: state.emailChange.map { .confirmEmailChange($0.id) }
        case .wait: state.emailChange.map { .completeEmailChange($0.id, at: $0.takesEffectAt) }
        default:
            // The change's id and time are in no event of one that took effect at once.
            state.isEmailVerified ? nil : .proveNewAddress(change: .zero, takesEffectAt: .epoch)
        }
    }

    /// All that providers might have after the decision.
    private static func recalled(
        _ record: DecisionRecord<UserEvent>, _ state: User, consentsAt moment: Timestamp
    ) -> UserCommand {
        let after = record.events.reduce(state, User.evolve)
        return .setConsents(after.consents.values.map(\.terms).sorted { $0.scope < $1.scope }, at: moment)
    }

    /// What was accepted with a sign-up.
    private static func accepted(_ record: DecisionRecord<UserEvent>) -> TermsAcceptance? {
        for case .termsAccepted(_, let terms) in record.events { return terms }
        return nil
    }
}
