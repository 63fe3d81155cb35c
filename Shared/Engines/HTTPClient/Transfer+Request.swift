import CCurl
import Glibc
import Runtime

/// How a request is told to libcurl.
extension Transfer {
    func configure(_ request: HTTPClientRequest, usesProxy: Bool) {
        _ = ccurl_set_long(handle, CURLOPT_NOSIGNAL, 1)
        _ = ccurl_set_text(handle, CURLOPT_URL, request.url)
        _ = ccurl_set_text(handle, CURLOPT_PROTOCOLS_STR, request.protocols.joined(separator: ","))
        _ = ccurl_set_long(handle, CURLOPT_FOLLOWLOCATION, 0)
        _ = ccurl_set_long(handle, CURLOPT_CONNECTTIMEOUT_MS, Self.milliseconds(request.connectDeadline))
        if !usesProxy { _ = ccurl_set_text(handle, CURLOPT_PROXY, "") }
        // As OpenSSL's own tools have it: who else may vouch for servers, such as the authority of a closed network.
        if let authorities = getenv("SSL_CERT_FILE") { _ = ccurl_set_text(handle, CURLOPT_CAINFO, authorities) }
        let context = Unmanaged.passUnretained(self).toOpaque()
        _ = ccurl_set_data_callback(handle, CURLOPT_HEADERFUNCTION, curlHasHeader)
        _ = ccurl_set_pointer(handle, CURLOPT_HEADERDATA, context)
        _ = ccurl_set_data_callback(handle, CURLOPT_WRITEFUNCTION, curlHasData)
        _ = ccurl_set_pointer(handle, CURLOPT_WRITEDATA, context)
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
        // Leave is asked first, so that a connection that has died, or a refusal, costs none of the pieces.
        case .pieces: lines.append("Expect: 100-continue")
        case .file: if !has("content-type") { lines.append("Content-Type:") }
        // libcurl would make up a form's type for bytes, and wait for leave to send them; it signs lines that take away
        // a field as if they were sent.
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

    static func isOneLine(_ text: String) -> Bool {
        !text.utf8.contains { $0 == 0x0D || $0 == 0x0A || $0 == 0 }
    }
}
