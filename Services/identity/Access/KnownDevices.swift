import Crypto
package import HTTPServer
package import Primitives

/// Devices that signed in to an account before. What is tried from one of them is counted apart from what strangers try, so
/// that strangers cannot use up the owner's attempts.
///
/// A device shows it by a cookie, which browsers and the usual HTTP clients keep by themselves. It opens nothing. It has a
/// mark for each account: 16 bytes that tell devices apart, and an HMAC over them and the account. Nothing of it is stored
/// here.
package struct KnownDevices: Sendable {
    /// How many accounts of one device are remembered; one more makes it forget the one that was used longest ago.
    private static let most = 4
    private static let secondsKept = 400 * 86_400
    private static let markLength = 48

    private let keys: AuthenticationKeys
    private let cookie: String
    private let attributes: String

    /// Where a client is let in, each with a cookie of its own.
    package enum Surface: Sendable {
        case native, app, compatible

        fileprivate var cookie: String {
            switch self {
            case .native: "mirrormate-devices"
            case .app: "mirrormate-app-devices"
            case .compatible: "mirrormate-compatible-devices"
            }
        }

        fileprivate var path: String {
            switch self {
            case .native: "/v1/auth"
            case .app: "/api/auth"
            case .compatible: "/auth/v1"
            }
        }
    }

    /// - Parameter publicURL: the address that clients see; with https the cookie never goes without encryption.
    package init(_ settings: AccessSettings, publicURL: String, on surface: Surface = .native) {
        let isEncrypted = publicURL.lowercased().hasPrefix("https:")
        keys = settings.secrets.knownDevices
        // With https browsers take a name that begins so from this very host alone, and for the path `/`, so no other host of the domain
        // puts a mark there (RFC 6265bis, section 4.1.3.2). The gateway hands cookies on to the routes that read them, and to no others.
        cookie = isEncrypted ? "__Host-\(surface.cookie)" : surface.cookie
        attributes =
            "Max-Age=\(Self.secondsKept); Path=\(isEncrypted ? "/" : surface.path); HttpOnly; SameSite=Strict"
            + (isEncrypted ? "; Secure" : "")
    }

    /// What a device has shown when it was let in; a mark of the second factor counts where the first is enough, too.
    package enum Strength: String, Sendable, CaseIterable {
        case password = "known"
        case secondFactor = "known-by-second-factor"
    }

    /// What tells the device of a request from the account's others; nil when it has not signed in to the account so.
    func device(of request: Request, for user: UUID, provenBy strength: Strength) -> UUID? {
        marks(request).lazy.compactMap { device(of: $0, for: user, provenBy: strength) }.first
    }

    /// Whether the device of a request has signed in to an account before.
    package func knows(_ request: Request, for user: UUID) -> Bool {
        device(of: request, for: user, provenBy: .password) != nil
    }

    /// Lets the device of a request show from now on that its user was let in to an account.
    ///
    /// - Parameter device: what tells it from others, if it is new.
    package func remember(
        _ user: UUID, _ device: UUID, provenBy strength: Strength, _ request: Request, in response: inout Response
    ) {
        let marks = marks(request)
        // Made anew, also of one that an earlier key made.
        let known = marks.lazy.compactMap { self.device(of: $0, for: user, provenBy: strength) }.first
        let own = mark(known ?? device, user, strength)
        // A mark of the second factor takes the place of the weaker one.
        let others = marks.filter { $0 != own && self.device(of: $0, for: user, provenBy: .password) == nil }
        let all = [own] + others.prefix(Self.most - 1)
        response.headers.add("Set-Cookie", "\(cookie)=\(all.joined(separator: ".")); \(attributes)")
    }

    private func mark(_ device: UUID, _ user: UUID, _ strength: Strength) -> String {
        Base64URL.encode(device.bytes + Self.mac(device, user, strength, keys.present))
    }

    private func device(of mark: String, for user: UUID, provenBy needed: Strength) -> UUID? {
        guard let bytes = Base64URL.decode(mark), bytes.count == Self.markLength,
            let device = UUID(bytes: bytes.prefix(16))
        else { return nil }
        let strengths = needed == .password ? Strength.allCases : [needed]
        let isGood = strengths.contains { strength in
            keys.contains { ConstantTime.equal(Array(bytes.dropFirst(16)), Self.mac(device, user, strength, $0)) }
        }
        return isGood ? device : nil
    }

    private static func mac(_ device: UUID, _ user: UUID, _ strength: Strength, _ key: [UInt8]) -> [UInt8] {
        HMACSHA256.authenticate(Array("\(strength.rawValue) \(device) \(user)".utf8), key: key)
    }

    /// The marks that a request brings, as many as are ever given out and each as long as one is.
    private func marks(_ request: Request) -> [String] {
        (request.cookies(cookie).first ?? "").split(separator: ".").filter {
            Base64URL.decode(String($0))?.count == Self.markLength
        }
        .prefix(Self.most).map(String.init)
    }
}
