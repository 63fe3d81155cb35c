import CCurl
package import Configuration

/// The settings of a process that sends mail, from its environment.
///
/// | Variable | Type | Default | Meaning |
/// |---|---|---|---|
/// | `MAIL_URL` | address | file:.mirrormate/mail | `file:FOLDER`, `smtp://[USER[:PASSWORD]@]HOST[:PORT]` or `smtps://…` |
/// | `MAIL_PASSWORD` | secret | none | the password, if it is not in the address |
/// | `MAIL_FROM` | text | for files only | the sender, `NAME <ADDRESS>` or `ADDRESS` |
/// | `MAIL_CA_FILE` | file | the system's | the certificate authorities to trust |
/// | `MAIL_RETRY` | duration | 1m | the wait after the first failure; it doubles up to an hour |
/// | `MAIL_ATTEMPTS` | number | 12 | attempts before a mail is parked |
///
/// `smtp` requires STARTTLS unless the address ends in `?tls=none`; `smtps` is TLS from the start.
package struct MailSettings: Sendable {
    package let transport: MailTransport
    package let sender: MailAddress
    package let retry: Duration
    package let attempts: Int

    /// Reads the variables; problems are collected in `environment`.
    package init(_ environment: Environment) {
        let text = environment.string("MAIL_URL", default: "file:.mirrormate/mail")
        let password = environment.optionalSecret("MAIL_PASSWORD")
        let transport = Self.transport(text, password, environment.optional("MAIL_CA_FILE"))
        if transport == nil {
            environment.refuse(
                "MAIL_URL", "must be file:FOLDER, smtp://[USER[:PASSWORD]@]HOST[:PORT][?tls=none] or smtps://….")
        }
        self.transport = transport ?? .folder("")
        var standard: String?
        if case .folder = self.transport { standard = "MirrorMate <no-reply@mirrormate.invalid>" }
        let sender = environment.string("MAIL_FROM", default: standard)
        let address = MailAddress(configuration: sender)
        if address == nil, !sender.isEmpty { environment.refuse("MAIL_FROM", "must be an address or NAME <ADDRESS>.") }
        self.sender = address ?? MailAddress("no-reply@mirrormate.invalid")!
        retry = environment.duration("MAIL_RETRY", default: .seconds(60))
        attempts = environment.int("MAIL_ATTEMPTS", default: 12, in: 1...1_000)
    }

    private static func transport(_ text: String, _ password: Secret?, _ authorities: String?) -> MailTransport? {
        if text.hasPrefix("file:") {
            let path = text.hasPrefix("file://") ? text.dropFirst(7) : text.dropFirst(5)
            // file://host/folder refers to another machine, whose folders are not accessible.
            return path.isEmpty || (text.hasPrefix("file://") && !path.hasPrefix("/")) ? nil : .folder(String(path))
        }
        guard let url = curl_url() else { return nil }
        defer { curl_url_cleanup(url) }
        guard curl_url_set(url, CURLUPART_URL, text, UInt32(CURLU_NON_SUPPORT_SCHEME)) == CURLUE_OK,
            let scheme = part(url, CURLUPART_SCHEME), let host = part(url, CURLUPART_HOST), !host.isEmpty,
            ["", "/"].contains(part(url, CURLUPART_PATH) ?? "")
        else { return nil }
        let protection: MailServer.Protection
        switch (scheme, part(url, CURLUPART_QUERY)) {
        case ("smtp", nil), ("smtp", "tls=starttls"): protection = .required
        case ("smtp", "tls=none"): protection = .none
        case ("smtps", nil): protection = .implicit
        default: return nil
        }
        guard let port = part(url, CURLUPART_PORT).map({ Int($0) }) ?? (protection == .implicit ? 465 : 587) else {
            return nil
        }
        return .server(
            MailServer(
                host: host, port: port, protection: protection, user: part(url, CURLUPART_USER),
                password: password ?? Secret(part(url, CURLUPART_PASSWORD) ?? ""), authorities: authorities))
    }

    /// A percent-decoded part of a URL; nil if it is missing.
    private static func part(_ url: OpaquePointer, _ part: CURLUPart) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(url, part, &text, UInt32(CURLU_URLDECODE)) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }
}
