import CCurl
import Glibc
package import Runtime

/// Sends requests through libcurl's multi interface on the event loop, without an extra thread. Connections are kept
/// and reused.
@Loop package final class HTTPClient {
    /// The process's client for what belongs to its deployment; it knows no proxy.
    package static let shared = HTTPClient()
    /// The process's client for everything outside: through the proxy that `https_proxy` names, if any, and then never around it.
    package static let outward = HTTPClient(
        connectionsPerHost: 16, proxy: getenv("https_proxy").map { String(cString: $0) })

    private static let isLibraryReady: Void = { _ = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) }()

    let proxy: String?
    private let multi: UnsafeMutableRawPointer
    private var transfers: [UnsafeMutableRawPointer: Transfer] = [:]
    private var sockets: [Int32: SocketWatch] = [:]
    private var timer: TimerToken?

    /// A client with its own connections, which lives as long as the process.
    ///
    /// - Parameters:
    ///   - connectionsPerHost: the maximum at a time; further requests wait.
    ///   - proxy: the URL of a proxy through which everything goes, by `CONNECT`, but to 127.0.0.1; none where it is nil or empty.
    ///     What the environment says of proxies, and of exceptions, counts for nothing.
    package init(connectionsPerHost: Int = 32, proxy: String? = nil) {
        Self.isLibraryReady
        self.proxy = proxy.flatMap { $0.isEmpty ? nil : $0 }
        guard let multi = curl_multi_init() else { preconditionFailure("libcurl cannot be set up: no memory.") }
        self.multi = multi
        // Leaks on purpose: the client must outlive the multi handle, which refers to it.
        let context = Unmanaged.passRetained(self).toOpaque()
        _ = ccurl_multi_set_socket_callback(multi, curlWatchesSocket)
        _ = ccurl_multi_set_pointer(multi, CURLMOPT_SOCKETDATA, context)
        _ = ccurl_multi_set_timer_callback(multi, curlSetsTimer)
        _ = ccurl_multi_set_pointer(multi, CURLMOPT_TIMERDATA, context)
        _ = ccurl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, connectionsPerHost)
    }

    /// Sends a request and collects the response.
    ///
    /// - Parameter deadline: for everything from connecting to the last byte.
    /// - Throws: ``HTTPClientError``; `CancellationError` if the task is cancelled. A status of 400 or above is a
    ///   response, not an error.
    package func send(
        _ request: HTTPClientRequest, deadline: Duration = .seconds(30)
    ) async throws -> HTTPClientResponse {
        let transfer = try Transfer(request, collects: true, client: self)
        transfer.limit(total: deadline)
        try begin(transfer)
        defer { end(transfer) }
        try await transfer.done.wait()
        return HTTPClientResponse(status: transfer.status, headers: transfer.headers, body: transfer.takeAll())
    }

    /// Sends a request and returns the response as soon as its head has arrived; the body is then pulled.
    ///
    /// - Parameters:
    ///   - deadline: for everything up to the last byte; nil for endless streams.
    ///   - idleDeadline: how long the server may send nothing, in whole seconds.
    /// - Throws: as ``send(_:deadline:)``.
    package func stream(
        _ request: HTTPClientRequest, deadline: Duration? = nil, idleDeadline: Duration = .seconds(60)
    ) async throws -> HTTPClientStream {
        let transfer = try Transfer(request, collects: false, client: self)
        if let deadline { transfer.limit(total: deadline) }
        transfer.limit(idle: idleDeadline)
        try begin(transfer)
        do {
            try await transfer.headed.wait()
        } catch {
            end(transfer)
            throw error
        }
        return HTTPClientStream(transfer)
    }

    /// Starts a request whose body is ``HTTPClientRequest/Body/pieces(size:)``.
    ///
    /// - Throws: as ``send(_:deadline:)``.
    package func upload(_ request: HTTPClientRequest) throws -> HTTPClientUpload {
        let transfer = try Transfer(request, collects: true, client: self)
        try begin(transfer)
        return HTTPClientUpload(transfer)
    }

    // MARK: Transfers

    private func begin(_ transfer: Transfer) throws {
        transfers[transfer.handle] = transfer
        guard curl_multi_add_handle(multi, transfer.handle) == CURLM_OK else {
            transfers[transfer.handle] = nil
            throw HTTPClientError(.broken, "The request could not be started; try again.")
        }
    }

    /// Ends a transfer, complete or not; a second call does nothing.
    func end(_ transfer: Transfer) {
        guard transfers.removeValue(forKey: transfer.handle) != nil else { return }
        curl_multi_remove_handle(multi, transfer.handle)
        transfer.detach()
    }

    /// Lets libcurl act on a socket event or a timeout.
    func act(on socket: Int32 = -1, events: Int32 = 0) {
        var running: Int32 = 0
        _ = curl_multi_socket_action(multi, socket, events, &running)
        var result = CURLE_OK
        while let handle = ccurl_next_done(multi, &result) {
            guard let transfer = transfers[handle] else { continue }
            end(transfer)
            transfer.finish(result)
        }
    }

    // MARK: What libcurl asks for

    fileprivate func watch(_ socket: Int32, _ action: Int32) {
        if action == CURL_POLL_REMOVE {
            sockets[socket] = nil
            EventLoop.shared.unregister(socket)
            return
        }
        let watch = sockets[socket] ?? SocketWatch(socket, client: self)
        sockets[socket] = watch
        EventLoop.shared.register(
            socket, for: .level(reading: action & CURL_POLL_IN != 0, writing: action & CURL_POLL_OUT != 0),
            handler: watch)
    }

    fileprivate func setTimer(milliseconds: Int) {
        if let timer { EventLoop.shared.cancel(timer) }
        timer = nil
        guard milliseconds >= 0 else { return }
        timer = EventLoop.shared.schedule(after: .milliseconds(milliseconds)) { [self] in
            timer = nil
            act()
        }
    }
}

/// Watches one of libcurl's sockets.
@Loop private final class SocketWatch: DescriptorHandler {
    private let socket: Int32
    private let client: HTTPClient

    init(_ socket: Int32, client: HTTPClient) {
        self.socket = socket
        self.client = client
    }

    func ready(_ readiness: Readiness) {
        client.act(
            on: socket,
            events: (readiness.readable ? CURL_CSELECT_IN : 0) | (readiness.writable ? CURL_CSELECT_OUT : 0))
    }
}

private func curlWatchesSocket(
    _ handle: UnsafeMutableRawPointer?, _ socket: Int32, _ action: Int32, _ context: UnsafeMutableRawPointer?,
    _ socketContext: UnsafeMutableRawPointer?
) -> Int32 {
    guard let context else { return 0 }
    let client = Unmanaged<HTTPClient>.fromOpaque(context).takeUnretainedValue()
    Loop.assumeIsolated { client.watch(socket, action) }
    return 0
}

private func curlSetsTimer(
    _ multi: UnsafeMutableRawPointer?, _ milliseconds: Int, _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard let context else { return 0 }
    let client = Unmanaged<HTTPClient>.fromOpaque(context).takeUnretainedValue()
    Loop.assumeIsolated { client.setTimer(milliseconds: milliseconds) }
    return 0
}
