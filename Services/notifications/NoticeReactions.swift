import Contracts
import EventSourcing
import EventStore
import JSON
package import Primitives
import Runtime
package import ServiceKit

/// What reactions look things up in.
package struct EndpointsInForce: Sendable {
    private let look: @Loop @Sendable (_ owner: UUID) async throws -> [WebhookEndpoint]

    package init(_ look: @escaping @Loop @Sendable (_ owner: UUID) async throws -> [WebhookEndpoint]) {
        self.look = look
    }

    /// The endpoints of an owner that are told.
    ///
    /// - Throws: `PostgresError` or `CancellationError`.
    func endpoints(of owner: UUID) async throws -> [WebhookEndpoint] { try await look(owner) }
}

extension Notice {
    /// What messages of other services mean here.
    package static let reactions = Reactions<Notice, EndpointsInForce>(
        telling(ReportReady.self, .reportReady, owner: \.ownerId) {
            ["sessionId": .uuid($0.sessionId), "reportId": .uuid($0.reportId)]
        },
        telling(SessionFailed.self, .sessionFailed, owner: \.ownerId) {
            [
                "sessionId": .uuid($0.sessionId), "kind": $0.kind.json, "code": $0.code.json,
                "retryable": .bool($0.retryable),
            ]
        },
        telling(GoalMet.self, .goalMet, owner: \.ownerId) { ["goalId": .uuid($0.goalId)] },
        telling(MilestoneReached.self, .milestoneReached, owner: \.ownerId) {
            ["kind": $0.kind.json, "streakDays": .int($0.streakDays)]
        },
        telling(PlanChanged.self, .entitlementChanged, owner: \.ownerId) { ["plan": $0.plan.json] },
        .erasure,
        ignoring: [
            // Nobody is told before there is something to see, nor of what they have just done themselves.
            SessionCreated.type, UploadFinalized.type, SessionCompleted.type, SessionCancelled.type,
            SessionExpired.type, SessionDeleted.type, SessionLogged.type, SessionCorrected.type, SessionWithdrawn.type,
            MediaKept.type, MediaRemoved.type,
            // A report that cannot be made ends its session, which is told.
            ReportFailed.type, ReportDeleted.type,
            // Nothing is kept of somebody here that an export had to have besides what its owner can read (docs/webhooks.md).
            ExportRequested.type, ExportClosed.type,
            // Of a unit the session says what became of it.
            QuotaReserved.type, QuotaReservedV2.type, QuotaRefused.type, QuotaCommitted.type, QuotaReleased.type,
            // Endpoints are an account's; a device that is handed over has none.
            UserRegistered.type, UserProfileChanged.type, DeviceHandedOver.type, DeviceHandedOverV2.type,
            DeviceSecretRevoked.type,
            // No provider gets anything from here.
            ConsentGiven.type, ConsentWithdrawn.type,
        ])

    /// Tells an owner of a message, at the endpoints that want it.
    ///
    /// - Parameter content: what the notice says of it.
    private static func telling<Message: PublishedMessage>(
        _: Message.Type, _ kind: NoticeKind, owner: @escaping @Sendable (Message) -> UUID,
        _ content: @escaping @Sendable (Message) -> JSONObject
    ) -> Reactions<Notice, EndpointsInForce>.Entry {
        @Sendable func notice(_ dated: DatedMessage<Message>) -> Notice {
            Notice(noticeId: dated.id, kind: kind, happenedAt: dated.time, content: content(dated.message))
        }
        return .onDated(
            Message.self,
            lookingUp: { dated, found in
                notice(dated).recipients(among: try await found.endpoints(of: owner(dated.message)))
            },
            recalling: { _, events in
                guard case .noticeRaised(_, _, let endpoints) = events.first else { return [] }
                return endpoints
            }
        ) { dated, endpoints in
            let notice = notice(dated)
            return endpoints.isEmpty
                ? .ignore
                : .apply(stream(notice.noticeId), .raise(ownerId: owner(dated.message), notice, to: endpoints))
        }
    }
}
