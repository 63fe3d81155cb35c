import CompatibleSurface
package import Primitives

/// A value of a filter or of a row that is written, as its column's type has it.
package enum RestValue: Sendable, Equatable {
    case uuid(UUID)
    case text(String)
    case integer(Int64)
    case double(Double)
    case boolean(Bool)
    case time(Timestamp)
    case day(LocalDay)

    /// - Throws: 22P02 for a text that is no value of the type.
    init(_ text: String, as type: RestType) throws(CompatibleError) {
        let value: RestValue? =
            switch type {
            case .uuid: UUID(text).map(RestValue.uuid)
            case .text: .text(text)
            case .integer: Int64(text).map(RestValue.integer)
            case .double: Double(text).flatMap { $0.isFinite ? .double($0) : nil }
            case .boolean: Self.boolean(text).map(RestValue.boolean)
            case .timestamp: CompatibleValue.moment(text).map(RestValue.time)
            case .date:
                (LocalDay(text) ?? CompatibleValue.moment(text).map { LocalDay(of: $0, utcOffsetSeconds: 0) }).map(
                    RestValue.day)
            case .json, .texts: nil
            }
        guard let value else { throw .value(text, of: type) }
        self = value
    }

    private static func boolean(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "true", "t", "yes", "y", "on", "1": true
        case "false", "f", "no", "n", "off", "0": false
        default: nil
        }
    }
}
