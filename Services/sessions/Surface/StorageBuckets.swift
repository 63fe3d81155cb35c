import CompatibleSurface
import HTTPServer
import JSON
import Primitives
import Runtime
import Uploads

/// The one bucket, which is there by itself and cannot be changed.
@Loop struct StorageBuckets {
    private let limit: Int64

    init(_ settings: SessionsSettings) { limit = settings.uploads.limit }

    func add(to routes: CompatibleRoutes) {
        routes.on("GET", "/bucket") { [self] _, _ in .json([bucket]) }
        routes.on("GET", "/bucket/{bucket}") { [self] request, _ in
            try CompatibleObject.check(bucket: request.parameters["bucket"])
            return .json(bucket)
        }
        for (method, path) in [
            ("POST", "/bucket"), ("PUT", "/bucket/{bucket}"), ("DELETE", "/bucket/{bucket}"),
            ("POST", "/bucket/{bucket}/empty"),
        ] {
            routes.on(method, path) { _, _ in throw CompatibleError.readOnlyBucket }
        }
    }

    private var bucket: JSONValue {
        [
            "id": .string(CompatibleObject.bucket), "name": .string(CompatibleObject.bucket), "owner": "",
            "public": false, "type": "STANDARD", "file_size_limit": .int(limit),
            "allowed_mime_types": .array(MediaType.allCases.map { .string($0.rawValue) }),
            "created_at": CompatibleValue.time(.epoch), "updated_at": CompatibleValue.time(.epoch),
        ]
    }
}
