import Contracts
import JSON
import Runtime

/// `mirrormate log-level`: changes how much services write into their logs while they run.
@Loop struct LogLevelCommand {
    private let arguments: Arguments
    private let console: Console

    init(_ arguments: Arguments, _ console: Console) {
        self.arguments = arguments
        self.console = console
    }

    func run() async throws -> ExitCode {
        let deployment: any Deployment =
            ComposeDeployment.isHere ? ComposeDeployment() : try LocalDeployment(arguments, console)
        let level = arguments[Operands.level]
        let secret = try deployment.operatorKey()
        let services = arguments[Operands.oneService].map { [$0.rawValue] } ?? Settings.services
        let addresses = services.flatMap { deployment.adminAddresses(of: $0) }
        guard !addresses.isEmpty else {
            throw Failure(.unavailable, "no-stack", "Nothing runs here.", advice: "`mirrormate up` starts a stack.")
        }
        for address in addresses {
            _ = try await OperatorServices.send(
                "PUT", "\(address)/operator/log-level", ["level": .string(level)], secret: secret)
        }
        if arguments[Flags.json] {
            let document: JSONValue = [
                "level": .string(level), "services": .array(services.map(JSONValue.string)),
            ]
            console.answer(document)
        } else {
            console.done("\(services.joined(separator: ", ")): \(level), until the next start")
        }
        return .success
    }
}
