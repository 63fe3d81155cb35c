import CPostgres
import Glibc
import Runtime

/// Waiting for the server.
extension PostgresConnection {
    /// Sends what is buffered and waits for all results of the statement; the last one with rows is the answer.
    func results() async throws -> PostgresResult {
        while true {
            let left = PQflush(connection)
            if left == 0 { break }
            guard left == 1 else { throw connectionError() }
            // The server may wait for us to read before it reads more.
            guard PQconsumeInput(connection) == 1 else { throw connectionError() }
            try await waitForDescriptor { try await $0.writable() }
        }
        var answer: PostgresResult?
        var failure: PostgresError?
        while true {
            while PQisBusy(connection) == 1 {
                try await waitForAnswer()
                guard PQconsumeInput(connection) == 1 else { throw connectionError() }
            }
            guard let pointer = PQgetResult(connection) else { break }
            switch PQresultStatus(pointer) {
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: answer = PostgresResult(owning: pointer)
            case PGRES_COPY_OUT, PGRES_COPY_IN, PGRES_COPY_BOTH:
                PQclear(pointer)
                throw PostgresError(.connection, "COPY is not used through this call")
            default:
                failure = failure ?? Self.error(pointer)
                PQclear(pointer)
            }
        }
        if let failure { throw failure }
        guard let answer else { throw connectionError() }
        return answer
    }

    /// libpq may stop reading before the socket is empty, and no new edge tells of what is left: ask before waiting.
    func waitForAnswer() async throws {
        if isReady(POLLIN) { return }
        try await waitForDescriptor { try await $0.readable() }
    }

    func waitForDescriptor(_ wait: (Descriptor) async throws -> Void) async throws {
        guard let descriptor else { throw connectionError() }
        try await wait(descriptor)
    }

    static func error(_ result: OpaquePointer) -> PostgresError {
        func field(_ code: Int32) -> String? { PQresultErrorField(result, code).map { String(cString: $0) } }
        let code = field(Int32(UInt8(ascii: "C"))).map(PostgresError.Code.init(rawValue:)) ?? .connection
        return PostgresError(
            code, field(Int32(UInt8(ascii: "M"))) ?? String(cString: PQresultErrorMessage(result)),
            constraint: field(Int32(UInt8(ascii: "n"))))
    }
}
