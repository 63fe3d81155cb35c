/// Where a target lives in the tree, which decides what it may use.
enum Home: Equatable {
    /// On a floor of `Shared`.
    case shared(Floor)
    /// In `Shared/Testing`: what tests share.
    case testing
    /// A service's library.
    case service(String)
    /// The program that starts a service.
    case program(String)
    /// A room: a target below a service's folder, of that service alone.
    case room(of: String)
    /// Tests of a floor, of a service (with its rooms), or of services together.
    case testsOf(Floor), testsOfService(String), testsOfServices
    /// Beside the house: benchmarks, and this test.
    case outside

    /// The floors of `Shared`, lowest first.
    enum Floor: String, CaseIterable, Comparable {
        case c = "C"
        case values = "Values"
        case engines = "Engines"
        case events = "Events"
        case platform = "Platform"

        static func < (left: Self, right: Self) -> Bool {
            allCases.firstIndex(of: left)! < allCases.firstIndex(of: right)!
        }
    }

    /// The command line: it may use the services' libraries.
    static let commandLine = "mirrormate"

    /// - Parameter path: the target's folder from the root.
    /// - Returns: nil when no part of the house has such a folder.
    init?(path: String) {
        let parts = path.split(separator: "/").map(String.init)
        switch (parts.first, parts.count) {
        case ("Shared", 3) where parts[1] == "Testing":
            self = .testing
        case ("Shared", 3):
            guard let floor = Floor(rawValue: parts[1]) else { return nil }
            self = .shared(floor)
        case ("Services", 2):
            self = .service(parts[1])
        case ("Services", 3) where parts[2] == "Program":
            self = .program(parts[1])
        case ("Services", 3...):
            self = .room(of: parts[1])
        case ("Tests", 3) where parts[1] == "Services":
            self = .testsOfServices
        case ("Tests", 4) where parts[1] == "Services":
            self = .testsOfService(parts[2])
        case ("Tests", 3):
            guard let floor = Floor(rawValue: parts[1]) else { return nil }
            self = .testsOf(floor)
        case ("Benchmarks", _), ("Tests", 2):
            self = .outside
        default:
            return nil
        }
    }

    /// Whether only tests live there.
    private var isForTests: Bool {
        switch self {
        case .testing, .testsOf, .testsOfService, .testsOfServices, .outside: true
        default: false
        }
    }

    /// The service whose library and rooms it may use.
    private var service: String? {
        switch self {
        case .service(let name), .program(let name), .room(let name), .testsOfService(let name): name
        default: nil
        }
    }

    /// Judges the use of a target that lives somewhere else.
    ///
    /// - Returns: what is wrong and what to do about it; nil when it may be used.
    func objection(toUsing other: Home) -> String? {
        switch other {
        case .shared(let floor):
            let own: Floor? =
                switch self {
                case .shared(let own), .testsOf(let own): own
                default: nil
                }
            guard let own, floor > own else { return nil }
            return "\(own.rawValue) may not use the higher floor \(floor.rawValue): move what is needed down to "
                + "\(own.rawValue), or this file up"
        case .testing:
            return isForTests ? nil : "Testing is for tests only: move what is needed to a floor of Shared"
        case .service(let name):
            switch self {
            case .testsOfServices, .outside: return nil
            case _ where service == name || service == Home.commandLine: return nil
            case .shared, .testing, .testsOf:
                return "Shared may not use the service \(name): move what is needed to a floor of Shared, or this to "
                    + "the service"
            default:
                return
                    "services talk through events only: let \(name) publish what is needed (Shared/Events/Contracts), "
                    + "or move what both need to Shared"
            }
        case .room(let name):
            switch self {
            case .testsOfServices, .outside: return nil
            case _ where service == name: return nil
            default:
                return "it is a room of \(name), and of nobody else: use it through \(name)'s own code, or move it to "
                    + "Shared when two services need it"
            }
        case .program(let name):
            return "it is the program of \(name); use the library \(name)"
        case .testsOf, .testsOfService, .testsOfServices, .outside:
            return self == .outside
                ? nil : "tests and benchmarks are used by nobody: move what is needed to Shared/Testing"
        }
    }
}
