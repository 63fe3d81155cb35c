import HTTPServer
import Primitives
import ServiceKit
import Uploads

/// What an upload token of the compatible surface allows: to send the file of one session, and perhaps in another one's place.
struct UploadToken {
    let replaces: Bool
    /// For how long it still holds.
    let left: Duration

    /// - Throws: the problem `upload-address-invalid` for a token that was not made for this session, or `upload-address-expired`.
    init(_ text: String, of session: UUID, _ links: SignedLinks) throws(Problem) {
        let path = CompatibleObject.uploadPath(session)
        do throws(Problem) {
            (replaces, left) = (true, try links.checkToken(text, Self.method(replaces: true), path))
        } catch {
            guard error.code == .uploadAddressInvalid else { throw error }
            (replaces, left) = (false, try links.checkToken(text, Self.method(replaces: false), path))
        }
    }

    /// A new one.
    static func text(for session: UUID, replaces: Bool, until end: Timestamp, _ links: SignedLinks) -> String {
        links.token(method(replaces: replaces), CompatibleObject.uploadPath(session), until: end)
    }

    /// One that replaces another file is made for another method, which no request has.
    private static func method(replaces: Bool) -> String { replaces ? "REPLACE" : "PUT" }
}
