import Configuration
import Testing

@testable import Mail

@Suite struct `The settings of mail` {
    @Test func `name a folder or a server`() throws {
        #expect(try makeSettings([:]).transport == .folder(".mirrormate/mail"))
        #expect(try makeSettings(["MAIL_URL": "file:///var/mails"]).transport == .folder("/var/mails"))
        #expect(try server("smtp://mail.example.org") == ("mail.example.org", 587, .required, nil, ""))
        #expect(try server("smtps://mail.example.org") == ("mail.example.org", 465, .implicit, nil, ""))
        #expect(try server("smtp://[::1]:25?tls=none") == ("[::1]", 25, .none, nil, ""))
        #expect(
            try server("smtp://me%40example.org:p%3Ass@mail.example.org:2525")
                == ("mail.example.org", 2_525, .required, "me@example.org", "p:ss"))
        let password = "0f1e2d3c4b5a69788796"
        #expect(
            try server("smtps://me@mail.example.org", ["MAIL_PASSWORD": password])
                == ("mail.example.org", 465, .implicit, "me", password))
    }

    @Test(arguments: [
        ("MAIL_URL", "mail.example.org"), ("MAIL_URL", "http://mail.example.org"), ("MAIL_URL", "smtp://"),
        ("MAIL_URL", "smtp://mail.example.org?tls=maybe"), ("MAIL_URL", "smtp://mail.example.org/path"),
        ("MAIL_URL", "file:"), ("MAIL_URL", "file://host/folder"), ("MAIL_FROM", "nobody"),
        ("MAIL_PASSWORD", "short"), ("MAIL_RETRY", "soon"), ("MAIL_ATTEMPTS", "0"),
    ])
    func `are refused with the variable's name and without its value`(name: String, value: String) {
        let error = #expect(throws: ConfigurationError.self) { try makeSettings([name: value]) }
        #expect(error?.problems.count == 1 && error?.problems.first?.hasPrefix(name) == true)
        // Short ones are words of the sentence.
        if value.count > 8 { #expect(error?.description.contains(value) == false) }
    }

    @Test func `need a sender where strangers get the mail`() {
        let environment = Environment(["MAIL_URL": "smtps://mail.example.org"])
        _ = MailSettings(environment)
        let error = #expect(throws: ConfigurationError.self) { try environment.finish() }
        #expect(error?.problems == ["MAIL_FROM is missing; set it."])
    }

    private typealias Parts = (String, Int, MailServer.Protection, String?, String)

    private func server(_ url: String, _ more: [String: String] = [:]) throws -> Parts {
        guard case .server(let server) = try makeSettings(more.merging(["MAIL_URL": url]) { $1 }).transport else {
            throw MailError(.unreachable, "no server")
        }
        return (server.host, server.port, server.protection, server.user, server.password.reveal())
    }
}
