import ContractChecking
import Contracts
import EventSourcing
import Glibc
import HTTPServer
import JSON
import ServiceKit
import Testing
import TestingSupport
import analysis
import identity
import notifications
import quota
import reporting
import sessions

/// The services to test: all, or the one that `make contracts SERVICE=` names.
let selectedServices: [ServiceName] = {
    guard let name = getenv("CONTRACTS_SERVICE").map({ String(cString: $0) }), !name.isEmpty else {
        return ServiceName.allCases
    }
    guard let service = ServiceName(rawValue: name) else {
        preconditionFailure("There is no service \(name); choose one of \(ServiceName.allCases.map(\.rawValue)).")
    }
    return [service]
}()

/// Whether what is published now is to be released: `make contracts-accept`.
let isAccepting = getenv("CONTRACTS_ACCEPT") != nil

/// The repository's root.
let root = Checkout.root

/// Fails the test with each finding.
func report(_ findings: [Finding], _ location: SourceLocation = #_sourceLocation) {
    for finding in findings { Issue.record("\(finding)", sourceLocation: location) }
}

/// The durable names of private events in the sources of a folder: `EventType("Name")` and `EventType("Name", 2)`.
func durableEventTypes(in folder: String) -> Set<EventType> {
    var types: Set<EventType> = []
    for path in FolderFiles.paths(in: "\(root)/\(folder)") where path.hasSuffix(".swift") && !path.contains("/") {
        let text = String(decoding: FolderFiles.read("\(root)/\(folder)/\(path)"), as: UTF8.self)
        for (name, version) in literals(after: "EventType(\"", in: text) { types.insert(EventType(name, version)) }
    }
    return types
}

/// The durable names of published messages in the sources: `MessageType(.quota, "Name")`.
func durableMessageTypes() -> Set<MessageType> {
    var types: Set<MessageType> = []
    for path in FolderFiles.paths(in: "\(root)/Shared/Events/Contracts") where path.hasSuffix(".swift") {
        let text = String(decoding: FolderFiles.read("\(root)/Shared/Events/Contracts/\(path)"), as: UTF8.self)
        for service in ServiceName.allCases {
            for (name, version) in literals(after: "MessageType(.\(service.rawValue), \"", in: text) {
                types.insert(MessageType(service, name, version))
            }
        }
    }
    return types
}

/// The strings that follow a text, each with the number that may follow it.
private func literals(after start: String, in text: String) -> [(name: String, version: Int)] {
    text.components(separatedBy: start).dropFirst().compactMap { rest in
        guard let quote = rest.firstIndex(of: "\"") else { return nil }
        let name = String(rest[..<quote])
        let behind = rest[rest.index(after: quote)...]
        guard behind.hasPrefix(", "), let number = Int(behind.dropFirst(2).prefix { $0.isNumber }) else {
            return (name, 1)
        }
        return (name, number)
    }
}

extension String {
    /// The parts between occurrences of a text.
    fileprivate func components(separatedBy separator: String) -> [String] {
        var parts: [String] = []
        var rest = self[...]
        while let range = rest.firstRange(of: separator) {
            parts.append(String(rest[..<range.lowerBound]))
            rest = rest[range.upperBound...]
        }
        return parts + [String(rest)]
    }
}

/// Every problem that anybody may be answered with.
let everyProblem =
    ProblemCode.http + ProblemCode.platform + IdentityService.problems + SessionsService.problems
    + QuotaService.problems + AnalysisService.problems + ReportingService.problems + NotificationsService.problems
