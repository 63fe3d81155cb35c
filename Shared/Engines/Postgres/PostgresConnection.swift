import CPostgres
import Glibc
import Primitives
package import Runtime

/// One connection to PostgreSQL on the event loop: non-blocking libpq, one statement at a time.
///
/// A statement that exceeds its deadline leaves the connection broken: the pool discards it rather than guess what the server
/// is still doing. One whose task is cancelled runs to its end unheard, because strangers can cancel as often as they like, and
/// a new connection costs more than nearly every statement: see ``settle()``.
@Loop package final class PostgresConnection {
    private let connection: OpaquePointer
    private let settings: PostgresSettings
    private var descriptor: Descriptor?
    private var watchedSocket: Int32 = -1
    private var prepared: [String: String] = [:]
    private var preparedCount = 0
    /// The name of the statement that is being prepared, or could not be.
    private var preparing: String?
    private var busy = false
    /// Whether a statement is still running whose task was cancelled.
    private var isAbandoned = false
    /// Whether the connection is closed and can no longer be used.
    package private(set) var isBroken = false

    private init(_ connection: OpaquePointer, _ settings: PostgresSettings) {
        self.connection = connection
        self.settings = settings
    }

    /// Connects.
    ///
    /// - Throws: ``PostgresError`` of code `connection`, also when the server refuses the login; `CancellationError` if the
    ///   task is cancelled.
    package static func open(_ settings: PostgresSettings) async throws -> PostgresConnection {
        let keywords = settings.keywords
        let names = CStrings(keywords.map(\.0))
        let values = CStrings(keywords.map(\.1))
        guard let pointer = PQconnectStartParams(names.pointers, values.pointers, 0) else {
            throw PostgresError(.connection, "out of memory")
        }
        let made = PostgresConnection(pointer, settings)
        do {
            try await Loop.withDeadline(settings.connectDeadline) { try await made.finishConnecting() }
        } catch {
            made.close()
            if error is DeadlineExceeded { throw PostgresError(.connection, "connecting took too long") }
            throw error
        }
        return made
    }

    private func finishConnecting() async throws {
        guard PQstatus(connection) != CONNECTION_BAD else { throw connectionError() }
        watchSocket()
        var next = PGRES_POLLING_WRITING
        while true {
            switch next {
            // libpq may ask to wait for a readiness that is already there, whose edge has passed: check first.
            case PGRES_POLLING_READING: if !isReady(POLLIN) { try await descriptor?.readable() }
            case PGRES_POLLING_WRITING: if !isReady(POLLOUT) { try await descriptor?.writable() }
            case PGRES_POLLING_OK:
                watchSocket()
                PQsetnonblocking(connection, 1)
                // Notices can quote data, so they belong in the server's own log only.
                PQsetErrorVerbosity(connection, PQERRORS_DEFAULT)
                PQsetNoticeProcessor(connection, ignoreNotice, nil)
                return
            default: throw connectionError()
            }
            next = PQconnectPoll(connection)
            watchSocket()
        }
    }

    /// Whether the server has closed the connection, or sent something unasked: better to open another one than to find out
    /// with the next statement.
    package var isStale: Bool { isBroken || isReady(POLLIN) }

    /// Whether the socket is ready now.
    private func isReady(_ events: Int32) -> Bool {
        var one = pollfd(fd: PQsocket(connection), events: Int16(events), revents: 0)
        return poll(&one, 1, 0) > 0
    }

    /// Watches a duplicate of libpq's socket, so that libpq can close its own at any time without the loop watching a stale
    /// descriptor. libpq may change its socket while it tries several addresses.
    private func watchSocket() {
        let socket = PQsocket(connection)
        guard socket >= 0 else { return }
        if descriptor != nil, socket == watchedSocket { return }
        descriptor?.close()
        let duplicate = fcntl(socket, F_DUPFD_CLOEXEC, 0)
        guard duplicate >= 0 else { return }
        watchedSocket = socket
        descriptor = Descriptor(owning: duplicate)
    }

    private func connectionError() -> PostgresError {
        PostgresError(.connection, String(cString: PQerrorMessage(connection)))
    }

    /// Runs one statement with parameters; it is prepared when first used on this connection.
    ///
    /// - Throws: ``PostgresError``; with the code `connection` it is unknown whether the statement took effect.
    ///   `CancellationError` if the task is cancelled; the connection takes no other statement then until ``settle()``.
    package func query(_ sql: String, _ parameters: [PostgresValue] = []) async throws -> PostgresResult {
        try await exclusively(canBeAbandoned: true) {
            let types = parameters.map(\.type)
            // A null has no type, so the same SQL may be prepared with different types.
            let key = types.contains(0) ? "\(types)\(sql)" : sql
            let name: String
            if let known = self.prepared[key] {
                name = known
            } else {
                name = "s\(self.preparedCount)"
                self.preparedCount += 1
                self.preparing = name
                guard PQsendPrepare(self.connection, name, sql, Int32(types.count), types) == 1 else {
                    throw self.connectionError()
                }
                _ = try await self.results()
                self.preparing = nil
                self.prepared[key] = name
            }
            let sent = BinaryParameters(parameters).withPointers { values, lengths, formats in
                PQsendQueryPrepared(
                    self.connection, name, Int32(parameters.count), values, lengths, formats, 1)
            }
            guard sent == 1 else { throw self.connectionError() }
            return try await self.results()
        }
    }

    /// Runs a script of several statements without parameters, in one implicit transaction.
    ///
    /// - Throws: ``PostgresError``; with the code `connection` it is unknown whether the script took effect.
    ///   `CancellationError` if the task is cancelled.
    package func script(_ sql: String) async throws {
        try await exclusively {
            guard PQsendQuery(self.connection, sql) == 1 else { throw self.connectionError() }
            _ = try await self.results()
        }
    }

    private func exclusively<T>(canBeAbandoned: Bool = false, _ work: () async throws -> T) async throws -> T {
        precondition(!busy, "A connection runs one statement at a time.")
        guard !isBroken else { throw PostgresError(.connection, "the connection was closed") }
        guard !isAbandoned else { throw CancellationError() }
        busy = true
        // The timer closes the descriptor, which ends the wait below: cheaper than a task per statement.
        var late = false
        let timer = EventLoop.shared.schedule(after: settings.statementDeadline) { [weak self] in
            late = true
            self?.descriptor?.close()
        }
        defer {
            busy = false
            EventLoop.shared.cancel(timer)
        }
        do {
            return try await work()
        } catch let error as PostgresError {
            if error.code == .connection || PQstatus(connection) == CONNECTION_BAD { close() }
            throw error
        } catch {
            if canBeAbandoned, !late, !isBroken, error is CancellationError {
                isAbandoned = true
                throw error
            }
            close()
            if late { throw PostgresError(.connection, "a statement exceeded its deadline") }
            throw error
        }
    }

    /// Whether ``settle()`` has to come before the next borrower.
    var isUnsettled: Bool { !isBroken && (isAbandoned || PQtransactionStatus(connection) != PQTRANS_IDLE) }

    /// Waits for the end of a statement whose task was cancelled and takes back what the borrower left behind: an open
    /// transaction, locks of the session. Closes the connection when that fails or takes longer than a statement may.
    func settle() async {
        guard isUnsettled else { return }
        do {
            if isAbandoned {
                isAbandoned = false
                try await exclusively { try await self.drain() }
            }
            var scripts = ["select pg_advisory_unlock_all()"]
            // Whether it was prepared is not known; nobody else waits for this statement's error.
            if let name = preparing { scripts.insert("deallocate \(name)", at: 0) }
            preparing = nil
            if PQtransactionStatus(connection) != PQTRANS_IDLE { scripts.insert("rollback", at: 0) }
            for text in scripts {
                try await exclusively {
                    guard PQsendQuery(self.connection, text) == 1 else { throw self.connectionError() }
                    try await self.drain()
                }
            }
            if PQtransactionStatus(connection) != PQTRANS_IDLE { close() }
        } catch {
            close()
        }
    }

    /// Closes the connection; a second call does nothing.
    package func close() {
        guard !isBroken else { return }
        isBroken = true
        descriptor?.close()
        descriptor = nil
        PQfinish(connection)
    }

    isolated deinit { close() }
}

private func ignoreNotice(_ context: UnsafeMutableRawPointer?, _ message: UnsafePointer<CChar>?) {}

/// A null-terminated array of C strings for the duration of a call.
private final class CStrings {
    private(set) var pointers: [UnsafePointer<CChar>?]

    init(_ strings: [String]) { pointers = strings.map { UnsafePointer(strdup($0)) } + [nil] }

    deinit { for pointer in pointers { free(UnsafeMutableRawPointer(mutating: pointer)) } }
}

extension PostgresConnection {
    /// Runs `copy … from stdin` with rows in COPY's text format.
    ///
    /// - Throws: ``PostgresError``; either all rows of the call are written or none. `CancellationError` if the task is
    ///   cancelled; the connection is closed then.
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
            // The rest of the answer must be consumed before the next statement.
            while let rest = PQgetResult(connection) { PQclear(rest) }
            throw failure
        }
    }

    private func sendBuffered() async throws {
        while true {
            let left = PQflush(connection)
            if left == 0 { return }
            guard left == 1 else { throw connectionError() }
            // The server may wait for us to read before it reads more.
            guard PQconsumeInput(connection) == 1 else { throw connectionError() }
            try await waitForDescriptor { try await $0.writable() }
        }
    }
}

/// Waiting for the server.
extension PostgresConnection {
    /// Sends what is buffered and waits for all results of the statement; returns the last one.
    private func results() async throws -> PostgresResult {
        try await sendBuffered()
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
                throw PostgresError(.connection, "COPY cannot be used through this call")
            default:
                failure = failure ?? Self.error(pointer)
                PQclear(pointer)
            }
        }
        if let failure { throw failure }
        guard let answer else { throw connectionError() }
        return answer
    }

    /// Reads all that is left of a statement's results, whatever they are.
    private func drain() async throws {
        try await sendBuffered()
        while true {
            while PQisBusy(connection) == 1 {
                try await waitForAnswer()
                guard PQconsumeInput(connection) == 1 else { throw connectionError() }
            }
            guard let pointer = PQgetResult(connection) else { return }
            let status = PQresultStatus(pointer)
            PQclear(pointer)
            if [PGRES_COPY_OUT, PGRES_COPY_IN, PGRES_COPY_BOTH].contains(status) {
                throw PostgresError(.connection, "COPY cannot be used through this call")
            }
        }
    }

    /// libpq may stop reading before the socket is empty, and no new edge announces the rest: check before waiting.
    private func waitForAnswer() async throws {
        if isReady(POLLIN) { return }
        try await waitForDescriptor { try await $0.readable() }
    }

    private func waitForDescriptor(_ wait: (Descriptor) async throws -> Void) async throws {
        guard let descriptor else { throw connectionError() }
        try await wait(descriptor)
    }

    private static func error(_ result: OpaquePointer) -> PostgresError {
        func field(_ code: Int32) -> String? { PQresultErrorField(result, code).map { String(cString: $0) } }
        let code = field(Int32(UInt8(ascii: "C"))).map(PostgresError.Code.init(rawValue:)) ?? .connection
        return PostgresError(
            code, field(Int32(UInt8(ascii: "M"))) ?? String(cString: PQresultErrorMessage(result)),
            constraint: field(Int32(UInt8(ascii: "n"))))
    }
}
