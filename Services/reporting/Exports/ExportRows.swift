import EventStore
import Primitives

/// The rows of `open_exports`: whose each export is, as long as something may be left of it, and when the clock has to look at it.
enum ExportRows {
    private static let watchExport = RowFunction("watch_export", .uuid("exportId"), .uuid("ownerId"), .time("from"))
    private static let unwatchExport = RowFunction("unwatch_export", .uuid("exportId"))
    /// Removes the exports of a subject.
    static let forget = RowFunction("forget_exports", .uuid("subject"))

    static let all = [watchExport.declaration, unwatchExport.declaration, forget.declaration]

    /// From a moment on there is something to do for an export.
    static func watch(_ export: ExportIdentity, from moment: Timestamp) -> RowCall {
        watchExport(export.exportId, export.ownerId, moment)
    }

    /// Nothing is left of an export.
    static func unwatch(_ export: ExportIdentity) -> RowCall { unwatchExport(export.exportId) }
}
