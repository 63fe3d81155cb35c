package import HTTPServer
package import Primitives
import Runtime

/// How a client of the page keeps its refresh token: in a cookie that no script reads. Who asks for it says so with each request
/// that lets in, refreshes or signs out, by the header `Refresh-Token-In: cookie`; for everybody else the cookie is not there.
///
/// A browser adds cookies whoever makes it send a request, so such a request must come from this server's own page, as its
/// `Origin` says; `SameSite` tells browsers the same, and a page elsewhere cannot add the header without being asked about it
/// first. A token of the cookie is made with a key of its own: it is worth nothing in a body, nor the other way round.
///
/// With https its name begins with `__Host-`, so browsers take it from this very host alone: no other host of the same domain
/// can put its own in the place of it, and so let somebody use an account that is not theirs (RFC 6265bis, section 4.1.3.2). Without
/// https there is no such name.
package struct RefreshCookie: Sendable {
    private let name: String
    private let scheme: String
    private let ownOrigin: String
    private let attributes: String

    /// - Parameter publicURL: the address that clients see; with https the cookie never goes without encryption.
    package init(publicURL: String) {
        let address = publicURL.lowercased()
        let isEncrypted = address.hasPrefix("https:")
        scheme = isEncrypted ? "https://" : "http://"
        // A browser's Origin never names the port that its scheme has anyway.
        let usualPort = isEncrypted ? ":443" : ":80"
        ownOrigin = address.hasSuffix(usualPort) ? String(address.dropLast(usualPort.utf8.count)) : address
        name = isEncrypted ? "__Host-mirrormate-refresh" : "mirrormate-refresh"
        attributes =
            isEncrypted ? "Path=/; HttpOnly; SameSite=Strict; Secure" : "Path=/v1/auth; HttpOnly; SameSite=Strict"
    }

    /// Answers who wants the cookie only from this server's own page, and only where no more than one came.
    ///
    /// - Throws: the handler throws the problem `origin-refused` or `refresh-cookie-ambiguous`, before anything is done.
    package func guarding(_ answer: @escaping Handler) -> Handler {
        { request in
            if request.refreshTokenPlace == .cookie {
                try requireOwnPage(request)
                try requireOne(request)
            }
            return try await answer(request)
        }
    }

    /// The page may have been opened by another name of this server than the public one, which is then the request's `Host`: both
    /// are said by the browser, and cookies are kept by that name.
    private func requireOwnPage(_ request: Request) throws {
        let origins = request.headers.all("Origin")
        let host = request.headers["Host"]?.lowercased() ?? ""
        guard origins.count == 1, origins[0] == ownOrigin || origins[0] == scheme + host else {
            throw Problem(.originRefused)
        }
    }

    /// Of several of that name nobody can say which is this server's own, and none of them is chosen: one may be somebody's who
    /// wants the user to work in an account of theirs.
    private func requireOne(_ request: Request) throws {
        guard request.cookies(name).count <= 1 else { throw Problem(.refreshCookieAmbiguous) }
    }

    /// The token that a request brings; nil without one.
    package func token(of request: Request) -> String? { request.cookies(name).first { !$0.isEmpty } }

    /// Has the client keep a token.
    ///
    /// - Parameter end: when it is worth nothing any more, unless it is used before.
    package func put(_ token: String, until end: Timestamp, in response: inout Response) {
        let seconds = max(0, (end - .now()).milliseconds / 1_000)
        response.headers.add("Set-Cookie", "\(name)=\(token); Max-Age=\(seconds); \(attributes)")
    }

    /// Has the client forget it.
    package func clear(in headers: inout Headers) {
        headers.add("Set-Cookie", "\(name)=; Max-Age=0; \(attributes)")
    }
}

extension Request {
    /// Where the client of this request has and wants its refresh token.
    package var refreshTokenPlace: RefreshToken.Place {
        headers["Refresh-Token-In"] == RefreshToken.Place.cookie.rawValue ? .cookie : .body
    }

    /// The values of all cookies of a name, in the order in which they came. Looked at byte by byte, as browsers do: to Swift the
    /// Greek question mark is the same character as the semicolon, and one cookie would become two.
    func cookies(_ name: String) -> [String] {
        headers.all("Cookie").flatMap { $0.utf8.split(separator: UInt8(ascii: ";")) }.compactMap { pair in
            let parts = pair.drop { $0 == UInt8(ascii: " ") }.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            return parts.count == 2 && parts[0].elementsEqual(name.utf8)
                ? String(decoding: parts[1], as: UTF8.self) : nil
        }
    }
}
