import Contracts
import Primitives

extension User {
    package static func decide(_ command: UserCommand, _ state: User) throws(UserRefusal) -> [UserEvent] {
        switch command {
        case .registerDevice(let id, let timeZone): try state.registerDevice(id, timeZone)
        case .signUp(let id, let method, let timeZone): try state.signUp(id, method, timeZone)
        case .attach(let method): try state.attach(method)
        case .changeTimeZone(let timeZone): try state.changeTimeZone(timeZone)
        case .changePassword: try state.changePassword()
        case .erase(let removed): try state.erase(removed)
        case .confirmErasure(let id, let service, let removed): state.confirm(id, service, removed)
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

    private func changeTimeZone(_ zone: String) throws(UserRefusal) -> [UserEvent] {
        let id = try active()
        return zone == timeZone ? [] : [.profileChanged(id, timeZone: try Self.checked(zone))]
    }

    private func changePassword() throws(UserRefusal) -> [UserEvent] {
        let id = try active()
        guard methods.contains(.password) else { throw .noPassword }
        return [.passwordChanged(id)]
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

    /// An IANA name by its form; whether the zone exists is known where days are counted.
    private static func checked(_ timeZone: String) throws(UserRefusal) -> String {
        let allowed = timeZone.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "-"),
                UInt8(ascii: "/"):
                true
            default: false
            }
        }
        guard allowed, (1...64).contains(timeZone.utf8.count), timeZone.first != "/" else { throw .invalidTimeZone }
        return timeZone
    }
}
