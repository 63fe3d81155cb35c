import Contracts
import JSON
import Replay
import Runtime

/// `mirrormate relay rewind`: what a service has published, published again.
@Loop struct RelayCommand {
    private let arguments: Arguments
    private let logs: ServiceLogs
    private let console: Console

    init(_ arguments: Arguments, _ logs: ServiceLogs, _ console: Console) {
        self.arguments = arguments
        self.logs = logs
        self.console = console
    }

    func rewind() async throws -> ExitCode {
        let service = arguments[Operands.service]
        let position = arguments[Operands.relayPosition]
        let range: RelayRewind.Range
        do {
            range = try await RelayRewind(writer: try logs.writer(logs.store(service))).request(after: position)
        } catch let error as RelayRewind.NotPublished {
            throw Failure(
                .failure, "not-published",
                "\(service.rawValue) has published up to position \(error.cursor), so nothing lies behind \(position).",
                advice: "Take the position before the gap; 0 is the start.")
        }
        if arguments[Flags.json] {
            let document: JSONValue = [
                "service": .string(service.rawValue), "after": .int(range.after),
                "upTo": .int(range.upTo),
            ]
            console.answer(document)
        } else {
            console.print(
                "\(service.rawValue) publishes again what lies behind position \(range.after), up to \(range.upTo)")
            console.print(
                console.placed("Consumers drop what they have seen. `mirrormate ledger` tells when all is well."))
        }
        return .success
    }
}
