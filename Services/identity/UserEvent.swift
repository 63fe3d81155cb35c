package import Contracts
package import EventSourcing
package import JSON
package import Primitives

/// What happened to a user. The names in ``type`` are durable; data carries no personal content.
package enum UserEvent: PrivateEvent, Equatable {
    case registered(UUID, UserKind, timeZone: String)
    /// A way of signing in was added; `upgradesDevice` when it made an account of an anonymous device.
    case credentialsAttached(UUID, SignInMethod, upgradesDevice: Bool)
    /// A way of signing in is none any more.
    case credentialsDetached(UUID, SignInMethod)
    case profileChanged(UUID, timeZone: String)
    case passwordChanged(UUID)
    /// The password was replaced by means of a mailed code.
    case passwordReset(UUID)
    case emailVerified(UUID)
    /// Another address has shown whose it is; it is the user's once the one so far confirms that too, or at the given time.
    case newAddressProven(UUID, change: UUID, takesEffectAt: Timestamp)
    /// Another address is the user's, and confirmed.
    case emailChanged(UUID, by: EmailChangeGround)
    /// The user does not want the address any more that had shown whose it is.
    case emailChangeWithdrawn(UUID)
    /// The address that the account had is the user's again, or still; the password is out of force.
    case emailChangeStopped(UUID)
    case notificationsChanged(UUID, NotificationPreferences)
    case termsAccepted(UUID, TermsAcceptance)
    /// A provider may have data for a purpose; announced to every service.
    case consentGiven(UUID, Consent)
    /// A provider may have no more data for a purpose; announced to every service.
    case consentWithdrawn(UUID, ConsentScope, at: Timestamp)
    /// The secret of an anonymous device that was valid before is not any more.
    case deviceSecretChanged(UUID)
    /// No secret of an anonymous device lets anybody in any more; announced, but in histories of before that was done.
    case deviceSecretRevoked(UUID, isAnnounced: Bool = true)
    /// Announced to every service; without a signature by release 1 only.
    case erased(UUID, isSigned: Bool = true)
    /// A service has removed all that belonged to the user.
    case erasureConfirmed(UUID, service: String, SubjectErased.Removed)
    /// A second factor is asked for from then on.
    case secondFactorAdded(UUID)
    case secondFactorRemoved(UUID)
    /// Other recovery codes stand for the second factor, and earlier ones for nothing.
    case recoveryCodesReplaced(UUID)
    /// What was practised on an anonymous device so far became an account's; announced to every service.
    ///
    /// - at: when the device's secret was shown; nil in histories of before it was kept.
    case deviceHandedOver(UUID, accountId: UUID, at: Timestamp?)

    package var userId: UUID {
        switch self {
        case .registered(let id, _, _), .credentialsAttached(let id, _, _), .credentialsDetached(let id, _),
            .profileChanged(let id, _), .passwordChanged(let id), .passwordReset(let id), .emailVerified(let id),
            .newAddressProven(let id, _, _), .emailChanged(let id, _), .emailChangeWithdrawn(let id),
            .emailChangeStopped(let id), .notificationsChanged(let id, _), .termsAccepted(let id, _),
            .deviceSecretChanged(let id), .deviceSecretRevoked(let id, _), .erased(let id, _),
            .erasureConfirmed(let id, _, _), .secondFactorAdded(let id), .secondFactorRemoved(let id),
            .recoveryCodesReplaced(let id), .deviceHandedOver(let id, _, _), .consentGiven(let id, _),
            .consentWithdrawn(let id, _, _):
            id
        }
    }

    package var type: EventType {
        switch self {
        case .registered: EventType("UserRegistered")
        case .credentialsAttached: EventType("CredentialsAttached")
        case .credentialsDetached: EventType("CredentialsDetached")
        case .profileChanged: EventType("UserProfileChanged")
        case .passwordChanged: EventType("PasswordChanged")
        case .passwordReset: EventType("PasswordReset")
        case .emailVerified: EventType("EmailVerified")
        case .newAddressProven: EventType("NewAddressProven")
        case .emailChanged: EventType("EmailChanged", 2)
        case .emailChangeWithdrawn: EventType("EmailChangeWithdrawn")
        case .emailChangeStopped: EventType("EmailChangeStopped")
        case .notificationsChanged: EventType("NotificationsChanged")
        case .termsAccepted: EventType("TermsAccepted")
        case .consentGiven: EventType("ConsentGiven")
        case .consentWithdrawn: EventType("ConsentWithdrawn")
        case .deviceSecretChanged: EventType("DeviceSecretChanged")
        case .deviceSecretRevoked: EventType("DeviceSecretRevoked", 2)
        case .erased: EventType("UserErased", 2)
        case .erasureConfirmed: EventType("ErasureConfirmed")
        case .secondFactorAdded: EventType("SecondFactorAdded")
        case .secondFactorRemoved: EventType("SecondFactorRemoved")
        case .recoveryCodesReplaced: EventType("RecoveryCodesReplaced")
        case .deviceHandedOver: EventType("DeviceHandedOver", 2)
        }
    }
}

extension UserEvent {
    /// Whether another address is the user's from then on.
    var changesEmail: Bool {
        if case .emailChanged = self { true } else { false }
    }

    package var data: JSONObject {
        let common: JSONObject = ["userId": .uuid(userId)]
        return switch self {
        case .passwordChanged, .passwordReset, .emailVerified, .emailChangeWithdrawn, .emailChangeStopped,
            .deviceSecretChanged, .secondFactorAdded, .secondFactorRemoved, .recoveryCodesReplaced:
            common
        case .deviceSecretRevoked(_, let isAnnounced): common.adding(["announced": .bool(isAnnounced)])
        case .newAddressProven(_, let change, let moment):
            common.adding(["changeId": .uuid(change), "takesEffectAt": .time(moment)])
        case .emailChanged(_, let ground): common.adding(["by": ground.json])
        case .notificationsChanged(_, let wanted): common.adding(membersOf: wanted.json)
        case .termsAccepted(_, let terms): common.adding(membersOf: terms.json)
        case .consentGiven(_, let consent): common.adding(membersOf: consent.json)
        case .consentWithdrawn(_, let scope, let moment):
            common.adding(membersOf: scope.json).adding(["withdrawnAt": .time(moment)])
        case .erased(_, let isSigned): common.adding(["signed": .bool(isSigned)])
        case .registered(_, let kind, let timeZone):
            common.adding(["kind": kind.json, "timeZone": .string(timeZone)])
        case .credentialsAttached(_, let method, let upgradesDevice):
            common.adding(["method": method.json, "upgradesDevice": .bool(upgradesDevice)])
        case .credentialsDetached(_, let method): common.adding(["method": method.json])
        case .profileChanged(_, let timeZone): common.adding(["timeZone": .string(timeZone)])
        case .erasureConfirmed(_, let service, let removed):
            common.adding(["service": .string(service), "removed": .object(removed.json)])
        case .deviceHandedOver(_, let accountId, let moment):
            common.adding(["accountId": .uuid(accountId), "handedOverAt": moment.map(JSONValue.time)])
        }
    }

    package static func decode(_ type: EventType, _ data: JSONObject) throws(EventDecodingError) -> UserEvent {
        try reading(type, data, upcasting: upcasters, byName: read)
    }

    private static let upcasters = Upcasters([
        EventType("UserErased", 1): { (data) throws(JSONError) in data.adding(["signed": .bool(false)]) },
        // Release 1 asked the new address alone.
        EventType("EmailChanged", 1): { (data) throws(JSONError) in
            data.adding(["by": EmailChangeGround.newAddress.json])
        },
        EventType("DeviceSecretRevoked", 1): { (data) throws(JSONError) in data.adding(["announced": .bool(false)]) },
        // Without its moment, and announced so.
        EventType("DeviceHandedOver", 1): { (data) throws(JSONError) in data },
    ])

    /// The event; nil for an unknown name.
    private static func read(_ name: String, _ data: JSONObject) throws(JSONError) -> UserEvent? {
        switch name {
        case "UserRegistered":
            try .registered(data.uuid("userId"), data.code("kind"), timeZone: data.string("timeZone"))
        case "CredentialsAttached":
            try .credentialsAttached(
                data.uuid("userId"), data.code("method"), upgradesDevice: data.bool("upgradesDevice"))
        case "CredentialsDetached": try .credentialsDetached(data.uuid("userId"), data.code("method"))
        case "UserProfileChanged": try .profileChanged(data.uuid("userId"), timeZone: data.string("timeZone"))
        case "PasswordChanged": try .passwordChanged(data.uuid("userId"))
        case "PasswordReset": try .passwordReset(data.uuid("userId"))
        case "EmailVerified": try .emailVerified(data.uuid("userId"))
        case "NewAddressProven":
            try .newAddressProven(
                data.uuid("userId"), change: data.uuid("changeId"), takesEffectAt: data.timestamp("takesEffectAt"))
        case "EmailChanged": try .emailChanged(data.uuid("userId"), by: data.code("by"))
        case "EmailChangeWithdrawn": try .emailChangeWithdrawn(data.uuid("userId"))
        case "EmailChangeStopped": try .emailChangeStopped(data.uuid("userId"))
        case "NotificationsChanged": try .notificationsChanged(data.uuid("userId"), NotificationPreferences(data))
        case "TermsAccepted": try .termsAccepted(data.uuid("userId"), TermsAcceptance(data))
        case "ConsentGiven": try .consentGiven(data.uuid("userId"), Consent(data))
        case "ConsentWithdrawn":
            try .consentWithdrawn(data.uuid("userId"), ConsentScope(data), at: data.timestamp("withdrawnAt"))
        case "DeviceSecretChanged": try .deviceSecretChanged(data.uuid("userId"))
        case "DeviceSecretRevoked": try .deviceSecretRevoked(data.uuid("userId"), isAnnounced: data.bool("announced"))
        case "UserErased": try .erased(data.uuid("userId"), isSigned: data.bool("signed"))
        case "ErasureConfirmed":
            try .erasureConfirmed(
                data.uuid("userId"), service: data.string("service"), SubjectErased.Removed(data.object("removed")))
        case "SecondFactorAdded": try .secondFactorAdded(data.uuid("userId"))
        case "SecondFactorRemoved": try .secondFactorRemoved(data.uuid("userId"))
        case "RecoveryCodesReplaced": try .recoveryCodesReplaced(data.uuid("userId"))
        case "DeviceHandedOver":
            try .deviceHandedOver(
                data.uuid("userId"), accountId: data.uuid("accountId"), at: data.optionalTimestamp("handedOverAt"))
        default: nil
        }
    }
}
