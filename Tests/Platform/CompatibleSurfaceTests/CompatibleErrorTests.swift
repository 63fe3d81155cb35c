import HTTPServer
import JSON
import ServiceKit
import Testing

@testable import CompatibleSurface

@Suite("A refusal of the compatible surface") struct CompatibleErrorTests {
    private func body(_ error: CompatibleError, _ prefix: CompatiblePrefix) throws -> JSONObject {
        guard case .bytes(let bytes) = error.response(on: prefix).body else { return [:] }
        return try JSONObject.parse(bytes)
    }

    @Test("of accounts says its code and its text under both names")
    func auth() throws {
        let error = CompatibleError(422, "weak_password", "Longer", members: ["weak_password": ["reasons": ["length"]]])
        #expect(
            try body(error, .auth) == [
                "code": "weak_password", "error_code": "weak_password", "msg": "Longer", "message": "Longer",
                "weak_password": ["reasons": ["length"]],
            ])
        #expect(
            try body(.oauth("invalid_grant", "Bad token"), .auth) == [
                "error": "invalid_grant", "error_description": "Bad token",
            ])
    }

    @Test("of rows has all four members, and says its code in a header")
    func rest() throws {
        let error = CompatibleError(406, "PGRST116", "Not one", details: "The result contains 0 rows")
        #expect(
            try body(error, .rest) == [
                "code": "PGRST116", "message": "Not one", "details": "The result contains 0 rows", "hint": .null,
            ])
        #expect(error.response(on: .rest).headers["Proxy-Status"] == "PostgREST; error=PGRST116")
    }

    @Test("of files has its status as a text")
    func storage() throws {
        let error = CompatibleError(404, "NoSuchKey", "Object not found", title: "not_found")
        #expect(
            try body(error, .storage) == [
                "statusCode": "404", "error": "not_found", "message": "Object not found", "code": "NoSuchKey",
            ])
    }

    @Test("of functions has its text as the error")
    func functions() throws {
        let error = CompatibleError(429, "rate_limited", "Later", members: ["remaining": 0])
        let body = try body(error, .functions)
        #expect(try body.string("error") == "Later" && body.int("remaining") == 0)
    }

    @Test(
        "is what a problem of the platform is called there",
        arguments: [
            (ProblemCode.tokenExpired, 403, "bad_jwt", 401, "PGRST303"),
            (.tokenBadSignature, 403, "bad_jwt", 401, "PGRST301"),
            (.loginSessionEnded, 403, "session_not_found", 401, "PGRST301"),
            (.userGone, 403, "user_not_found", 401, "PGRST301"),
            (.temporarilyUnavailable, 503, "unexpected_failure", 503, "PGRST002"),
            (.invalidJson, 400, "bad_json", 400, "PGRST102"),
            (.tooManyRequests, 429, "over_request_rate_limit", 429, "53400"),
            (.malformedRequest, 400, "validation_failed", 400, "PGRST100"),
            (.notFound, 404, "not_found", 404, "PGRST125"),
        ])
    func mapped(code: ProblemCode, authStatus: Int, auth: String, restStatus: Int, rest: String) {
        let problem = Problem(code)
        let (one, other) = (CompatibleError.of(problem, on: .auth), CompatibleError.of(problem, on: .rest))
        #expect((one.status, one.code) == (authStatus, auth))
        #expect((other.status, other.code) == (restStatus, rest))
    }
}
