import Contracts
import EventSourcing
import History

extension UserCommand {
    /// What was asked without a message, told from what followed.
    static func recalled(_ record: DecisionRecord<UserEvent>, _ state: User) -> UserCommand? {
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
        case .erased where state.phase == .erased: return .announceErasure
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
