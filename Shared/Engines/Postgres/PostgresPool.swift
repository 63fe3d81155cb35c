package import Primitives
package import Runtime

/// A few connections that statements borrow in turn, first come, first served.
@Loop package final class PostgresPool {
    private let settings: PostgresSettings
    private let limit: Int
    private var idle: [PostgresConnection] = []
    private var open = 0
    private var opening = 0
    private var waiting: [LoopWait] = []
    private var isClosed = false

    /// Makes a pool that opens up to `size` connections as they are needed.
    package init(_ settings: PostgresSettings, size: Int) {
        self.settings = settings
        limit = size
    }

    /// Runs one statement on any connection.
    ///
    /// - Throws: ``PostgresError``; with the code `connection` it is unknown whether the statement took effect.
    ///   `CancellationError` if the task is cancelled.
    package func query(_ sql: String, _ parameters: [PostgresValue] = []) async throws -> PostgresResult {
        try await withConnection { try await $0.query(sql, parameters) }
    }

    /// Runs one statement with row-level security scoped to one owner: the schema's policies hide everyone else's rows,
    /// whatever the statement says.
    ///
    /// - Throws: as ``query(_:_:)``.
    package func query(
        asOwner owner: UUID, _ sql: String, _ parameters: [PostgresValue] = []
    ) async throws -> PostgresResult {
        try await withConnection { connection in
            _ = try await connection.query(
                "select set_config('mirrormate.scope', $1, false)", [.text(owner.description)])
            return try await connection.query(sql, parameters)
        }
    }

    /// Lends a connection for several statements.
    ///
    /// - Throws: ``PostgresError`` of code `connection` if none can be opened or the pool is closed,
    ///   `CancellationError` if the task is cancelled while it waits, otherwise what `work` throws.
    package func withConnection<T>(_ work: (PostgresConnection) async throws -> T) async throws -> T {
        let connection = try await lease()
        defer { giveBack(connection) }
        return try await work(connection)
    }

    /// Runs statements in one transaction: committed when `work` returns, rolled back when it throws.
    ///
    /// - Throws: what `work` throws, after the rollback; otherwise as ``query(_:_:)``. With a ``PostgresError`` of code
    ///   `connection` it is unknown whether the transaction was committed.
    package func transaction<T>(_ work: (PostgresConnection) async throws -> T) async throws -> T {
        try await withConnection { connection in
            _ = try await connection.query("begin")
            do {
                let value = try await work(connection)
                _ = try await connection.query("commit")
                return value
            } catch {
                if !connection.isBroken { _ = try? await connection.query("rollback") }
                throw error
            }
        }
    }

    /// Closes idle connections now, and borrowed ones when they are returned and their statements have ended.
    package func close() {
        isClosed = true
        for connection in idle { connection.close() }
        idle = []
        for wait in waiting { wait.fail(PostgresError(.connection, "the pool was closed")) }
        waiting = []
    }

    private func lease() async throws -> PostgresConnection {
        while true {
            guard !isClosed else { throw PostgresError(.connection, "the pool was closed") }
            while let connection = idle.popLast() {
                // A server restart ends all idle connections, and no statement needs to fail because of that.
                if !connection.isStale { return connection }
                connection.close()
                open -= 1
            }
            let wait = LoopWait()
            waiting.append(wait)
            openAnother()
            do {
                try await wait.wait()
            } catch {
                if waiting.contains(where: { $0 === wait }) {
                    waiting.removeAll { $0 === wait }
                } else {
                    // Woken and cancelled at the same time: pass the turn to the next one.
                    wakeNext()
                }
                throw error
            }
        }
    }

    /// Opens a connection for those who wait, if there may be one more. In a task of its own: it is there for the next one when
    /// whoever wanted it was cancelled, and is told to who waits longest when it fails.
    private func openAnother() {
        guard open < limit, opening < waiting.count else { return }
        open += 1
        opening += 1
        Loop.task { [self] in
            do {
                let connection = try await PostgresConnection.open(settings)
                opening -= 1
                giveBack(connection)
            } catch {
                opening -= 1
                open -= 1
                if !waiting.isEmpty { waiting.removeFirst().fail(error) }
                // Whoever else waits has nobody else to try for them.
                openAnother()
            }
        }
    }

    private func giveBack(_ connection: PostgresConnection) {
        if connection.isUnsettled {
            Loop.task { [self] in
                await connection.settle()
                giveBack(connection)
            }
            return
        }
        if connection.isBroken || isClosed {
            connection.close()
            open -= 1
        } else {
            idle.append(connection)
        }
        wakeNext()
    }

    private func wakeNext() {
        guard !waiting.isEmpty else { return }
        waiting.removeFirst().resume()
    }
}
