import Access
import HTTPServer
import Testing

@Suite struct `The length of a password` {
    private func refusal(_ password: String) -> String? {
        do throws(Problem) {
            try PasswordRules.check(password, email: "anna@example.org")
            return nil
        } catch {
            return error.code.description
        }
    }

    @Test func `is eight characters at least, however many bytes they have`() {
        #expect(refusal("ab3d5f7") == "password-too-short" && refusal("äöüßäöü") == "password-too-short")
        #expect(refusal("ab3d5f7h") == nil)
    }

    @Test func `is 1,024 bytes at most`() {
        let longest = String(repeating: "ab", count: 512)
        #expect(refusal(longest) == nil && refusal(longest + "c") == "password-too-long")
    }
}
