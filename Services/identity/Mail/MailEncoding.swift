import Primitives

extension OutgoingMail {
    /// The mail in Internet Message Format (RFC 5322, with MIME for anything but ASCII).
    ///
    /// Headers consist only of validated addresses, encoded words and printable ASCII, so no text can inject another one.
    package var bytes: [UInt8] {
        let isPlain = Self.isPlain(message.text)
        let headers = [
            "Date: \(Self.date(moment))", "From: \(Self.mailbox(sender))", "To: \(Self.mailbox(message.recipient))",
            "Subject: \(Self.unstructured(message.subject))", "Message-ID: <\(id)@\(sender.domain)>",
            "Auto-Submitted: auto-generated", "MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8",
            "Content-Transfer-Encoding: \(isPlain ? "7bit" : "quoted-printable")",
        ]
        let body = isPlain ? Array(message.text.replacing("\n", with: "\r\n").utf8) : Self.quotedPrintable(message.text)
        return Array((headers.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body + Array("\r\n".utf8)
    }

    /// `Sat, 21 Nov 2026 10:02:03 +0000`.
    static func date(_ moment: Timestamp) -> String {
        let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let text = moment.rfc3339
        let parts = text.split { !$0.isNumber }.compactMap { Int($0) }
        let weekday = Int((moment.seconds / 86_400 % 7 + 7) % 7)
        return
            "\(days[weekday]), \(parts[2]) \(months[parts[1] - 1]) \(text.prefix(4)) \(text.dropFirst(11).prefix(8)) +0000"
    }

    private static func mailbox(_ address: MailAddress) -> String {
        guard let name = address.name else { return address.address }
        // Anything but letters and spaces is encoded.
        let isSimple = name.utf8.allSatisfy { byte in
            byte == 0x20 || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        }
        return "\(isSimple && name.utf8.count <= 60 ? name : encodedWords(name)) <\(address.address)>"
    }

    private static func unstructured(_ text: String) -> String {
        let isSimple = text.utf8.count <= 66 && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        // Text that looks like an encoded word would be decoded.
        return isSimple && !text.contains("=?") ? text : encodedWords(text)
    }

    /// RFC 2047, encoding B: words of at most 75 characters, none of which splits a character.
    static func encodedWords(_ text: String) -> String {
        var words: [String] = []
        var piece: [UInt8] = []
        for scalar in text.unicodeScalars {
            let bytes = Array(String(scalar).utf8)
            if piece.count + bytes.count > 45 {
                words.append(Base64.encode(piece))
                piece = []
            }
            piece += bytes
        }
        if !piece.isEmpty || words.isEmpty { words.append(Base64.encode(piece)) }
        return words.map { "=?utf-8?B?\($0)?=" }.joined(separator: "\r\n ")
    }

    /// Whether a text can be sent unencoded: ASCII in short lines.
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x20...0x7E).contains($0) || $0 == 0x0A }
            && text.utf8.split(separator: 0x0A).allSatisfy { $0.count <= 998 }
    }

    /// RFC 2045, section 6.7: lines of at most 76 characters.
    static func quotedPrintable(_ text: String) -> [UInt8] {
        var out: [UInt8] = []
        for (index, line) in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            if index > 0 { out += [0x0D, 0x0A] }
            var width = 0
            for (place, byte) in line.enumerated() {
                let isLast = place == line.count - 1
                let isPrintable = (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "=")
                // Trailing white space may be lost in transit.
                let written =
                    isPrintable || (byte == 0x20 && !isLast)
                    ? [byte] : Array("=\(Hex.encode([byte]).uppercased())".utf8)
                if width + written.count > 75 {
                    out += Array("=\r\n".utf8)
                    width = 0
                }
                out += written
                width += written.count
            }
        }
        return out
    }
}
