package import HTTPServer
package import Primitives
import Runtime

/// How a client of the page keeps its refresh token: in a cookie that no script reads. Who asks for it says so with each request
/// that lets in, refreshes or signs out, by the header `Refresh-Token-In: cookie`; for everybody else the cookie is not there.
///
/// A browser adds cookies whoever makes it send a request, so such a request must come from this server's own page, as its
/// `Origin` says; `SameSite` tells browsers the same, and a page elsewhere cannot add the header without being asked about it
/// first. A token of the cookie is made with a key of its own: it is worth nothing in a body, nor the other way round.
package struct RefreshCookie: Sendable {
    private let scheme: String
    private let ownOrigin: String
    private let name: String
    private let attributes: String

    /// - Parameter publicURL: the address that clients see; with https the cookie never goes without encryption.
    package init(publicURL: String) {
        let address = publicURL.lowercased()
        let isEncrypted = address.hasPrefix("https:")
        scheme = isEncrypted ? "https://" : "http://"
        // A browser's Origin never names the port that its scheme has anyway.
        let usualPort = isEncrypted ? ":443" : ":80"
        ownOrigin = address.hasSuffix(usualPort) ? String(address.dropLast(usualPort.utf8.count)) : address
        name = "mirrormate-refresh".asCookie(isEncrypted: isEncrypted)
        attributes = "Path=/v1/auth; HttpOnly; SameSite=Strict" + (isEncrypted ? "; Secure" : "")
    }

    /// Answers who wants the cookie only from this server's own page.
    ///
    /// - Throws: the handler throws the problem `origin-refused`, before anything is done.
    package func guarding(_ answer: @escaping Handler) -> Handler {
        { request in
            if request.refreshTokenPlace == .cookie { try requireOwnPage(request) }
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

    /// The token that a request brings; nil without one.
    package func token(of request: Request) -> String? { request.cookie(name) }

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

extension String {
    /// The name of a cookie of this name. With https browsers take one that begins so only where it was set with `Secure` and over
    /// https, so nobody on the way puts another one in its place. The stronger `__Host-` would want the path `/`, and show the
    /// cookie to every service.
    func asCookie(isEncrypted: Bool) -> String { (isEncrypted ? "__Secure-" : "") + self }
}

extension Request {
    /// Where the client of this request has and wants its refresh token.
    package var refreshTokenPlace: RefreshToken.Place {
        headers["Refresh-Token-In"] == RefreshToken.Place.cookie.rawValue ? .cookie : .body
    }

    /// The value of a cookie, the first of that name; nil without one.
    func cookie(_ name: String) -> String? {
        for field in headers.all("Cookie") {
            for pair in field.split(separator: ";") {
                let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
                if parts.count == 2, parts[0] == name { return String(parts[1]) }
            }
        }
        return nil
    }
}
