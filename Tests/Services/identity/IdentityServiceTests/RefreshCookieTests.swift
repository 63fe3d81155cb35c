import HTTPClient
import JSON
import Primitives
import Runtime
import ServiceTesting
import Testing

/// A browser with this server's page open: it keeps cookies, and says where its requests come from.
@Loop private final class Page {
    private let fixture: Fixture
    private let origin: String?
    /// The name under which the server keeps the token, which says whether it is reached with https.
    private let tokenName: String
    /// The cookies by name, as the browser would send them.
    private(set) var cookies: [String: String] = [:]

    init(_ fixture: Fixture, from origin: String? = "http://127.0.0.1") {
        self.fixture = fixture
        self.origin = origin
        tokenName =
            origin?.hasPrefix("https:") == true ? "__Host-mirrormate-refresh" : "mirrormate-refresh"
    }

    /// Another page that has the same cookies, such as another tab, or one elsewhere that makes the browser send a request.
    func sharing(from origin: String?) -> Page {
        let page = Page(fixture, from: origin)
        page.cookies = cookies
        return page
    }

    var refreshToken: String? { cookies[tokenName] }

    /// Keeps what an answer says, whenever it arrives.
    func keep(_ answer: Answer) throws {
        for text in answer.setCookies {
            let pair = text.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
            let name = String(try #require(pair.first))
            cookies[name] = text.contains("Max-Age=0;") ? nil : pair.count == 2 ? String(pair[1]) : ""
        }
    }

    /// - Parameters:
    ///   - asking: whether the request asks for the refresh token in the cookie.
    ///   - host: another name of the server that the page was opened by.
    ///   - foreign: a cookie, as it is sent, that another server has put among this one's.
    func post(
        _ path: String, _ body: JSONValue = [:], token: String? = nil, asking: Bool = true, host: String? = nil,
        beside foreign: String? = nil
    ) async throws -> Answer {
        var headers: [(name: String, value: String)] = []
        if asking { headers.append(("Refresh-Token-In", "cookie")) }
        if let origin { headers.append(("Origin", origin)) }
        if let host { headers.append(("Host", host)) }
        if let token { headers.append(("Authorization", "Bearer \(token)")) }
        let sent = cookies.map { "\($0.key)=\($0.value)" }.sorted() + (foreign.map { [$0] } ?? [])
        if !sent.isEmpty { headers.append(("Cookie", sent.joined(separator: "; "))) }
        let answer = try await fixture.send("POST", path, headers: headers, json: body)
        try keep(answer)
        return answer
    }

    func refresh() async throws -> Answer { try await post("/v1/auth/refresh") }

    @discardableResult
    func signUp(_ email: String = "anna@example.org") async throws -> Answer {
        try await post("/v1/auth/sign-up", ["email": .string(email), "password": "correct horse"])
    }
}

extension Answer {
    fileprivate var setCookies: [String] {
        response.headers.filter { $0.name.lowercased() == "set-cookie" }.map(\.value)
    }

    /// The one that has the refresh token, whole.
    fileprivate var refreshCookie: String? { setCookies.first { $0.contains("mirrormate-refresh=") } }
}

@Suite(.timeLimit(.minutes(10))) @Loop struct `A page's refresh token` {
    @Test func `is in a cookie that no script reads, and nowhere else`() async throws {
        for (url, isSecure) in [("http://127.0.0.1", false), ("https://api.example.org", true)] {
            try await withIdentity(["PUBLIC_URL": url]) { fixture in
                let page = Page(fixture, from: url)
                let answer = try await page.signUp()
                #expect(answer.status == 201 && answer.json["refreshToken"] == nil)
                #expect(answer.json["accessToken"]?.stringValue != nil)
                let text = try #require(answer.refreshCookie)
                var attributes = Set(text.split(separator: ";").dropFirst().map { String($0.drop { $0 == " " }) })
                let age = try #require(attributes.first { $0.hasPrefix("Max-Age=") })
                attributes.remove(age)
                // What `__Host-` asks of a cookie (RFC 6265bis, section 4.1.3.2), without which browsers take none of that name.
                #expect(text.hasPrefix(isSecure ? "__Host-mirrormate-refresh=" : "mirrormate-refresh="))
                #expect(
                    attributes
                        == Set(["HttpOnly", "SameSite=Strict"])
                        .union(isSecure ? ["Secure", "Path=/"] : ["Path=/v1/auth"]))
                // As long as nobody would have to use it: 30 days.
                let seconds = try #require(Int(age.dropFirst("Max-Age=".count)))
                #expect((2_591_900...2_592_000).contains(seconds))
                let refreshed = try await page.refresh()
                #expect(refreshed.status == 200 && refreshed.json["refreshToken"] == nil)
                let access = try #require(refreshed.json["accessToken"]?.stringValue)
                #expect(try await fixture.send("GET", "/v1/me", token: access).status == 200)
            }
        }
    }

    @Test func `goes on with each refresh, for a device too, and with every way in`() async throws {
        try await withIdentity(["REFRESH_GRACE": "1h"]) { fixture in
            let page = Page(fixture)
            let body: JSONValue = ["deviceId": "0123456789abcdef0123456789abcdef"]
            let device = try await page.post("/v1/auth/device", body)
            #expect(device.status == 201 && device.json["deviceSecret"] != nil && device.json["refreshToken"] == nil)
            let first = try #require(page.refreshToken)
            #expect(try await page.refresh().status == 200)
            #expect(try #require(page.refreshToken) != first)
            try await page.signUp()
            let signedIn = try await page.post(
                "/v1/auth/sign-in", ["email": "anna@example.org", "password": "correct horse"])
            #expect(signedIn.status == 200 && signedIn.json["refreshToken"] == nil)
            #expect(try await page.refresh().status == 200)
        }
    }

    @Test func `is not there for who does not ask for it`() async throws {
        try await withIdentity { fixture in
            let page = Page(fixture)
            try await page.signUp()
            let kept = try #require(page.refreshToken)
            let unasked = try await page.post("/v1/auth/refresh", asking: false)
            #expect(unasked.status == 401 && code(unasked) == "refresh-token-invalid")
            // An answer that was not asked for it leaves the cookie alone, too.
            #expect(page.refreshToken == kept)
            let native = try await page.post(
                "/v1/auth/sign-in", ["email": "anna@example.org", "password": "correct horse"], asking: false)
            #expect(native.json["refreshToken"]?.stringValue != nil && native.refreshCookie == nil)
            #expect(try await page.refresh().status == 200)
        }
    }

    @Test func `is worth nothing in a body, and one of a body nothing in the cookie`() async throws {
        try await withIdentity { fixture in
            let page = Page(fixture)
            try await page.signUp()
            let kept = try #require(page.refreshToken)
            #expect(code(try await fixture.refresh(kept)) == "refresh-token-invalid")
            #expect(try await fixture.post("/v1/auth/sign-out", ["refreshToken": .string(kept)]).status == 204)
            #expect(try await page.refresh().status == 200, "Nobody was signed out by it.")

            let native = try Person(try await fixture.signIn("anna@example.org").json)
            let wrong = try await fixture.send(
                "POST", "/v1/auth/refresh",
                headers: [
                    ("Refresh-Token-In", "cookie"), ("Origin", "http://127.0.0.1"),
                    ("Cookie", "mirrormate-refresh=\(native.refresh)"),
                ], json: [:])
            #expect(wrong.status == 401 && code(wrong) == "refresh-token-invalid")
            #expect(try await fixture.refresh(native.refresh).status == 200)
            // Beside the cookie a body has none.
            let both = try await page.post("/v1/auth/refresh", ["refreshToken": .string(native.refresh)])
            #expect(both.status == 422 && code(both) == "member-unknown")
        }
    }

    @Test func `comes from this server's own page alone`() async throws {
        try await withIdentity(["PUBLIC_URL": "https://Api.example.org:443"]) { fixture in
            let page = Page(fixture, from: "https://api.example.org")
            try await page.signUp()
            let foreign: [String?] = [
                nil, "null", "", "https://example.org", "http://api.example.org", "https://api.example.org:8443",
                "https://api.example.org.example.com", "https://api.example.org/",
            ]
            for origin in foreign {
                let elsewhere = page.sharing(from: origin)
                for path in ["refresh", "sign-out", "sign-in", "sign-up", "device", "google", "apple", "second-factor"]
                {
                    let answer = try await elsewhere.post("/v1/auth/\(path)")
                    #expect(
                        answer.status == 403 && code(answer) == "origin-refused", "\(path) from \(origin ?? "nowhere")")
                    #expect(answer.setCookies.isEmpty)
                }
            }
            #expect(try await page.refresh().status == 200, "Nothing was ended or used by them.")
        }
    }

    @Test func `comes from the page by whatever name it was opened`() async throws {
        try await withIdentity { fixture in
            let page = Page(fixture, from: "http://localhost:8080")
            let body: JSONValue = ["email": "anna@example.org", "password": "correct horse"]
            let signedUp = try await page.post("/v1/auth/sign-up", body, host: "localhost:8080")
            #expect(signedUp.status == 201)
            #expect(try await page.post("/v1/auth/refresh", host: "localhost:8080").status == 200)
            #expect(code(try await page.post("/v1/auth/refresh", host: "localhost")) == "origin-refused")
        }
    }

    @Test func `does not log two tabs out that refresh at once`() async throws {
        try await withIdentity { fixture in
            let page = Page(fixture)
            try await page.signUp()
            let tabs = (0..<8).map { _ in page.sharing(from: "http://127.0.0.1") }
            let statuses = try await together(tabs.count) { try await tabs[$0].refresh().status }
            #expect(statuses == Array(repeating: 200, count: tabs.count))
            // Whichever answer came last is the browser's cookie: all gave the same.
            #expect(Set(tabs.map(\.refreshToken)).count == 1)
            #expect(try await tabs[3].refresh().status == 200)
        }
    }

    @Test func `of another host of the same domain is none of this server's`() async throws {
        try await withIdentity(["PUBLIC_URL": "https://api.example.org"]) { fixture in
            let attacker = Page(fixture, from: "https://api.example.org")
            try await attacker.signUp("attacker@example.org")
            let planted = try #require(attacker.refreshToken)
            // What evil.example.org can set for all of example.org has another name.
            let victim = Page(fixture, from: "https://api.example.org")
            let answer = try await victim.post("/v1/auth/refresh", beside: "mirrormate-refresh=\(planted)")
            #expect(answer.status == 401 && code(answer) == "refresh-token-invalid")
            try await victim.signUp()
            let own = try await victim.post("/v1/auth/refresh", beside: "mirrormate-refresh=\(planted)")
            #expect(own.status == 200 && own.json["accessToken"]?.stringValue != nil)
            #expect(try await attacker.refresh().status == 200)
        }
    }

    @Test(arguments: ["http://127.0.0.1", "https://api.example.org"])
    func `is not chosen among several`(url: String) async throws {
        try await withIdentity(["PUBLIC_URL": url, "REFRESH_GRACE": "1h"]) { fixture in
            let attacker = Page(fixture, from: url)
            let victim = Page(fixture, from: url)
            try await attacker.signUp("attacker@example.org")
            try await victim.signUp()
            let name = url.hasPrefix("https:") ? "__Host-mirrormate-refresh" : "mirrormate-refresh"
            let (theirs, mine) = (try #require(attacker.refreshToken), try #require(victim.refreshToken))
            let (planted, own) = ("\(name)=\(theirs)", "\(name)=\(mine)")
            // In either order, in one field or two, with a value or without.
            let fields = [
                ["\(planted); \(own)"], ["\(own); \(planted)"], [planted, own], ["\(own); \(name)="],
                ["\(own); \(own)"],
            ]
            let paths = [
                "refresh", "sign-out", "sign-in", "sign-up", "second-factor", "device", "google", "apple",
            ]
            for path in paths {
                for cookies in fields {
                    var headers = [(name: "Refresh-Token-In", value: "cookie"), (name: "Origin", value: url)]
                    headers += cookies.map { (name: "Cookie", value: $0) }
                    let answer = try await fixture.send("POST", "/v1/auth/\(path)", headers: headers, json: [:])
                    #expect(
                        answer.status == 400 && code(answer) == "refresh-cookie-ambiguous", "\(path) with \(cookies)")
                    #expect(answer.setCookies.isEmpty)
                }
            }
            #expect(try await victim.refresh().status == 200, "Nothing was ended or used by them.")
            #expect(try await attacker.refresh().status == 200)
        }
    }

    @Test func `is not made of what another cookie's value looks like`() async throws {
        try await withIdentity(["REFRESH_GRACE": "1h"]) { fixture in
            let attacker = Page(fixture)
            try await attacker.signUp("attacker@example.org")
            let theirs = try #require(attacker.refreshToken)
            // The Greek question mark, which Unicode says to be the same character as the semicolon.
            let planted = "other=a\u{37E} mirrormate-refresh=\(theirs); more=a\u{37E}mirrormate-refresh=\(theirs)"
            let headers = [
                (name: "Refresh-Token-In", value: "cookie"), (name: "Origin", value: "http://127.0.0.1"),
                (name: "Cookie", value: planted),
            ]
            let answer = try await fixture.send("POST", "/v1/auth/refresh", headers: headers, json: [:])
            #expect(answer.status == 401)
            let victim = Page(fixture)
            try await victim.signUp()
            let own = try await victim.post("/v1/auth/refresh", beside: planted)
            #expect(own.status == 200, "and it locks nobody out")
        }
    }

    @Test func `of a newer login session outlives a late refusal of an older one`() async throws {
        try await withIdentity(["REFRESH_GRACE": "0s"]) { fixture in
            let browser = Page(fixture)
            try await browser.signUp()
            // A tab that asks with the cookie of before, and hears of it only when somebody has signed in again.
            let slow = browser.sharing(from: "http://127.0.0.1")
            #expect(try await browser.post("/v1/auth/sign-out").status == 204)
            let late = try await slow.refresh()
            #expect(late.status == 401 && code(late) == "refresh-token-invalid")
            let body: JSONValue = ["email": "anna@example.org", "password": "correct horse"]
            #expect(try await browser.post("/v1/auth/sign-in", body).status == 200)
            let newer = try #require(browser.refreshToken)
            try browser.keep(late)
            #expect(browser.refreshToken == newer && late.setCookies.isEmpty)
            #expect(try await browser.refresh().status == 200)
            // As little does a sign-out take it that brought none.
            let empty = try await Page(fixture).post("/v1/auth/sign-out")
            #expect(empty.status == 204 && empty.setCookies.isEmpty)
        }
    }

    @Test func `ends its login session when an older one comes back, and is worth nothing then`() async throws {
        try await withIdentity(["REFRESH_GRACE": "0s"]) { fixture in
            let page = Page(fixture)
            try await page.signUp()
            let thief = page.sharing(from: "http://127.0.0.1")
            #expect(try await page.refresh().status == 200)
            let reused = try await thief.refresh()
            #expect(reused.status == 401 && code(reused) == "refresh-token-reused")
            #expect(reused.setCookies.isEmpty)
            let over = try await page.refresh()
            #expect(over.status == 401 && code(over) == "refresh-token-invalid" && over.setCookies.isEmpty)
            let none = try await Page(fixture).refresh()
            #expect(code(none) == "refresh-token-invalid", "No cookie at all is no other answer.")
        }
    }

    @Test func `is gone after signing out, however often and with whatever is left`() async throws {
        try await withIdentity { fixture in
            let page = Page(fixture)
            let access = try #require(try await page.signUp().json["accessToken"]?.stringValue)
            let tab = page.sharing(from: "http://127.0.0.1")
            #expect(try await page.post("/v1/auth/sign-out").status == 204)
            #expect(page.refreshToken == nil)
            #expect(code(try await tab.refresh()) == "refresh-token-invalid")
            let read = try await fixture.send("GET", "/v1/me", token: access)
            #expect(read.status == 401 && code(read) == "login-session-ended")
            #expect(try await page.post("/v1/auth/sign-out").status == 204)
            // Without a cookie the access token says what ends.
            let other = Page(fixture)
            let second = try #require(try await other.signUp("bert@example.org").json["accessToken"]?.stringValue)
            #expect(try await Page(fixture).post("/v1/auth/sign-out", token: second).status == 204)
            #expect(code(try await other.refresh()) == "refresh-token-invalid")
        }
    }
}
