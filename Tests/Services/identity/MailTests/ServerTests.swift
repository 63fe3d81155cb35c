import Runtime
import Testing

@testable import Mail

@Suite(.timeLimit(.minutes(10))) @Loop struct `A mail server` {
    private func send(
        _ server: TestServer, _ url: String, _ more: [String: String] = [:], to address: String = "ada@example.org"
    ) async throws -> OutgoingMail {
        let variables = more.merging(["MAIL_URL": url.replacing("SERVER", with: "127.0.0.1:\(server.port)")]) { $1 }
        let mail = try makeMail("Grüße.\n.\n..dots\n", subject: "Ä", to: address)
        try await makeSettings(variables).transport.send(mail)
        return mail
    }

    private func expectFailure(
        _ code: MailError.Code, _ server: TestServer, _ url: String, _ more: [String: String] = [:],
        to address: String = "ada@example.org"
    ) async {
        let error = await #expect(throws: MailError.self) { try await send(server, url, more, to: address) }
        #expect(error?.code == code)
        #expect(error?.description.contains("ada") == false && error?.description.contains("pass") == false)
    }

    @Test func `gets a mail byte for byte, with its envelope`() async throws {
        let server = try await TestServer()
        let mail = try await send(server, "smtp://SERVER?tls=none")
        let envelope = "plain FROM:<no-reply@example.org> TO:<ada@example.org>\r\n"
        #expect(server.mails == [envelope + String(decoding: mail.bytes, as: UTF8.self)])
        try await server.stop()
    }

    @Test func `gets nothing in the clear unless that was said`() async throws {
        let server = try await TestServer()
        await expectFailure(.untrusted, server, "smtp://SERVER")
        #expect(server.mails == [])
        try await server.stop()
    }

    @Test func `gets it over STARTTLS, after a login, when its certificate is trusted`() async throws {
        let login = "0f1e2d3c4b5a69788796"
        let server = try await TestServer(TestCertificate.arguments("starttls") + ["--login", "me", login])
        let trust = ["MAIL_CA_FILE": TestCertificate.path]
        await expectFailure(.untrusted, server, "smtp://me:\(login)@SERVER")
        await expectFailure(.loginRefused, server, "smtp://me:wrong-password@SERVER", trust)
        await expectFailure(.loginRefused, server, "smtp://SERVER", trust)
        #expect(server.mails == [])
        _ = try await send(server, "smtp://me@SERVER", trust.merging(["MAIL_PASSWORD": login]) { $1 })
        #expect(server.mails.count == 1 && server.mails[0].hasPrefix("secure "))
        try await server.stop()
    }

    @Test func `gets it over TLS from the start`() async throws {
        let server = try await TestServer(TestCertificate.arguments("implicit"))
        _ = try await send(server, "smtps://SERVER", ["MAIL_CA_FILE": TestCertificate.path])
        #expect(server.mails.count == 1 && server.mails[0].hasPrefix("secure "))
        try await server.stop()
    }

    @Test func `says no for now or for ever, and may be away`() async throws {
        let server = try await TestServer(["--defer", "1"])
        await expectFailure(.refused, server, "smtp://SERVER?tls=none", to: "nobody@example.org")
        await expectFailure(.deferred, server, "smtp://SERVER?tls=none")
        _ = try await send(server, "smtp://SERVER?tls=none")
        try await server.stop()
        await expectFailure(.unreachable, server, "smtp://SERVER?tls=none")
    }
}
