import CompatibleSurface
import Contracts
import Crypto
import EventStore
import HTTPServer
import JSON
import ObjectStorage
import Primitives
import Runtime
import ServiceKit
import Uploads

/// `/storage/v1`: the recordings of sessions as objects of one private bucket (`docs/supabase.md`). An object's owner is its session's.
@Loop struct StorageRoutes {
    /// How long a signed address of a download may hold: as long as clients ask, up to this.
    private nonisolated static let longest: Int64 = 7 * 86_400

    private let context: ServiceContext
    private let settings: SessionsSettings
    private let receiving: StorageReceiving
    private let sending: RecordingSending
    private let listing: StorageListing
    private let uploads: SignedLinks
    private let downloads: SignedLinks

    init(
        _ context: ServiceContext, _ settings: SessionsSettings, _ receiving: StorageReceiving,
        _ sending: RecordingSending
    ) {
        self.context = context
        self.settings = settings
        self.receiving = receiving
        self.sending = sending
        listing = StorageListing(context)
        let publicURL = context.settings.publicURL
        uploads = .uploads(key: settings.uploads.key, publicURL: publicURL)
        downloads = SignedLinks(
            key: HMACSHA256.authenticate(Array("mirrormate/storage".utf8), key: settings.uploads.key),
            publicURL: publicURL, invalid: .mediaAddressInvalid, expired: .mediaAddressExpired)
    }

    private var commands: CommandHandler<Session> { CommandHandler(context.store) }

    func add(to routes: CompatibleRoutes) {
        StorageBuckets(settings).add(to: routes)
        routes.on("POST", "/object/upload/sign/{bucket}/{path...}", signUpload)
        // By the token alone, whatever else the client sends.
        routes.open("PUT", "/object/upload/sign/{bucket}/{path...}", withKey: false, uploadBySignature)
        routes.on("POST", "/object/sign/{bucket}/{path...}", signDownload)
        routes.on("POST", "/object/sign/{bucket}", signDownloads)
        routes.open("GET", "/object/sign/{bucket}/{path...}", withKey: false, downloadBySignature)
        routes.on("POST", "/object/list/{bucket}", listing.list)
        routes.on("POST", "/object/list-v2/{bucket}", listing.listByCursor)
        routes.on("POST", "/object/copy", copy)
        routes.on("POST", "/object/move", move)
        for place in ["/object/info/", "/object/info/authenticated/"] {
            routes.on("GET", "\(place){bucket}/{path...}", info)
        }
        for place in ["/object/", "/object/authenticated/"] { routes.on("GET", "\(place){bucket}/{path...}", download) }
        for method in ["POST", "PUT"] { routes.on(method, "/object/{bucket}/{path...}", upload) }
        routes.on("DELETE", "/object/{bucket}", removeAll)
        routes.on("DELETE", "/object/{bucket}/{path...}", removeOne)
    }

    // MARK: Uploads

    /// A token that replaces another file is made for another method, which no request has.
    private nonisolated static func method(replaces: Bool) -> String { replaces ? "REPLACE" : "PUT" }

    private func signUpload(_ request: Request, _ caller: CompatibleCaller) async throws -> Response {
        let (id, path) = try object(of: request)
        let replaces = request.replacesObjects
        let loaded = try await commands.load(Session.stream(id))
        guard let session = loaded.state.identity, caller.mayUse(session) else { throw CompatibleError.notAllowed }
        if !replaces, StoredObject(loaded, at: .now()) != nil { throw CompatibleError.objectExists }
        let (_, creation) = try loaded.state.awaitingUpload()
        let end = min(.now() + settings.uploads.addressLifetime, creation.expiresAt)
        let token = uploads.token(Self.method(replaces: replaces), CompatibleObject.uploadPath(id), until: end)
        let place = "/object/upload/sign/\(CompatibleObject.bucket)/\(path)"
        return .json(["url": .string("\(place)?token=\(token)"), "token": .string(token)])
    }

    private func uploadBySignature(_ request: Request) async throws -> Response {
        let (id, path) = try object(of: request)
        let (replaces, left) = try allowance(request, id)
        try await receiving.receive(request, as: id, of: nil, replaces: replaces, within: left)
        return .json(["Key": .string("\(CompatibleObject.bucket)/\(path)")])
    }

    /// What a request's upload token allows, and for how long.
    private func allowance(_ request: Request, _ id: UUID) throws -> (replaces: Bool, left: Duration) {
        guard let token = request.query("token"), token.contains(".") else { throw CompatibleError.invalidToken }
        let path = CompatibleObject.uploadPath(id)
        do {
            return (true, try uploads.checkToken(token, Self.method(replaces: true), path))
        } catch let problem where problem.code == .uploadAddressInvalid {
            return (false, try uploads.checkToken(token, Self.method(replaces: false), path))
        }
    }

    private func upload(_ request: Request, _ caller: CompatibleCaller) async throws -> Response {
        let (id, path) = try object(of: request)
        guard caller != .anon else { throw CompatibleError.notAllowed }
        // A server with the service key may for everybody.
        try await receiving.receive(
            request, as: id, of: caller.user?.user, replaces: request.method == "PUT" || request.replacesObjects)
        return .json(["Id": .uuid(id), "Key": .string("\(CompatibleObject.bucket)/\(path)")])
    }

    // MARK: Downloads

    private func download(_ request: Request, _ caller: CompatibleCaller) async throws -> Response {
        let (id, path) = try object(of: request)
        return try await answer(request, try await find(id, for: caller), path)
    }

    private func info(_ request: Request, _ caller: CompatibleCaller) async throws -> Response {
        let (id, _) = try object(of: request)
        return .json(.object(try await find(id, for: caller).info))
    }

    private func signDownload(_ request: Request, _ caller: CompatibleCaller) async throws -> Response {
        let (id, path) = try object(of: request)
        let body = try await request.compatibleObject(orElse: "InvalidRequest")
        let object = try await find(id, for: caller)
        return .json(["signedURL": .string(address(of: object, path, for: try Self.seconds(body)))])
    }

    private func signDownloads(_ request: Request, _ caller: CompatibleCaller) async throws -> Response {
        try CompatibleObject.check(bucket: request.parameters["bucket"])
        let body = try await request.compatibleObject(orElse: "InvalidRequest")
        let seconds = try Self.seconds(body)
        let paths = try Self.paths(body, "paths")
        var answers: [JSONValue] = []
        for path in paths {
            let object = try await found(path, for: caller)
            answers.append([
                "path": .string(path),
                "error": object == nil ? "Either the object does not exist or you do not have access to it" : .null,
                "signedURL": object.map { .string(address(of: $0, path, for: seconds)) } ?? .null,
            ])
        }
        return .json(.array(answers))
    }

    private func downloadBySignature(_ request: Request) async throws -> Response {
        let (id, path) = try object(of: request)
        guard let token = request.query("token"), token.contains(".") else { throw CompatibleError.invalidToken }
        let left = try downloads.checkToken(token, "GET", Self.downloadPath(id))
        return try await answer(request, try await find(id, for: .service), path, atMost: left)
    }

    private nonisolated static func downloadPath(_ session: UUID) -> String {
        "/storage/v1/object/sign/\(CompatibleObject.bucket)/\(CompatibleObject.name(session))"
    }

    private func address(of object: StoredObject, _ path: String, for seconds: Int64) -> String {
        let id = object.session.sessionId
        let end = min(.now().adding(seconds: seconds), object.until ?? .now().adding(seconds: Self.longest))
        let token = downloads.token("GET", Self.downloadPath(id), until: end)
        return "/object/sign/\(CompatibleObject.bucket)/\(path)?token=\(token)"
    }

    private func answer(
        _ request: Request, _ object: StoredObject, _ path: String, atMost: Duration? = nil
    ) async throws -> Response {
        let until = object.until.map { $0 - .now() } ?? .seconds(Self.longest)
        var more: Headers = [:]
        if let name = request.query("download") {
            // Only what a file name may have everywhere; it is the client's own word.
            let safe = String(
                (name.isEmpty ? path : name).map {
                    $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) ? $0 : "_"
                })
            more["Content-Disposition"] = "attachment; filename=\"\(safe)\""
        }
        return try await sending.answer(
            request, object.media, of: object.session.ownerId, for: min(until, atMost ?? until), more)
    }

    // MARK: Changes

    private func copy(_ request: Request, _ caller: CompatibleCaller) async throws -> Response {
        let (object, target, path) = try await both(request, caller)
        guard object.session.sessionId != target else { throw CompatibleError.objectExists }
        try await receiving.copy(object, to: target, request)
        return .json(["Id": .uuid(target), "Key": .string("\(CompatibleObject.bucket)/\(path)")])
    }

    private func move(_ request: Request, _ caller: CompatibleCaller) async throws -> Response {
        let (object, target, _) = try await both(request, caller)
        // Under another name of the same object it is already.
        if object.session.sessionId != target {
            try await receiving.copy(object, to: target, request)
            try await remove(object, request)
        }
        return .json(["message": "Successfully moved"])
    }

    /// What is copied, and where to.
    private func both(
        _ request: Request, _ caller: CompatibleCaller
    ) async throws -> (StoredObject, target: UUID, path: String) {
        let body = try await request.compatibleObject(orElse: "InvalidRequest")
        try CompatibleObject.check(bucket: body["bucketId"]?.stringValue)
        if let other = body["destinationBucket"]?.stringValue { try CompatibleObject.check(bucket: other) }
        guard let from = body["sourceKey"]?.stringValue, let to = body["destinationKey"]?.stringValue else {
            throw CompatibleError.invalidRequest("sourceKey and destinationKey must be paths of objects.")
        }
        guard caller.user != nil else { throw CompatibleError.notAllowed }
        guard let object = try await found(from, for: caller) else { throw CompatibleError.noSuchKey }
        guard let target = CompatibleObject.session(of: to) else { throw CompatibleError.notAllowed }
        return (object, target, to)
    }

    private func removeAll(_ request: Request, _ caller: CompatibleCaller) async throws -> Response {
        try CompatibleObject.check(bucket: request.parameters["bucket"])
        let body = try await request.compatibleObject(orElse: "InvalidRequest")
        var removed: [JSONValue] = []
        for path in try Self.paths(body, "prefixes") {
            guard let object = try await found(path, for: caller), try await remove(object, request) else { continue }
            removed.append(.object(object.removed))
        }
        return .json(.array(removed))
    }

    private func removeOne(_ request: Request, _ caller: CompatibleCaller) async throws -> Response {
        let (id, _) = try object(of: request)
        guard try await remove(try await find(id, for: caller), request) else { throw CompatibleError.inAnalysis }
        return .json(["message": "Successfully deleted"])
    }

    /// Removes the bytes of a session that its owner no longer wants; what is being analyzed goes when that is over.
    ///
    /// - Returns: whether it was removed.
    @discardableResult
    private func remove(_ object: StoredObject, _ request: Request) async throws -> Bool {
        let owner = object.session.ownerId
        let outcome = try await commands.put(
            .removeUpload(by: owner), on: Session.stream(object.session.sessionId), by: owner, request)
        return !outcome.events.isEmpty
    }

    // MARK: Common

    /// The session of a request's path, and the path as it came.
    private func object(of request: Request) throws -> (UUID, String) {
        try CompatibleObject.check(bucket: request.parameters["bucket"])
        guard let path = request.parameters["path"], let id = CompatibleObject.session(of: path) else {
            throw ["GET", "HEAD", "DELETE"].contains(request.method)
                ? CompatibleError.noSuchKey : CompatibleError.notAllowed
        }
        return (id, path)
    }

    private func find(_ id: UUID, for caller: CompatibleCaller) async throws -> StoredObject {
        let loaded = try await commands.load(Session.stream(id))
        guard let object = StoredObject(loaded, at: .now()), caller.mayUse(object.session) else {
            throw CompatibleError.noSuchKey
        }
        return object
    }

    private func found(_ path: String, for caller: CompatibleCaller) async throws -> StoredObject? {
        guard let id = CompatibleObject.session(of: path) else { return nil }
        do {
            return try await find(id, for: caller)
        } catch is CompatibleError {
            return nil
        }
    }

    private nonisolated static func seconds(_ body: JSONObject) throws(CompatibleError) -> Int64 {
        // Some clients send it as text.
        let value = body["expiresIn"]
        guard let seconds = value?.intValue ?? value?.stringValue.flatMap({ Int64($0) }), seconds > 0 else {
            throw .invalidRequest("expiresIn must be a number of seconds above 0.")
        }
        return min(seconds, longest)
    }

    private nonisolated static func paths(_ body: JSONObject, _ name: String) throws(CompatibleError) -> [String] {
        let values = body[name]?.arrayValue ?? []
        let paths = values.compactMap(\.stringValue)
        guard !values.isEmpty, paths.count == values.count, paths.count <= 100 else {
            throw .invalidRequest("\(name) must be a list of 1 to 100 paths.")
        }
        return paths
    }
}

extension CompatibleError {
    fileprivate static let inAnalysis = CompatibleError(
        423, "ResourceLocked", "The recording is being analyzed: it goes when that is over, if it is not kept.",
        title: "resource_locked")
}

extension CompatibleCaller {
    /// Whether a session is the caller's, or the caller a server of the operator's.
    func mayUse(_ session: SessionIdentity) -> Bool {
        switch self {
        case .anon: false
        case .service: true
        case .user(let caller): caller.user == session.ownerId
        }
    }
}

extension CompatibleObject {
    /// The session whose recording a path names: its id in either case, with the ending of a recording.
    static func session(of path: String) -> UUID? {
        let parts = path.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, ["mp4", "mov", "webm"].contains(parts[1].lowercased()) else { return nil }
        return CompatibleValue.uuid(String(parts[0]))
    }

    /// - Throws: that there is no such bucket.
    static func check(bucket: String?) throws(CompatibleError) {
        guard bucket == Self.bucket else { throw .noSuchBucket }
    }
}

extension Request {
    /// Whether the client wants to replace what there is.
    var replacesObjects: Bool { headers["x-upsert"]?.lowercased() == "true" }
}
