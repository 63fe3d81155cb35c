import Postgres

/// Why a rebuild or a switch was refused.
package struct RebuildRefusal: Error, Sendable, CustomStringConvertible {
    package let code: String
    package let description: String

    /// Translates the refusals of the SQL functions; nil for other errors.
    init?(_ error: any Error, _ model: String) {
        guard let error = error as? PostgresError else { return nil }
        switch error.code.rawValue {
        case "MMRB1":
            code = "no-read-model"
            description =
                "No migration has registered \(model) here, or its table is missing; migrate its service first."
        case "MMRB2":
            code = "rebuild-running"
            description = "Another rebuild of \(model) is running; wait for it or end it."
        case "MMRB3":
            code = "not-caught-up"
            description = "The fresh table of \(model) is not folded as far as the live one; build it again."
        case "MMRB4":
            code = "nothing-to-go-back-to"
            description = "No earlier table of \(model) is kept, so there is nothing to go back to."
        case "MMRB5":
            code = "rebuild-over"
            description = "This rebuild of \(model) is over: it was switched or abandoned, or another one has begun."
        default: return nil
        }
    }
}
