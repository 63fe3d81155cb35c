import CompatibleSurface
import EventStore
import HTTPServer
import Primitives
import RestTables
import Runtime
import ServiceKit

/// The table `sessions` of `/rest/v1`, and the answers about all that is no table there.
///
/// | Caller | Sees |
/// |---|---|
/// | somebody who is signed in | their own sessions |
/// | anon key | the one session whose id they name, for an hour after it was created |
/// | service key | all |
@Loop struct SessionTableRoutes {
    private let context: ServiceContext
    private let reader: RestReader
    private let fold: FoldWait

    init(_ context: ServiceContext) {
        self.context = context
        reader = RestReader(CompatibleSession.table, context) { CompatibleSession.row(try SessionRow($0)) }
        fold = FoldWait(context.live(SessionProjection.self), SessionProjection.name, context.store)
    }

    func add(to routes: CompatibleRoutes) {
        routes.on("GET", "/sessions", read)
        for method in ["POST", "PATCH", "PUT", "DELETE"] { routes.on(method, "/sessions", refuse) }
        for method in ["GET", "POST", "PATCH", "PUT", "DELETE"] {
            routes.on(method, "/{table}") { request, _ in
                throw CompatibleError.unknownTable(request.parameters["table"] ?? "")
            }
            routes.on(method, "/rpc/{function}") { request, _ in
                throw CompatibleError.unknownFunction(request.parameters["function"] ?? "")
            }
        }
    }

    private func read(_ request: Request, _ caller: CompatibleCaller) async throws -> Response {
        let query = try reader.query(request)
        let scope: RestReader.Scope? =
            switch caller {
            case .user(let user): .owner(user.user)
            case .service: .everybody
            case .anon: try await capability(query)
            }
        if scope != nil { try await fold.settled() }
        return try await reader.answer(request, query, in: scope)
    }

    /// Whose session it is that an anonymous caller names, and may read.
    private func capability(_ query: RestQuery) async throws -> RestReader.Scope? {
        guard context.settings.hasAnonymousReads, let id = query.pinned("id"), SessionCapability.isCompatible(id),
            let found = try await CompatibleAccess.open(id, context.store)
        else { return nil }
        return .owner(found.ownerId)
    }

    /// A session changes by what is done with it, and not by what somebody writes.
    private func refuse(_: Request, _ caller: CompatibleCaller) async throws -> Response {
        throw CompatibleError.forbidden(table: "sessions", isSignedIn: caller != .anon)
    }
}
