import CCurl
import Glibc
import Runtime

/// One request and its response: libcurl's handle and what has arrived so far.
@Loop final class Transfer {
    /// The size of a stream's buffer in bytes, beyond which libcurl is paused.
    private static let bufferLimit = 262_144

    let handle: UnsafeMutableRawPointer
    /// Resumed when the response's head has arrived; fails with the transfer.
    let headed = LoopWait()
    /// Resumed when the response is complete; fails with the transfer.
    let done = LoopWait()
    private(set) var status = 0
    private(set) var headers: [(name: String, value: String)] = []

    private weak var client: HTTPClient?
    private let collects: Bool
    private let responseLimit: Int
    private var fields: UnsafeMutablePointer<curl_slist>?
    private let upload: UploadSource?
    private var body: [UInt8] = []
    private var total = 0
    private var isTooLarge = false
    /// Whether an address was refused because it is none of the public internet.
    private var isInward = false
    private var isPaused = false
    private var result: Result<Void, any Error>?
    private var waiter: LoopWait?

    init(_ request: HTTPClientRequest, collects: Bool, client: HTTPClient) throws {
        guard request.method.utf8.allSatisfy({ (0x41...0x5A).contains($0) }), !request.method.isEmpty,
            request.headers.allSatisfy({ Self.isOneLine($0.name) && Self.isOneLine($0.value) && !$0.name.isEmpty })
        else { throw HTTPClientError(.invalidRequest, "The method or a field is not valid; correct the request.") }
        let upload: UploadSource? =
            switch request.body {
            case .file(let path): try FileUpload(path, onUpload: request.onUpload)
            case .pieces(let size): PieceUpload(size: size)
            case .none, .bytes: nil
            }
        guard let handle = curl_easy_init() else {
            throw HTTPClientError(.broken, "The request could not be started; try again.")
        }
        self.handle = handle
        self.upload = upload
        self.client = client
        self.collects = collects
        responseLimit = request.responseLimit
        configure(request, proxy: client.proxy)
    }

    isolated deinit {
        curl_easy_cleanup(handle)
        curl_slist_free_all(fields)
    }

    // MARK: Receiving

    fileprivate func header(_ line: UnsafeRawBufferPointer) {
        var line = line[...]
        while let last = line.last, last == 0x0D || last == 0x0A { line = line.dropLast() }
        if line.isEmpty {
            var number = 0
            _ = ccurl_status(handle, &number)
            status = number
            // Interim responses (100 Continue) have a head of their own.
            if number >= 200 { headed.resume() }
            return
        }
        if line.starts(with: Array("HTTP/".utf8)) {
            headers = []
            return
        }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
        let value = line[(colon + 1)...].drop { $0 == 0x20 || $0 == 0x09 }
        headers.append((String(decoding: line[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self)))
    }

    fileprivate func data(_ bytes: UnsafeRawBufferPointer) -> Int {
        if collects {
            if body.count + bytes.count > responseLimit {
                isTooLarge = true
                return 0
            }
        } else if body.count > Self.bufferLimit {
            isPaused = true
            return Int(CURL_WRITEFUNC_PAUSE)
        }
        body.append(contentsOf: bytes)
        waiter?.resume()
        return bytes.count
    }

    func finish(_ code: CURLcode) {
        guard result == nil else { return }
        if code == CURLE_OK {
            result = .success(())
            headed.resume()
            done.resume()
        } else {
            let error =
                isTooLarge
                ? HTTPClientError(
                    .answerTooLarge, "The answer is larger than \(responseLimit) bytes; raise the request's limit.")
                : refusalByProxy ?? (isInward ? .inward : HTTPClientError(code))
            result = .failure(error)
            headed.fail(error)
            done.fail(error)
        }
        waiter?.resume()
        pieces?.end()
    }

    /// A socket for an address that libcurl is about to connect to; -1, which it takes for a failure, when the address is none of the
    /// public internet.
    fileprivate func open(_ address: UnsafeMutablePointer<curl_sockaddr>) -> Int32 {
        let start = UnsafeRawPointer(address) + (MemoryLayout<curl_sockaddr>.offset(of: \.addr) ?? 0)
        // Where the bytes lie in `sockaddr_in` and `sockaddr_in6`.
        let place: (offset: Int, count: Int)? =
            switch address.pointee.family {
            case AF_INET: (4, 4)
            case AF_INET6: (8, 16)
            default: nil
            }
        let bytes = place.map { Array(UnsafeRawBufferPointer(start: start + $0.offset, count: $0.count)) }
        guard let bytes, PublicAddress.contains(bytes) else {
            isInward = true
            return -1
        }
        return socket(
            address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue), address.pointee.protocol)
    }

    /// The failure when a proxy did not open the tunnel: nothing of the request was sent.
    private var refusalByProxy: HTTPClientError? {
        var status = 0
        _ = ccurl_connect_status(handle, &status)
        switch status {
        case 0, 200...299: return nil
        case 400...499: return HTTPClientError(.notLetOut, proxyStatus: status)
        default: return HTTPClientError(.unreachable, proxyStatus: status)
        }
    }

    // MARK: Pulling

    func takeAll() -> [UInt8] {
        defer { body = [] }
        return body
    }

    func next() async throws -> [UInt8]? {
        while true {
            if !body.isEmpty {
                let piece = takeAll()
                resume()
                return piece
            }
            if let result {
                try result.get()
                return nil
            }
            let wait = LoopWait()
            waiter = wait
            defer { waiter = nil }
            try await wait.wait()
        }
    }

    private func resume() {
        guard isPaused, let client, result == nil else { return }
        isPaused = false
        curl_easy_pause(handle, CURLPAUSE_CONT)
        client.act()
    }

    func cancel() {
        client?.end(self)
        if result == nil { result = .failure(CancellationError()) }
        waiter?.resume()
        pieces?.end()
    }

    // MARK: Sending

    private var pieces: PieceUpload? { upload as? PieceUpload }

    /// Hands over the next bytes of the body and waits until libcurl has taken them, or the transfer has ended.
    func give(_ bytes: [UInt8]) async throws {
        guard result == nil, let pieces, let client else { return }
        let wait = pieces.offer(bytes)
        curl_easy_pause(handle, CURLPAUSE_CONT)
        client.act()
        try await wait.wait()
    }

    func detach() { client = nil }
}

private func curlHasHeader(
    _ data: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context else { return 0 }
    let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    // Unsafe only to the compiler: callee and caller are on the same thread.
    nonisolated(unsafe) let bytes = UnsafeRawBufferPointer(start: data, count: size * count)
    Loop.assumeIsolated { transfer.header(bytes) }
    return size * count
}

private func curlOpensSocket(
    _ context: UnsafeMutableRawPointer?, _: curlsocktype, _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> Int32 {
    guard let context, let address else { return -1 }
    let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    // Unsafe only to the compiler: callee and caller are on the same thread.
    nonisolated(unsafe) let wanted = address
    return Loop.assumeIsolated { transfer.open(wanted) }
}

private func curlHasData(
    _ data: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context else { return 0 }
    let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    // Unsafe only to the compiler: callee and caller are on the same thread.
    nonisolated(unsafe) let bytes = UnsafeRawBufferPointer(start: data, count: size * count)
    return Loop.assumeIsolated { transfer.data(bytes) }
}

/// Configuring libcurl for a request.
extension Transfer {
    private func configure(_ request: HTTPClientRequest, proxy: String?) {
        _ = ccurl_set_long(handle, CURLOPT_NOSIGNAL, 1)
        _ = ccurl_set_text(handle, CURLOPT_URL, request.url)
        _ = ccurl_set_text(handle, CURLOPT_PROTOCOLS_STR, request.protocols.joined(separator: ","))
        _ = ccurl_set_long(handle, CURLOPT_FOLLOWLOCATION, 0)
        _ = ccurl_set_long(handle, CURLOPT_CONNECTTIMEOUT_MS, Self.milliseconds(request.connectDeadline))
        if request.isSentOnce {
            _ = ccurl_set_long(handle, CURLOPT_FRESH_CONNECT, 1)
            _ = ccurl_set_long(handle, CURLOPT_FORBID_REUSE, 1)
        }
        // Empty, libcurl does not look for one in the environment.
        _ = ccurl_set_text(handle, CURLOPT_PROXY, proxy ?? "")
        if proxy != nil {
            // In a tunnel, whatever the scheme: the proxy learns the host and the port, and decides by them alone.
            _ = ccurl_set_long(handle, CURLOPT_HTTPPROXYTUNNEL, 1)
            _ = ccurl_set_long(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
            // What stays on this machine does not go out, unless it may not stay either. Instead of `no_proxy`, by which anything could
            // go around.
            _ = ccurl_set_text(handle, CURLOPT_NOPROXY, request.isForPublicAddress ? "" : "127.0.0.1")
        }
        // As OpenSSL's own tools do: a file of trusted certificate authorities, such as that of a private network.
        if let authorities = getenv("SSL_CERT_FILE") { _ = ccurl_set_text(handle, CURLOPT_CAINFO, authorities) }
        let context = Unmanaged.passUnretained(self).toOpaque()
        _ = ccurl_set_data_callback(handle, CURLOPT_HEADERFUNCTION, curlHasHeader)
        _ = ccurl_set_pointer(handle, CURLOPT_HEADERDATA, context)
        _ = ccurl_set_data_callback(handle, CURLOPT_WRITEFUNCTION, curlHasData)
        _ = ccurl_set_pointer(handle, CURLOPT_WRITEDATA, context)
        if request.isForPublicAddress, proxy == nil {
            _ = ccurl_set_socket_opener(handle, curlOpensSocket)
            _ = ccurl_set_pointer(handle, CURLOPT_OPENSOCKETDATA, context)
        }
        setBody(request)
        for line in Self.lines(request) { fields = curl_slist_append(fields, line) }
        _ = ccurl_set_list(handle, CURLOPT_HTTPHEADER, fields)
        guard let signature = request.signature else { return }
        _ = ccurl_set_text(handle, CURLOPT_AWS_SIGV4, "aws:amz:\(signature.region):\(signature.service)")
        _ = ccurl_set_text(handle, CURLOPT_USERNAME, signature.accessKey)
        _ = ccurl_set_text(handle, CURLOPT_PASSWORD, signature.secretKey)
    }

    private static func lines(_ request: HTTPClientRequest) -> [String] {
        var lines = request.headers.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
        func has(_ name: String) -> Bool { request.headers.contains { $0.name.lowercased() == name } }
        if !has("user-agent") { lines.append("User-Agent: mirrormate") }
        switch request.body {
        // Asks for permission first, so that a dead connection or a refusal costs none of the pieces.
        case .pieces: lines.append("Expect: 100-continue")
        case .file: if !has("content-type") { lines.append("Content-Type:") }
        // By default libcurl sets a form's content type and waits for permission to send bytes. The lines that suppress
        // these fields would be signed as if they were sent.
        case .none, .bytes:
            if request.signature != nil { break }
            if !has("content-type") { lines.append("Content-Type:") }
            lines.append("Expect:")
        }
        return lines
    }

    private func setBody(_ request: HTTPClientRequest) {
        let bytes: [UInt8]
        switch request.body {
        case .file, .pieces:
            guard let upload else { return }
            let context = Unmanaged.passUnretained(upload).toOpaque()
            _ = ccurl_set_long(handle, CURLOPT_UPLOAD, 1)
            _ = ccurl_set_offset(handle, CURLOPT_INFILESIZE_LARGE, curl_off_t(upload.size))
            _ = ccurl_set_data_callback(handle, CURLOPT_READFUNCTION, curlWantsData)
            _ = ccurl_set_pointer(handle, CURLOPT_READDATA, context)
            _ = ccurl_set_seek_callback(handle, curlSeeks)
            _ = ccurl_set_pointer(handle, CURLOPT_SEEKDATA, context)
            _ = ccurl_set_text(handle, CURLOPT_CUSTOMREQUEST, request.method)
            return
        case .none where request.method == "HEAD":
            _ = ccurl_set_long(handle, CURLOPT_NOBODY, 1)
            return
        case .none where request.method != "POST" && request.method != "PUT" && request.method != "PATCH":
            _ = ccurl_set_text(handle, CURLOPT_CUSTOMREQUEST, request.method)
            return
        case .none: bytes = []
        case .bytes(let given): bytes = given
        }
        _ = ccurl_set_offset(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(bytes.count))
        // libcurl copies the bytes; an empty body still needs an address.
        (bytes.isEmpty ? [0] : bytes).withUnsafeBytes {
            _ = ccurl_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, $0.baseAddress)
        }
        _ = ccurl_set_text(handle, CURLOPT_CUSTOMREQUEST, request.method)
    }

    func limit(total: Duration) { _ = ccurl_set_long(handle, CURLOPT_TIMEOUT_MS, Self.milliseconds(total)) }

    func limit(idle: Duration) {
        _ = ccurl_set_long(handle, CURLOPT_LOW_SPEED_LIMIT, 1)
        _ = ccurl_set_long(handle, CURLOPT_LOW_SPEED_TIME, max(1, (Self.milliseconds(idle) + 999) / 1_000))
    }

    private static func milliseconds(_ duration: Duration) -> Int {
        // Zero would mean "no limit" to libcurl.
        Int(max(1, min(duration.nanosecondsClamped / 1_000_000, 1 << 31 - 1)))
    }

    private static func isOneLine(_ text: String) -> Bool {
        !text.utf8.contains { $0 == 0x0D || $0 == 0x0A || $0 == 0 }
    }
}
