import CompatibleSurface
import Contracts
import EventSourcing
import EventStore
import JSON
import Primitives
import Runtime

/// The recording of a session as an object of the bucket `videos`, as long as the bytes are there: after its upload, and after the
/// analysis if its owner keeps it.
struct StoredObject: Sendable {
    let session: SessionIdentity
    let media: MediaReference
    /// When it came.
    let createdAt: Timestamp
    /// Until when it is there; nil as long as others work on it.
    let until: Timestamp?

    var name: String { CompatibleObject.name(session.sessionId) }

    /// Nil for a session without bytes.
    init?(_ loaded: CommandHandler<Session>.Loaded, at now: Timestamp) {
        guard let session = loaded.state.identity else { return nil }
        var until: Timestamp?
        switch loaded.state {
        case .open(_, _, let upload?, _): media = upload
        case .processing(_, let work): media = work.media
        case .ended(_, .completed(_, let kept?)) where now < kept.until:
            media = kept.media
            until = kept.until
        case .absent, .queued, .open, .ended, .gone, .subjectErased: return nil
        }
        self.session = session
        self.until = until
        let stored = loaded.history.last { if case .uploadStored = $0.event { true } else { false } }
        createdAt = stored?.recordedAt ?? now
    }
}

/// How clients see it.
extension StoredObject {
    private var tag: JSONValue { .string("\"\(media.sha256)\"") }

    /// An entry of a list.
    var entry: JSONObject {
        [
            "name": .string(name), "id": .uuid(session.sessionId), "created_at": CompatibleValue.time(createdAt),
            "updated_at": CompatibleValue.time(createdAt), "last_accessed_at": CompatibleValue.time(createdAt),
            "metadata": [
                "eTag": tag, "size": .int(media.sizeBytes), "mimetype": .string(media.contentType),
                "cacheControl": "no-store", "lastModified": CompatibleValue.time(createdAt),
                "contentLength": .int(media.sizeBytes), "httpStatusCode": 200,
            ],
        ]
    }

    /// What is answered about one object.
    var info: JSONObject {
        [
            "id": .uuid(session.sessionId), "version": .string(media.sha256), "name": .string(name),
            "bucket_id": .string(CompatibleObject.bucket), "size": .int(media.sizeBytes),
            "content_type": .string(media.contentType), "cache_control": "no-store", "etag": tag, "metadata": [:],
            "created_at": CompatibleValue.time(createdAt), "updated_at": CompatibleValue.time(createdAt),
            "last_modified": CompatibleValue.time(createdAt), "last_accessed_at": CompatibleValue.time(createdAt),
        ]
    }

    /// What is answered about one that was removed.
    var removed: JSONObject {
        entry.adding([
            "bucket_id": .string(CompatibleObject.bucket), "owner": .uuid(session.ownerId),
            "owner_id": .uuid(session.ownerId), "version": .string(media.sha256),
        ])
    }
}
