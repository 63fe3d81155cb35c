/// One SQL file that is run once in the life of a schema.
package struct Migration: Sendable {
    /// The file's name without its ending; durable, because the schema remembers it.
    package let name: String
    /// The file's text. `:role` and `:schema` stand for the service's login role and schema.
    package let sql: String

    package init(_ name: String, _ bytes: [UInt8]) {
        self.name = name
        sql = String(decoding: bytes, as: UTF8.self)
    }
}

extension Migration {
    /// The event store's own objects, in order.
    package static let eventStore: [Migration] = [
        Migration("defaults", PackageResources.defaults_sql),
        Migration("scope", PackageResources.scope_sql),
        Migration("head", PackageResources.head_sql),
        Migration("events", PackageResources.events_sql),
        Migration("events_immutable", PackageResources.events_immutable_sql),
        Migration("erased_subjects", PackageResources.erased_subjects_sql),
        Migration("append_batch", PackageResources.append_batch_sql),
        Migration("privileges", PackageResources.privileges_sql),
        Migration("own_functions", PackageResources.own_functions_sql),
        Migration("stream_owners", PackageResources.stream_owners_sql),
        Migration("append_owners", PackageResources.append_owners_sql),
        Migration("stream_owners_filled", PackageResources.stream_owners_filled_sql),
    ]
}
