import CCurl
import Glibc
import Runtime

/// One exchange: libcurl's handle and what has come of the answer.
@Loop final class Transfer {
    /// A stream's buffer; libcurl is told to wait beyond it.
    private static let bufferLimit = 262_144

    let handle: UnsafeMutableRawPointer
    /// Resumed when the answer's head is there; fails with the transfer.
    let headed = LoopWait()
    /// Resumed when all is there; fails with the transfer.
    let done = LoopWait()
    private(set) var status = 0
    private(set) var headers: [(name: String, value: String)] = []

    private weak var client: HTTPClient?
    private let collects: Bool
    private let responseLimit: Int
    var fields: UnsafeMutablePointer<curl_slist>?
    let upload: UploadSource?
    private var body: [UInt8] = []
    private var total = 0
    private var isTooLarge = false
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
        configure(request, usesProxy: client.usesProxyFromEnvironment)
    }

    isolated deinit {
        curl_easy_cleanup(handle)
        curl_slist_free_all(fields)
    }

    // MARK: What comes

    fileprivate func header(_ line: UnsafeRawBufferPointer) {
        var line = line[...]
        while let last = line.last, last == 0x0D || last == 0x0A { line = line.dropLast() }
        if line.isEmpty {
            var number = 0
            _ = ccurl_status(handle, &number)
            status = number
            // What comes before an answer (100 Continue) has a head of its own.
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
                : HTTPClientError(code)
            result = .failure(error)
            headed.fail(error)
            done.fail(error)
        }
        waiter?.resume()
        pieces?.end()
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

    // MARK: Handing over

    private var pieces: PieceUpload? { upload as? PieceUpload }

    /// Gives the next bytes of the body and waits until libcurl has taken them, or nothing is sent any more.
    func give(_ bytes: [UInt8]) async throws {
        guard result == nil, let pieces, let client else { return }
        let wait = pieces.offer(bytes)
        curl_easy_pause(handle, CURLPAUSE_CONT)
        client.act()
        try await wait.wait()
    }

    func detach() { client = nil }
}

func curlHasHeader(
    _ data: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context else { return 0 }
    let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    // Unsafe only to the compiler: callee and caller are on the same thread.
    nonisolated(unsafe) let bytes = UnsafeRawBufferPointer(start: data, count: size * count)
    Loop.assumeIsolated { transfer.header(bytes) }
    return size * count
}

func curlHasData(
    _ data: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context else { return 0 }
    let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    // Unsafe only to the compiler: callee and caller are on the same thread.
    nonisolated(unsafe) let bytes = UnsafeRawBufferPointer(start: data, count: size * count)
    return Loop.assumeIsolated { transfer.data(bytes) }
}
