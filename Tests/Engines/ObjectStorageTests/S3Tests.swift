import Configuration
import JSON
import Primitives
import Runtime
import ServiceTesting
import Testing

@testable import ObjectStorage

@Suite(
    .timeLimit(.minutes(10)),
    .enabled(if: S3Server.isThere, "SKIPPED: set S3_TEST_SERVER to the program versitygw, or S3_TEST_ENDPOINT."))
@Loop struct `On an S3 server` {
    private func settings(_ variables: [String: String] = [:]) async throws -> S3Settings {
        let environment = Environment(try await S3Server.variables(variables))
        guard case .s3(let settings) = ObjectStoreSettings(environment) else { throw ObjectStoreError.wrongSize }
        try environment.finish()
        return settings
    }

    @Test func `a missing bucket is made, and one that is there is taken`() async throws {
        let settings = try await settings()
        for _ in 0..<2 { try await S3ObjectStore(settings).prepare() }
        try await S3ObjectStore(settings).write([1], to: "a")
        var without = settings
        without.prefix = ""
        #expect(try await S3ObjectStore(without).keys(under: "some/") == ["some/where/a"])
    }

    @Test func `the bucket may stand in the host name`() async throws {
        let settings = try await settings(["S3_ADDRESSING": "host"])
        #expect(settings.bucketURL.contains("//\(settings.bucket).localhost"))
        let store = S3ObjectStore(settings)
        try await store.prepare()
        try await store.write(Array("x".utf8), to: "uploads/1")
        try await store.move("uploads/1", to: "media/1")
        #expect(try await store.keys(under: "media/") == ["media/1"])
    }

    @Test func `a wrong secret or access key is reported, and not retried`() async throws {
        for change in [["S3_SECRET_KEY": "another one, also long enough"], ["S3_ACCESS_KEY": "nobody"]] {
            let store = S3ObjectStore(try await settings(change))
            await #expect {
                try await store.prepare()
            } throws: { error in
                guard let error = error as? ObjectStoreError, case .misconfigured(let text) = error else {
                    return false
                }
                return text.contains("S3_ACCESS_KEY") && text.contains("40") && !error.isRetryable
            }
        }
    }

    @Test func `a policy grants each user what they own or read, and everybody to find the bucket`() {
        let policy = S3ObjectStore.policy(
            [BucketGrant("sessions", owns: "uploads/"), BucketGrant("analysis", reads: "uploads/")],
            bucket: "recordings",
            prefix: "here/")
        #expect(
            policy == [
                "Version": "2012-10-17",
                "Statement": [
                    [
                        "Effect": "Allow", "Principal": ["sessions", "analysis"], "Action": ["s3:GetBucketLocation"],
                        "Resource": ["arn:aws:s3:::recordings"],
                    ],
                    [
                        "Effect": "Allow", "Principal": ["sessions"],
                        "Action": ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"],
                        "Resource": ["arn:aws:s3:::recordings/here/uploads/*"],
                    ],
                    [
                        "Effect": "Allow", "Principal": ["analysis"], "Action": ["s3:GetObject"],
                        "Resource": ["arn:aws:s3:::recordings/here/uploads/*"],
                    ],
                ],
            ])
    }

    @Test func `a long list comes in several answers`() async throws {
        let settings = try await settings()
        let store = S3ObjectStore(settings, keysInAnAnswer: 2)
        try await store.prepare()
        for number in 1...5 { try await store.write([1], to: "a/\(number)") }
        #expect(try await store.keys(under: "a/") == (1...5).map { "a/\($0)" })
    }

    @Test func `a writer fails when the bucket is gone`() async throws {
        let store = S3ObjectStore(try await settings())
        let writer = try await store.makeWriter("a/1", size: 2_000_000)
        await #expect {
            for _ in 0..<20 { try await writer.write([UInt8](repeating: 1, count: 100_000)) }
            try await writer.commit()
        } throws: {
            ($0 as? ObjectStoreError)?.description.contains("bucket") == true
        }
        await writer.abandon()
    }
}

@Suite @Loop struct `Settings of an object store` {
    @Test func `that are wrong are all reported at once`() {
        let environment = Environment([
            "OBJECT_STORE": "s3://Bad_Bucket/UPPER", "S3_ENDPOINT": "ftp://x/y", "S3_REGION": "eu central",
            "S3_ADDRESSING": "none", "S3_SECRET_KEY": "short",
        ])
        _ = ObjectStoreSettings(environment)
        #expect(throws: ConfigurationError.self) { try environment.finish() }
        do { try environment.finish() } catch { #expect(error.problems.count == 7) }
    }

    @Test(arguments: ["", "/var/objects", "file://relative", "file:///", "http://x", "s3://"])
    func `must name a folder or a bucket`(text: String) {
        let environment = Environment([
            "OBJECT_STORE": text, "S3_ACCESS_KEY": "a", "S3_SECRET_KEY": "a long enough secret of ours",
        ])
        _ = ObjectStoreSettings(environment)
        #expect(throws: ConfigurationError.self) { try environment.finish() }
    }

    @Test func `name Amazon's server of the region when they name none, with the bucket in its host`() throws {
        let environment = Environment([
            "OBJECT_STORE": "s3://recordings", "S3_REGION": "eu-central-1", "S3_ACCESS_KEY": "a",
            "S3_SECRET_KEY": "a long enough secret of ours",
        ])
        guard case .s3(let settings) = ObjectStoreSettings(environment) else {
            Issue.record("not S3")
            return
        }
        try environment.finish()
        #expect(settings.bucketURL == "https://recordings.s3.eu-central-1.amazonaws.com")
        #expect(!"\(settings)".contains("long enough"))
    }

    @Test func `of a server that is not there make a store that can be tried again later`() async throws {
        let environment = Environment([
            "OBJECT_STORE": "s3://recordings", "S3_ENDPOINT": "http://127.0.0.1:1", "S3_ACCESS_KEY": "a",
            "S3_SECRET_KEY": "a long enough secret of ours",
        ])
        let store = ObjectStoreSettings(environment).makeStore()
        await #expect {
            try await store.prepare()
        } throws: {
            ($0 as? ObjectStoreError)?.isRetryable == true
        }
    }
}
