import Foundation

/// Follows one session: by events while they get through, by asking where they do not.
struct Follower {
    let coach: MirrorMate
    let id: UUID
    let tell: (Session) -> Void

    private var lastEvent: String?
    private var lastSeen: (updatedAt: Date, place: Int?)?
    private var isOver = false
    /// Streams in a row that broke without an event.
    private var silent = 0

    init(coach: MirrorMate, id: UUID, tell: @escaping (Session) -> Void) {
        self.coach = coach
        self.id = id
        self.tell = tell
    }

    mutating func run() async throws {
        while !isOver {
            if silent < 3 { try await stream() }
            if isOver { return }
            // Whatever broke the stream, what happened meanwhile is known at once.
            heard(try await coach.session(id))
            if !isOver { try await Task.sleep(for: silent == 0 ? .milliseconds(200) : .seconds(2)) }
        }
    }

    /// Takes events until the stream ends: with the session, with the access token, or with the connection.
    private mutating func stream() async throws {
        silent += 1
        let (coach, id, last) = (coach, id, lastEvent)
        do {
            try await coach.withToken { token in
                try await coach.events(id, after: last, token: token) { try take($0) }
            }
        } catch is URLError {
            // Taken up again after the last event.
        } catch let problem as Problem where problem.status >= 500 || problem.status == 429 {
            // There may be too many streams; asking works.
        }
    }

    private mutating func take(_ event: ServerSentEvent) throws {
        silent = 0
        lastEvent = event.id ?? lastEvent
        switch event.name {
        case "session": heard(try Documents.decode(from: Data(event.data.utf8)))
        case "gone": throw ClientError.sessionGone
        case "signed-out": throw ClientError.notSignedIn
        default: break
        }
    }

    private mutating func heard(_ session: Session) {
        isOver = session.status.isOver
        // A place in line changes while the session does not.
        if let lastSeen, lastSeen == (session.updatedAt, session.queuePosition) { return }
        lastSeen = (session.updatedAt, session.queuePosition)
        tell(session)
    }
}
