import CPostgres
import Runtime

extension PostgresConnection {
    /// Feeds `copy … from stdin`, in its text format.
    ///
    /// - Throws: ``PostgresError``; all rows of one call are written or none.
    package func copy(_ sql: String, _ bytes: [UInt8]) async throws {
        if bytes.isEmpty { return }
        try await exclusively {
            guard PQsendQuery(self.connection, sql) == 1 else { throw self.connectionError() }
            try await self.startCopy()
            var sent = 0
            while sent < bytes.count {
                let count = min(bytes.count - sent, 65_536)
                let outcome = bytes.withUnsafeBytes { buffer in
                    PQputCopyData(
                        self.connection, buffer.baseAddress!.advanced(by: sent).assumingMemoryBound(to: CChar.self),
                        Int32(count))
                }
                guard outcome >= 0 else { throw self.connectionError() }
                if outcome == 1 { sent += count }
                try await self.sendBuffered()
            }
            while PQputCopyEnd(self.connection, nil) == 0 { try await self.sendBuffered() }
            _ = try await self.results()
        }
    }

    /// Waits until the server is ready for rows.
    private func startCopy() async throws {
        try await sendBuffered()
        while PQisBusy(connection) == 1 {
            try await waitForAnswer()
            guard PQconsumeInput(connection) == 1 else { throw connectionError() }
        }
        guard let pointer = PQgetResult(connection) else { throw connectionError() }
        defer { PQclear(pointer) }
        guard PQresultStatus(pointer) == PGRES_COPY_IN else {
            let failure = Self.error(pointer)
            // What is left of the answer must be taken before the next statement.
            while let rest = PQgetResult(connection) { PQclear(rest) }
            throw failure
        }
    }

    private func sendBuffered() async throws {
        while true {
            let left = PQflush(connection)
            if left == 0 { return }
            guard left == 1 else { throw connectionError() }
            guard PQconsumeInput(connection) == 1 else { throw connectionError() }
            try await waitForDescriptor { try await $0.writable() }
        }
    }
}
