import Contracts
import JSON
import Primitives
import Testing

@testable import CompatibleSurface

@Suite("The text of an API key") struct APIKeyTextTests {
    private let now = Timestamp(seconds: 1_735_689_600)

    @Test(
        "has the shape that older clients ask for, and says whom it is for until long after",
        arguments: [
            (APIKeyRole.anon, "anon"), (.service, "service_role"),
        ])
    func token(role: APIKeyRole, word: String) throws {
        let parts = APIKeyText.make(role, .token, at: now).text.split(separator: ".")
        try #require(parts.count == 3)
        let header = try JSONObject.parse(try #require(Base64URL.decode(parts[0])))
        let payload = try JSONObject.parse(try #require(Base64URL.decode(parts[1])))
        #expect(header == ["alg": "HS256", "typ": "JWT"])
        #expect(try payload.string("role") == word)
        #expect(try payload.int("exp") - now.seconds > 9 * 365 * 86_400)
        #expect(Base64URL.decode(parts[2])?.count == 32)
    }

    @Test("has the newer form when that is wanted")
    func opaque() {
        #expect(APIKeyText.make(.anon, .opaque, at: now).text.hasPrefix("sb_publishable_"))
        #expect(APIKeyText.make(.service, .opaque, at: now).text.hasPrefix("sb_secret_"))
    }

    @Test("is told from an access token by its form")
    func form() {
        for form in APIKeyText.Form.allCases {
            for role in [APIKeyRole.anon, .service] {
                #expect(APIKeyText.isLike(APIKeyText.make(role, form, at: now).text))
            }
        }
        // {"alg":"ES256", as our access tokens begin.
        #expect(!APIKeyText.isLike("eyJhbGciOiJFUzI1NiIsImtpZCI6"))
    }

    @Test("is another one each time")
    func random() {
        for form in APIKeyText.Form.allCases {
            let texts = (0..<100).map { _ in APIKeyText.make(.anon, form, at: now).text }
            #expect(Set(texts).count == 100)
        }
    }
}
