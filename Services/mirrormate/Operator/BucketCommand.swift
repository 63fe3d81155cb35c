import Configuration
import Contracts
import JSON
import ObjectStorage
import Runtime
import ServiceKit
import analysis
import identity
import quota
import reporting
import sessions

/// `mirrormate bucket`: the rights of the services' users in the bucket, from the services' declarations.
@Loop enum BucketCommand {
    nonisolated static let services: [any Service.Type] = [
        IdentityService.self, SessionsService.self, QuotaService.self, AnalysisService.self, ReportingService.self,
    ]

    nonisolated static var grants: [BucketGrant] {
        services.flatMap { $0.objectAccess.grants(to: $0.name.rawValue) }
    }

    static func run(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
        let environment = Environment()
        let settings = ObjectStoreSettings(environment)
        do {
            try environment.finish()
        } catch {
            throw Failure(.configuration, "configuration", "\(error)", advice: "Set it where mirrormate runs.")
        }
        guard case .s3(let place) = settings else {
            throw Failure(
                .configuration, "no-bucket", "OBJECT_STORE is a folder, where nobody has rights of their own.",
                advice: "Name a bucket: s3://bucket/prefix.")
        }
        let store = S3ObjectStore(place)
        do {
            try await store.prepare()
            try await store.setPolicy(grants)
        } catch let error as ObjectStoreError {
            throw Failure(
                .unavailable, "object-store", error.description,
                advice:
                    "The settings must be those of the bucket's owner, on a server that has a user for each service.")
        }
        if arguments[Flags.json] {
            let rights = grants.map { grant -> JSONValue in
                ["user": .string(grant.user), "keys": .string(grant.prefix), "writes": .bool(grant.owns)]
            }
            console.answer(.object(["rights": .array(rights)]))
        } else {
            for grant in grants {
                console.done("\(grant.user) \(grant.owns ? "writes and reads" : "reads") \(grant.prefix)")
            }
        }
        return .success
    }
}
