package import CompatibleSurface

/// The errors of PostgREST and PostgreSQL that clients of `/rest/v1` know, by their codes.
extension CompatibleError {
    /// A query that this surface does not understand: it is refused, because one that is left out would show more than was asked for.
    package static func query(_ message: String, details: String? = nil) -> CompatibleError {
        CompatibleError(400, "PGRST100", message, details: details)
    }

    /// A body that is not what it should be.
    package static func body(_ message: String) -> CompatibleError { CompatibleError(400, "PGRST102", message) }

    static func unknownColumn(_ name: String, of table: String) -> CompatibleError {
        CompatibleError(400, "42703", "column \(table).\(name.prefix(100)) does not exist")
    }

    static func unknownColumnOfBody(_ name: String, of table: String) -> CompatibleError {
        CompatibleError(
            400, "PGRST204", "Could not find the '\(name.prefix(100))' column of '\(table)' in the schema cache")
    }

    package static func unknownTable(_ name: String) -> CompatibleError {
        CompatibleError(404, "PGRST205", "Could not find the table 'public.\(name.prefix(100))' in the schema cache")
    }

    package static func unknownFunction(_ name: String) -> CompatibleError {
        let name = name.prefix(100)
        return CompatibleError(
            404, "PGRST202", "Could not find the function public.\(name) in the schema cache",
            details: "Searched for the function public.\(name), but no matches were found in the schema cache.")
    }

    package static let unknownPath = CompatibleError(404, "PGRST125", "Invalid path specified in request URL")

    /// A value that is none of its type.
    static func value(_ text: String, of type: RestType) -> CompatibleError {
        CompatibleError(400, "22P02", "invalid input syntax for type \(type.sqlName): \"\(text.prefix(100))\"")
    }

    /// An operator that a type does not have; PostgREST answers 404 to a function that is not there.
    static func operation(_ name: String, on type: RestType) -> CompatibleError {
        CompatibleError(
            404, "42883", "operator does not exist: \(type.sqlName) \(name) unknown",
            hint: "No operator matches the given name and argument types. You might need to add explicit type casts.")
    }

    /// - Parameter isSignedIn: whether somebody is; whoever is not could sign in.
    package static func forbidden(table: String, isSignedIn: Bool) -> CompatibleError {
        CompatibleError(isSignedIn ? 403 : 401, "42501", "permission denied for table \(table)")
    }

    /// A row that would be somebody else's.
    package static func notOwner(table: String, isSignedIn: Bool) -> CompatibleError {
        CompatibleError(
            isSignedIn ? 403 : 401, "42501", "new row violates row-level security policy for table \"\(table)\"")
    }

    /// A change of everything that somebody has, which nobody means.
    static func withoutFilter(_ method: String) -> CompatibleError {
        CompatibleError(400, "21000", "\(method == "DELETE" ? "DELETE" : "UPDATE") requires a WHERE clause")
    }
}
