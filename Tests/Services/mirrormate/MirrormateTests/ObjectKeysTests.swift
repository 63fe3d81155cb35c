import Testing

@testable import mirrormate

@Suite struct `A service's key for the S3 server` {
    private let common = ["OBJECT_STORE": "s3://bucket", "S3_ACCESS_KEY": "all", "S3_SECRET_KEY_FILE": "/all"]

    @Test func `is its own where it has one, and nothing of the one for all`() throws {
        var variables = common
        variables["S3_SESSIONS_ACCESS_KEY"] = "sessions"
        variables["S3_SESSIONS_SECRET_KEY"] = "its secret"
        let own = try ObjectKeys.of("sessions") { variables[$0] }
        #expect(own == ["S3_ACCESS_KEY": "sessions", "S3_SECRET_KEY": "its secret"])
        let other = try ObjectKeys.of("analysis") { variables[$0] }
        #expect(other == ["S3_ACCESS_KEY": "all", "S3_SECRET_KEY_FILE": "/all"])
        #expect(ObjectKeys.shared { variables[$0] } == ["identity", "quota", "analysis", "reporting"])
    }

    @Test(arguments: ["ACCESS_KEY", "SECRET_KEY", "SECRET_KEY_FILE"])
    func `is refused by half`(part: String) throws {
        var variables = common
        variables["S3_REPORTING_\(part)"] = "half"
        let failure = try #require(throws: Failure.self) { try ObjectKeys.of("reporting") { variables[$0] } }
        #expect(failure.exit == .configuration && failure.message.contains("reporting"))
    }

    @Test func `is nobody's where objects lie in a folder`() {
        #expect(ObjectKeys.shared { ["OBJECT_STORE": "file:///objects"][$0] } == [])
        #expect(ObjectKeys.shared { self.common[$0] } == ["identity", "sessions", "quota", "analysis", "reporting"])
    }
}
