/// An address of somebody outside who is asked for something, such as identities or payments: `https`, or `http` on this machine for
/// what stands in their place.
package enum ProviderAddress {
    private static let here = "http://127.0.0.1:"

    /// Whether it is one, with a path of its own or without.
    package static func isValid(_ text: String) -> Bool {
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"\"\\<>#@".utf8.contains($0) }) else {
            return false
        }
        if text.hasPrefix("https://") { return text.utf8.count > 8 }
        return isHere(text)
    }

    /// Whether it is of this machine.
    package static func isHere(_ text: String) -> Bool {
        guard text.hasPrefix(here) else { return false }
        let port = text.dropFirst(here.count).prefix { $0 != "/" && $0 != "?" }
        return Int(port).map { (1...65_535).contains($0) } ?? false
    }

    /// The only protocol by which it is reached.
    package static func protocols(of text: String) -> [String] { isHere(text) ? ["http"] : ["https"] }

    /// Whether clients of a server with this public address can only be on the same machine.
    package static func isLocal(publicURL: String) -> Bool {
        let host = publicURL.split(separator: "/", omittingEmptySubsequences: true).dropFirst().first ?? ""
        return ["127.0.0.1", "localhost", "[::1]"].contains { host == $0 || host.hasPrefix("\($0):") }
    }
}
