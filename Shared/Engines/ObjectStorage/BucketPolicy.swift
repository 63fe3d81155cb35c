import HTTPClient
import JSON

/// What somebody does with the objects whose keys begin in a certain way.
package struct BucketGrant: Sendable, Equatable {
    package let user: String
    /// Such as `uploads/`.
    package let prefix: String
    /// Whether they write and delete there as well as read.
    package let owns: Bool

    package init(_ user: String, owns prefix: String) {
        self.user = user
        self.prefix = prefix
        owns = true
    }

    package init(_ user: String, reads prefix: String) {
        self.user = user
        self.prefix = prefix
        owns = false
    }
}

extension S3ObjectStore {
    /// Lets users of the S3 server do what is granted and nothing else, in the place of whatever they could before; needs the
    /// credentials of the bucket's owner. Nobody lists: keys tell who has what.
    ///
    /// The policy is Amazon's (`Version` 2012-10-17), with users by name, as Versity's gateway has them.
    ///
    /// - Throws: `ObjectStoreError`.
    package func setPolicy(_ grants: [BucketGrant]) async throws {
        let policy = Self.policy(grants, bucket: settings.bucket, prefix: settings.prefix)
        let answer = try await ask("PUT", "", query: "policy=", body: .bytes(Array(JSONValue.object(policy).text.utf8)))
        guard answer.isSuccess else { throw answer.error() }
    }

    static func policy(_ grants: [BucketGrant], bucket: String, prefix: String) -> JSONObject {
        let users = grants.reduce(into: [String]()) { if !$0.contains($1.user) { $0.append($1.user) } }
        // A service asks for the place of the bucket to see whether it is there.
        let finding = statement(users, ["s3:GetBucketLocation"], on: bucket)
        let using = grants.map { grant in
            statement(
                [grant.user], ["s3:GetObject"] + (grant.owns ? ["s3:PutObject", "s3:DeleteObject"] : []),
                on: "\(bucket)/\(prefix)\(grant.prefix)*")
        }
        return ["Version": "2012-10-17", "Statement": .array([finding] + using)]
    }

    private static func statement(_ users: [String], _ actions: [String], on resource: String) -> JSONValue {
        [
            "Effect": "Allow", "Principal": .array(users.map(JSONValue.string)),
            "Action": .array(actions.map(JSONValue.string)), "Resource": .array([.string("arn:aws:s3:::\(resource)")]),
        ]
    }
}
