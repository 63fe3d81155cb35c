import Contracts
import EventSourcing
package import History
import ServiceKit
import SigningKeys

/// The service's folds and decisions for tools that look at its history.
package enum IdentityHistory {
    package static let history = ServiceHistory(
        .identity, reads: IdentityService.reads,
        hears: ServiceName.allCases.filter { $0 != .identity }.map { SubjectErased.type(of: $0) },
        aggregates: [
            AggregateHistory(User.self, categories: ["user"], owners: ["user"], command: command),
            AggregateHistory(SigningKey.self, categories: ["signingkey"]) { record, _ in
                switch record.events.last {
                case .published(let key): .publish(key)
                case .retired(_, let moment): .retire(at: moment)
                case nil: nil
                }
            },
        ],
        readModels: [], publication: ServiceParts.publishing(IdentityMessages.outgoing(for:)))

    /// What was asked, told from what followed.
    @Sendable private static func command(
        _ record: DecisionRecord<UserEvent>, _ state: User
    ) throws -> UserCommand? {
        if let message = record.message {
            guard case .apply(_, let command) = try IdentityReactions.reaction(to: message) else { return nil }
            return command
        }
        switch record.events.first {
        case .registered(let id, .device, let zone): return .registerDevice(id, timeZone: zone)
        case .registered(let id, _, let zone):
            for case .credentialsAttached(_, let method, _) in record.events {
                return .signUp(id, method: method, timeZone: zone)
            }
            return nil
        case .credentialsAttached(_, let method, upgradesDevice: false): return .attach(method: method)
        case .profileChanged(_, let zone): return .changeTimeZone(zone)
        case .passwordChanged: return .changePassword
        case .passwordReset where record.events.count == 1: return .resetPassword
        case .emailVerified where record.events.count == 1: return .verifyEmail
        case .erased:
            for case .erasureConfirmed(_, ServiceName.identity.rawValue, let removed) in record.events {
                return .erase(here: removed)
            }
            return nil
        case .credentialsAttached(_, _, upgradesDevice: true), .passwordReset, .emailVerified, .erasureConfirmed, nil:
            return nil
        }
    }
}
