import Access
import EventStore
import HTTPServer
import JSON
import Photos
import Postgres
import Primitives
import Runtime
import ServiceKit

/// The photo of the caller's account, which nobody else sees.
@Loop struct PhotoRoutes {
    private let store: EventStore
    private let owners: OwnerReads
    private let credentials: Credentials
    private let maker: PhotoMaker

    init(_ context: ServiceContext, _ credentials: Credentials, _ maker: PhotoMaker) {
        store = context.store
        owners = context.owners
        self.credentials = credentials
        self.maker = maker
    }

    /// The photo, for the caller's own client to keep and to ask about each time.
    func read(_ request: Request, _ caller: Caller) async throws -> Response {
        let row = try await owners.query(
            of: caller.user, "select jpeg, tag from photos where user_id = $1", [.uuid(caller.user)]
        ).first
        guard let row else { throw Problem(.photoMissing) }
        var response = Response.tagged("\"\(row.text(1))\"", request) {
            .bytes(row.bytes(0), contentType: "image/jpeg", headers: $0)
        }
        response.headers["Cache-Control"] = "private, no-cache"
        return response
    }

    /// Makes a photo of the picture that is sent, and sets it in the place of an earlier one. An anonymous device has none.
    func set(_ request: Request, _ caller: Caller) async throws -> Response {
        guard try await credentials.hasAccount(caller.user) else { throw UserRefusal.noAccount }
        let photo = try await maker.photo(for: caller.user, of: request)
        try await append(PhotoRows.put(of: caller.user, photo), request, caller)
        return .personal(["user": try await UserView(caller.user, owners).json])
    }

    /// Removes the photo; again changes nothing.
    func remove(_ request: Request, _ caller: Caller) async throws -> Response {
        try await append(PhotoRows.remove(of: caller.user), request, caller)
        return .noContent
    }

    /// Changes the row, as long as the login session stands.
    private func append(_ row: RowCall, _ request: Request, _ caller: Caller) async throws {
        do {
            try await store.append(
                Append(
                    id: .v7(), requestHash: [], metadata: request.metadata(owner: caller.user), writes: [],
                    calls: [caller.stands, row]))
        } catch AppendError.erased {
            throw Problem.userGone
        }
    }
}
