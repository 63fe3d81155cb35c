import Contracts
import JSON
import Postgres
import Primitives
import Replay
import Runtime

/// `mirrormate sessions list`: which sessions there are, the newest first.
@Loop struct SessionListCommand {
    private let arguments: Arguments
    private let logs: ServiceLogs
    private let console: Console

    init(_ arguments: Arguments, _ logs: ServiceLogs, _ console: Console) {
        self.arguments = arguments
        self.logs = logs
        self.console = console
    }

    func run() async throws -> ExitCode {
        var owner: UUID?
        if let name = arguments[Operands.optionalOwner] { owner = try await logs.id(name) }
        let rows = try await logs.store(.sessions).pool.query(
            """
            select key, kind, status, coalesce(error_code, refusal->>'code', ''), created_at, updated_at, owner_id
            from session_list
            where owner_id = coalesce($1::uuid, owner_id) and status = coalesce($2::text, status)
              and created_at >= coalesce($3::timestamptz, '-infinity')
            order by created_at desc, key desc limit $4
            """,
            [
                .optional(owner) { .uuid($0) },
                .optional(arguments[Flags.status]) { .text($0) },
                .optional(arguments[Flags.since]) { .time($0) }, .int(Int64(arguments[Flags.limit])),
            ]
        ).rows
        if arguments[Flags.json] {
            let items = rows.map { row -> JSONValue in
                [
                    "id": .string(row.text(0)), "kind": .string(row.text(1)), "status": .string(row.text(2)),
                    "code": row.text(3).isEmpty ? .null : .string(row.text(3)), "createdAt": .time(row.time(4)),
                    "updatedAt": .time(row.time(5)), "owner": .uuid(row.uuid(6)),
                ]
            }
            console.answer(["sessions": .array(items)])
            return .success
        }
        if rows.isEmpty {
            console.print("No session is like that.")
            return .success
        }
        var table = Columns(["session", "kind", "status", "created", "took", "owner"])
        for row in rows {
            let status = [row.text(2), row.text(3)].filter { !$0.isEmpty }.joined(separator: ": ")
            table.add([
                row.text(0), row.text(1), status, Format.moment(row.time(4)),
                Format.length(row.time(5) - row.time(4)), row.uuid(6).description,
            ])
        }
        console.print(table.text(console.style))
        return .success
    }
}
