import Crypto
import HTTPServer
import Testing

@testable import ServiceKit

@Suite struct `The problems of tokens` {
    @Test(arguments: TokenError.allCases)
    func `have one for everything that can be wrong with a token`(error: TokenError) {
        let code = TokenVerifier.code(of: error)
        #expect(code.status == 401 && code.description == "token-\(error.code)")
        #expect(ProblemCode.platform.contains(code))
    }
}
