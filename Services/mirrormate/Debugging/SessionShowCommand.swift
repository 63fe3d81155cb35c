import Contracts
import JSON
import Postgres
import Primitives
import Replay
import Runtime

/// `mirrormate sessions show`: one session, as its row in the list is now.
@Loop struct SessionShowCommand {
    private let arguments: Arguments
    private let logs: ServiceLogs
    private let console: Console

    init(_ arguments: Arguments, _ logs: ServiceLogs, _ console: Console) {
        self.arguments = arguments
        self.logs = logs
        self.console = console
    }

    func run() async throws -> ExitCode {
        let id = try await logs.id(arguments[Operands.subject])
        let row = try await logs.store(.sessions).pool.query(
            "select row_to_json(s) from session_list s where key = $1", [.text("\(id)")]
        ).first
        guard let row else {
            throw Failure(
                .failure, "unknown-session", "\(id) is no session.",
                advice:
                    "`mirrormate sessions list` shows which there are; `mirrormate timeline \(id)` what else it may be."
            )
        }
        let session = try JSONObject.parse(row.bytes(0))
        if arguments[Flags.json] {
            console.answer(.object(session))
            return .success
        }
        console.print("session \(id): \(session["status"].map(Format.value) ?? "?")")
        var table = Columns(["", ""])
        for member in session.members where !["key", "status"].contains(member.key) && !member.value.isNull {
            table.add([member.key.replacing("_", with: " "), Format.value(member.value)])
        }
        console.print(String(table.text(console.style).drop { $0 != "\n" }.dropFirst()))
        console.print(console.placed("`mirrormate timeline \(id)` tells how it came to that."))
        return .success
    }
}
