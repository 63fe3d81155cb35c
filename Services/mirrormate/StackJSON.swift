import JSON

/// Small documents that commands answer with `--json`.
enum StackJSON {
    /// What `down` stopped.
    static func stopped(_ names: [String]) -> JSONValue {
        ["version": 1, "stopped": .array(names.map(JSONValue.string))]
    }
}
