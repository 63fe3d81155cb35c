import CCurl
import Configuration
import Glibc

/// A mail server that accepts mail by SMTP (RFC 5321).
package struct MailServer: Sendable, Equatable {
    /// How the connection is protected.
    enum Protection: String, Sendable, CaseIterable {
        /// TLS from the first byte (`smtps`, RFC 8314).
        case implicit
        /// STARTTLS, and no mail without it.
        case required = "starttls"
        /// None, for a server on the same machine.
        case none
    }

    let host: String
    let port: Int
    let protection: Protection
    let user: String?
    let password: Secret
    /// A file of certificates to trust instead of the system's.
    let authorities: String?

    private static let connectMilliseconds = 10_000
    /// The deadline of the whole transfer.
    private static let milliseconds = 30_000

    /// Sends a mail; blocks until the server has accepted it.
    ///
    /// - Throws: ``MailError``.
    func send(_ mail: OutgoingMail) throws(MailError) {
        guard let handle = curl_easy_init() else {
            throw MailError(.unreachable, "The transfer could not be set up; try again.")
        }
        defer { curl_easy_cleanup(handle) }
        let recipients = curl_slist_append(nil, "<\(mail.message.recipient.address)>")
        defer { curl_slist_free_all(recipients) }
        let reader = MailReader(mail.bytes)
        // The path is the name in the greeting to the server.
        let scheme = protection == .implicit ? "smtps" : "smtp"
        _ = ccurl_set_text(handle, CURLOPT_URL, "\(scheme)://\(host):\(port)/\(mail.sender.domain)")
        _ = ccurl_set_text(handle, CURLOPT_PROTOCOLS_STR, "smtp,smtps")
        _ = ccurl_set_text(handle, CURLOPT_PROXY, "")
        _ = ccurl_set_long(handle, CURLOPT_NOSIGNAL, 1)
        _ = ccurl_set_long(handle, CURLOPT_CONNECTTIMEOUT_MS, Self.connectMilliseconds)
        _ = ccurl_set_long(handle, CURLOPT_TIMEOUT_MS, Self.milliseconds)
        if protection != .none { _ = ccurl_set_long(handle, CURLOPT_USE_SSL, Int(CURLUSESSL_ALL.rawValue)) }
        if let authorities { _ = ccurl_set_text(handle, CURLOPT_CAINFO, authorities) }
        if let user {
            _ = ccurl_set_text(handle, CURLOPT_USERNAME, user)
            _ = ccurl_set_text(handle, CURLOPT_PASSWORD, password.reveal())
        }
        _ = ccurl_set_text(handle, CURLOPT_MAIL_FROM, "<\(mail.sender.address)>")
        _ = ccurl_set_list(handle, CURLOPT_MAIL_RCPT, recipients)
        _ = ccurl_set_data_callback(handle, CURLOPT_READFUNCTION, curlWantsMail)
        _ = ccurl_set_pointer(handle, CURLOPT_READDATA, Unmanaged.passUnretained(reader).toOpaque())
        _ = ccurl_set_long(handle, CURLOPT_UPLOAD, 1)
        let result = withExtendedLifetime(reader) { curl_easy_perform(handle) }
        guard result != CURLE_OK else { return }
        var status = 0
        _ = ccurl_status(handle, &status)
        throw Self.error(result, status)
    }

    private static func error(_ result: CURLcode, _ status: Int) -> MailError {
        let reason = String(cString: curl_easy_strerror(result))
        switch (result, status) {
        case (CURLE_LOGIN_DENIED, _), (_, 530), (_, 534), (_, 535), (_, 538):
            return MailError(.loginRefused, "The mail server refuses the login; check MAIL_URL and MAIL_PASSWORD.")
        case (CURLE_PEER_FAILED_VERIFICATION, _), (CURLE_SSL_CONNECT_ERROR, _), (CURLE_USE_SSL_FAILED, _),
            (CURLE_SSL_CACERT_BADFILE, _):
            return MailError(
                .untrusted, "The mail server cannot be trusted (\(reason)); check its certificate and MAIL_CA_FILE.")
        case (_, 550...554):
            return MailError(.refused, "The mail server refuses this mail (status \(status)); check the address.")
        case (_, 400...599):
            return MailError(
                .deferred, "The mail server refuses the mail for now (status \(status)); it will be retried.")
        default:
            return MailError(.unreachable, "The mail server cannot be used (\(reason)); check MAIL_URL and the server.")
        }
    }
}

/// The source from which libcurl reads a mail.
private final class MailReader {
    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(buffer.count, bytes.count - offset)
        buffer.copyBytes(from: bytes[offset..<(offset + count)])
        offset += count
        return count
    }
}

private func curlWantsMail(
    _ data: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context else { return Int(CURL_READFUNC_ABORT) }
    let reader = Unmanaged<MailReader>.fromOpaque(context).takeUnretainedValue()
    return reader.read(into: UnsafeMutableRawBufferPointer(start: data, count: size * count))
}
