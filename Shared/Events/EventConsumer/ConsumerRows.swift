package import EventStore
import JSON
import Primitives

/// The row functions of the consumer.
package enum ConsumerRows {
    /// Moves a partition's watermark by compare-and-set on the owner's epoch and the old value.
    static let moveWatermark = RowFunction(
        "move_watermark", .string("topic"), .int("partition"), .int("epoch"), .int("fromOffset"), .int("fromSeen"),
        .int("nextOffset"), .optionalString("lastIdentity"), .optionalUUID("incarnation"), .int("seen"),
        .int("sourceEpoch"), .optionalInt("fork"), refusals: [.watermark])

    /// Sets a record aside; headers are pairs of name and value in hexadecimal digits, as is the value.
    static let park = RowFunction(
        "park", .string("topic"), .int("partition"), .int("offset"), .string("key"), .string("identity"),
        .string("type"), .string("reason"), .json("headers"), .string("value"))

    /// Takes a key's first parked message off the table, under the epoch of the partition's owner.
    static let unpark = RowFunction(
        "unpark", .string("topic"), .int("partition"), .string("identity"), .int("epoch"),
        refusals: [.watermark, .notParked])

    package static let all = [moveWatermark.declaration, park.declaration, unpark.declaration]
}

extension RowRefusal {
    /// Another owner has moved the partition's watermark, or it has passed already, or the database was replaced meanwhile.
    package static let watermark = RowRefusal("watermark")
    /// The message is not parked any more.
    package static let notParked = RowRefusal("not-parked")
}
