import CPostgres
import Glibc
import Primitives
package import Runtime

/// One connection to PostgreSQL on the event loop: non-blocking libpq, one statement at a time.
///
/// A statement whose task is cancelled, or that exceeds its deadline, leaves the connection broken: the pool throws it away
/// rather than guess what the server is still doing.
@Loop package final class PostgresConnection {
    let connection: OpaquePointer
    private let settings: PostgresSettings
    private(set) var descriptor: Descriptor?
    private var prepared: [String: String] = [:]
    private var busy = false
    /// Whether the connection has ended and cannot be used any more.
    package private(set) var isBroken = false

    private init(_ connection: OpaquePointer, _ settings: PostgresSettings) {
        self.connection = connection
        self.settings = settings
    }

    /// Connects.
    ///
    /// - Throws: ``PostgresError`` with the code `connection`, or with the server's code (a wrong password is 28P01).
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
            // libpq asks for a readiness that it need not have found missing, and the edge that tells of it may be past.
            case PGRES_POLLING_READING: if !isReady(POLLIN) { try await descriptor?.readable() }
            case PGRES_POLLING_WRITING: if !isReady(POLLOUT) { try await descriptor?.writable() }
            case PGRES_POLLING_OK:
                watchSocket()
                PQsetnonblocking(connection, 1)
                // Notices can quote data; the server's own log is the place for them.
                PQsetErrorVerbosity(connection, PQERRORS_DEFAULT)
                PQsetNoticeProcessor(connection, ignoreNotice, nil)
                return
            default: throw connectionError()
            }
            next = PQconnectPoll(connection)
            watchSocket()
        }
    }

    /// Whether the server has gone, or has something to say, while nothing was asked: better open another one than find out
    /// with the next statement.
    package var isStale: Bool { isBroken || isReady(POLLIN) }

    /// Whether the socket is ready now.
    func isReady(_ events: Int32) -> Bool {
        var one = pollfd(fd: PQsocket(connection), events: Int16(events), revents: 0)
        return poll(&one, 1, 0) > 0
    }

    /// libpq may change its socket while it tries several addresses. A duplicate is watched, so that libpq can close its own
    /// at any time without the loop holding a dead number.
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
    private var watchedSocket: Int32 = -1

    func connectionError() -> PostgresError {
        PostgresError(.connection, String(cString: PQerrorMessage(connection)))
    }

    /// Runs one statement with parameters; it is prepared at its first use on this connection.
    ///
    /// - Throws: ``PostgresError``; after one with the code `connection` it is unknown whether the statement took effect.
    package func query(_ sql: String, _ parameters: [PostgresValue] = []) async throws -> PostgresResult {
        try await exclusively {
            let types = parameters.map(\.type)
            // A null has no type of its own, so the same text may be prepared with different types.
            let key = types.contains(0) ? "\(types)\(sql)" : sql
            let name: String
            if let known = self.prepared[key] {
                name = known
            } else {
                name = "s\(self.prepared.count)"
                guard PQsendPrepare(self.connection, name, sql, Int32(types.count), types) == 1 else {
                    throw self.connectionError()
                }
                _ = try await self.results()
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
    package func script(_ sql: String) async throws {
        try await exclusively {
            guard PQsendQuery(self.connection, sql) == 1 else { throw self.connectionError() }
            _ = try await self.results()
        }
    }

    func exclusively<T>(_ work: () async throws -> T) async throws -> T {
        precondition(!busy, "A connection runs one statement at a time.")
        guard !isBroken else { throw PostgresError(.connection, "the connection was closed") }
        busy = true
        // The timer closes the descriptor, which ends the wait below: cheaper than a task for each statement.
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
            close()
            if late { throw PostgresError(.connection, "a statement exceeded its deadline") }
            throw error
        }
    }

    /// Ends the connection; a second call does nothing.
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
