import HTTPClient

/// The address of an endpoint, as far as it can be judged without asking anybody; where it leads is judged when it is connected to
/// (``PublicAddress``, and the way out).
package enum WebhookAddress {
    /// In bytes.
    package static let longest = 2_000

    /// Whether something may be sent there: an `https` address with a host name of the internet, on port 443, without a user and without
    /// a fragment.
    ///
    /// - Parameter isLocalAllowed: whether `http://127.0.0.1:PORT` will do as well, for receivers of who develops.
    package static func isAcceptable(_ text: String, isLocalAllowed: Bool) -> Bool {
        guard text.utf8.count <= longest, ProviderAddress.isValid(text), !text.contains("\\") else { return false }
        if ProviderAddress.isHere(text) { return isLocalAllowed }
        guard let parts = text.wholeMatch(of: #/https:\/\/([^\/?:]+)(:443)?([\/?].*)?/#) else { return false }
        return isHostName(parts.1)
    }

    /// Whether it is a name with a point in it, whose last part begins with a letter: no address in any form, and no name of this network.
    private static func isHostName(_ host: Substring) -> Bool {
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard host.utf8.count <= 253, labels.count >= 2 else { return false }
        let isPlain = labels.allSatisfy { label in
            label.wholeMatch(of: #/[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?/#) != nil
        }
        return isPlain && labels.last?.first?.isLetter == true
            && !["local", "localhost", "internal"].contains(labels.last?.lowercased())
    }
}
