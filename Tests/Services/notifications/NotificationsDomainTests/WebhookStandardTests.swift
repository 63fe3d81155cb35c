import Primitives
import Testing

@testable import notifications

@Suite struct `A webhook by the standard` {
    /// The example of the standard's own libraries.
    @Test func `is signed over id, time and body`() throws {
        let secret = try #require(WebhookSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        #expect(secret.text == "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
        let signature = secret.signature(
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek", seconds: 1_614_265_330, body: #"{"test": 2432232314}"#)
        #expect(signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    }

    @Test(arguments: ["", "whsec_", "whsec_!", "whsec_c2hvcnQ=", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"])
    func `has a secret of 24 to 64 bytes behind whsec_`(text: String) { #expect(WebhookSecret(text) == nil) }

    @Test func `is tried ten times within three days and some hours`() {
        let pauses = (1...10).map { WebhookSchedule.pause(after: $0, asked: nil, chance: 0) }
        #expect(
            pauses == [
                .seconds(5), .seconds(300), .seconds(1_800), .seconds(7_200), .seconds(18_000), .seconds(36_000),
                .seconds(50_400), .seconds(72_000), .seconds(86_400), nil,
            ])
    }

    @Test func `waits up to a fifth longer, and as long as the receiver asks, but no longer than a day for that`() {
        #expect(WebhookSchedule.pause(after: 2, asked: nil, chance: 0.5) == .seconds(330))
        #expect(WebhookSchedule.pause(after: 1, asked: .seconds(60), chance: 0) == .seconds(60))
        #expect(WebhookSchedule.pause(after: 2, asked: .seconds(60), chance: 0) == .seconds(300))
        #expect(WebhookSchedule.pause(after: 1, asked: .seconds(999_999), chance: 0) == .seconds(86_400))
    }

    @Test(arguments: [200, 201, 204, 299]) func `has arrived with any 2xx`(status: Int) {
        #expect(verdict(.status(status, retryAfter: nil)) == .delivered)
    }

    @Test(arguments: [301, 302, 307, 400, 404, 429, 500, 503])
    func `comes again after any other status`(status: Int) {
        #expect(verdict(.status(status, retryAfter: nil)) == .again(after: .seconds(5)))
    }

    @Test func `comes again after silence, and ends its endpoint with 410`() {
        #expect(verdict(.silence("deadline-exceeded")) == .again(after: .seconds(5)))
        #expect(verdict(.status(410, retryAfter: nil)) == .ended(.gone))
        #expect(verdict(.status(410, retryAfter: nil), attempt: 10) == .ended(.gone))
    }

    @Test func `is given up after the tenth time, and its endpoint when nothing arrived there for three days`() {
        #expect(verdict(.status(500, retryAfter: nil), attempt: 10) == .failed)
        #expect(verdict(.status(500, retryAfter: nil), attempt: 10, failing: .seconds(259_199)) == .failed)
        #expect(
            verdict(.status(500, retryAfter: nil), attempt: 10, failing: .seconds(259_200)) == .ended(.failing))
        #expect(
            verdict(.status(500, retryAfter: nil), attempt: 9, failing: .seconds(999_999))
                == .again(after: .seconds(86_400)))
    }

    private func verdict(_ answer: WebhookAnswer, attempt: Int = 1, failing: Duration? = nil) -> WebhookVerdict {
        WebhookVerdict(answer, attempt: attempt, failing: failing, chance: 0)
    }
}

@Suite struct `An address of an endpoint` {
    @Test(arguments: [
        "https://hooks.example.org", "https://hooks.example.org/", "https://hooks.example.org:443/in?key=1",
        "https://xn--bcher-kva.example/in",
    ])
    func `is https with a host of the internet`(address: String) {
        #expect(WebhookAddress.isAcceptable(address, isLocalAllowed: false))
    }

    @Test(arguments: [
        "", "hooks.example.org", "http://hooks.example.org/", "ftp://hooks.example.org/", "https://hooks",
        "https://localhost/", "https://printer.local/", "https://metadata.google.internal/", "https://127.0.0.1/",
        "https://10.0.0.1/", "https://2130706433/", "https://127.0.0.0x1/", "https://0x7f.1/", "https://[::1]/",
        "https://a@hooks.example.org/",
        "https://hooks.example.org:8443/", "https://hooks.example.org/#part", "https://hooks.example.org\\@evil.org/",
        "https://hooks.example.org /", "https://-.example.org/", "https://hooks..example.org/",
        "http://127.0.0.1:8080/", "https://.example.org/", "https://hooks.example.org./",
    ])
    func `is nothing else`(address: String) {
        #expect(!WebhookAddress.isAcceptable(address, isLocalAllowed: false))
    }

    @Test func `has at most 2,000 bytes`() {
        let stem = "https://hooks.example.org/"
        let longest = stem + String(repeating: "a", count: 2_000 - stem.utf8.count)
        #expect(WebhookAddress.isAcceptable(longest, isLocalAllowed: false))
        #expect(!WebhookAddress.isAcceptable(longest + "a", isLocalAllowed: false))
    }

    @Test func `may be of this machine for who develops`() {
        #expect(WebhookAddress.isAcceptable("http://127.0.0.1:8080/in", isLocalAllowed: true))
        #expect(!WebhookAddress.isAcceptable("http://localhost:8080/in", isLocalAllowed: true))
    }
}
