import Primitives
import Testing

@testable import Mail

@Suite struct `A mail` {
    private func lines(_ mail: OutgoingMail) -> (headers: [String], body: String) {
        let text = String(decoding: mail.bytes, as: UTF8.self).replacing("\r\n", with: "\n")
        let parts = text.split(separator: "\n\n", maxSplits: 1, omittingEmptySubsequences: false)
        return (parts[0].split(separator: "\n").map(String.init), String(parts[1]))
    }

    @Test func `has the headers of RFC 5322 and its text as it is, when that is ASCII`() throws {
        let mail = try makeMail("Hello.\n\nYour code: A=b\n", name: "Ada Lovelace")
        let (headers, body) = lines(mail)
        #expect(
            headers == [
                "Date: Wed, 18 Nov 2026 11:06:40 +0000",
                "From: MirrorMate <no-reply@example.org>", "To: Ada Lovelace <ada@example.org>", "Subject: A subject",
                "Message-ID: <\(mail.id)@example.org>", "Auto-Submitted: auto-generated", "MIME-Version: 1.0",
                "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: 7bit",
            ])
        #expect(body == "Hello.\n\nYour code: A=b\n\n")
    }

    @Test func `is dated in the form of RFC 5322`() {
        #expect(OutgoingMail.date(Timestamp(seconds: 0)) == "Thu, 1 Jan 1970 00:00:00 +0000")
        #expect(OutgoingMail.date(Timestamp(rfc3339: "2026-11-21T10:02:03.9Z")!) == "Sat, 21 Nov 2026 10:02:03 +0000")
        #expect(OutgoingMail.date(Timestamp(rfc3339: "2024-02-29T23:59:59Z")!) == "Thu, 29 Feb 2024 23:59:59 +0000")
    }

    @Test(arguments: [
        "A\r\nBcc: eve@example.org", "A\nBcc: eve@example.org", "A\rB", "A\0B", "=?utf-8?B?QQ==?=", "ä\r\n\r\nbody",
        "\u{2028}Bcc: eve@example.org",
    ])
    func `has no header but its own, whatever stands in subject and name`(text: String) throws {
        let (headers, _) = lines(try makeMail(subject: text, name: text))
        let names = headers.filter { !$0.hasPrefix(" ") }.map { String($0.prefix { $0 != ":" }) }
        #expect(
            names == [
                "Date", "From", "To", "Subject", "Message-ID", "Auto-Submitted", "MIME-Version", "Content-Type",
                "Content-Transfer-Encoding",
            ])
        let subject = try #require(headers.first { $0.hasPrefix("Subject: ") })
        #expect(subject == "Subject: =?utf-8?B?\(Base64.encode(text.utf8))?=")
    }

    @Test func `has long and foreign headers in encoded words that cut no character`() throws {
        let name = String(repeating: "Zoë 🎤 ", count: 20)
        let words = OutgoingMail.encodedWords(name).replacing("\r\n ", with: "|").split(separator: "|")
        #expect(words.count > 2 && words.allSatisfy { $0.utf8.count <= 75 && $0.hasPrefix("=?utf-8?B?") })
        let parts = try words.map { word in
            let bytes = try #require(Base64.decode(word.dropFirst(10).dropLast(2)))
            return try #require(String(validating: bytes, as: UTF8.self))
        }
        #expect(parts.joined() == name)
    }

    @Test func `has a foreign text as quoted-printable in short lines`() {
        #expect(
            String(decoding: OutgoingMail.quotedPrintable("Grüße = ok \nb\t"), as: UTF8.self)
                == "Gr=C3=BC=C3=9Fe =3D ok=20\r\nb=09")
        let long = String(decoding: OutgoingMail.quotedPrintable(String(repeating: "ö", count: 100)), as: UTF8.self)
        let lines = long.split(separator: "\r\n")
        #expect(lines.allSatisfy { $0.utf8.count <= 76 })
        #expect(long.replacing("=\r\n", with: "") == String(repeating: "=C3=B6", count: 100))
    }

    @Test(arguments: [
        "a b@example.org", "a@b@example.org", "a>b@example.org", "@example.org", "ada@", "ada@example..org",
        "ada@example.org\r\nDATA", "\"a\"@example.org", "ädä@example.org", ".a@example.org", "ada@exam_ple.org",
    ])
    func `goes to no address that would need quotes`(address: String) {
        #expect(MailAddress(address) == nil)
    }
}
