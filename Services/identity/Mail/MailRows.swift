package import EventStore
import Primitives

/// The row functions of the outbox of mails.
package enum MailRows {
    static let queue = RowFunction("queue_mail", .uuid("id"), .uuid("owner"), .string("kind"))
    static let drop = RowFunction("drop_mail", .uuid("owner"))

    package static let all = [queue.declaration, drop.declaration]
}
