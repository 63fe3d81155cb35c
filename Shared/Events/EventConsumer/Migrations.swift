package import EventStore

extension Migration {
    /// The consumer's objects; they come after ``eventStore``.
    package static let consumer: [Migration] = [
        Migration("consumer_partitions", PackageResources.consumer_partitions_sql),
        Migration("parked_messages", PackageResources.parked_messages_sql),
        Migration("parked_by_key_hash", PackageResources.parked_by_key_hash_sql),
        Migration("unpark_in_order", PackageResources.unpark_in_order_sql),
        Migration("last_words", PackageResources.last_words_sql),
    ]
}
