package import EventStore
import Primitives

/// The row functions of the outbox of mails.
package enum MailRows {
    static let queue = RowFunction("queue_mail", .uuid("id"), .uuid("owner"), .string("kind"))
    static let drop = RowFunction("drop_mail", .uuid("owner"))
    static let openCode = RowFunction("open_code_of_mail", .uuid("id"), refusals: [.codeOpened])

    package static let all = [queue.declaration, drop.declaration, openCode.declaration]
}

extension RowRefusal {
    /// The mail has opened its code before, or is gone.
    package static let codeOpened = RowRefusal("code-opened")
}
