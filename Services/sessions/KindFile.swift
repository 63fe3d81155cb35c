import Contracts
import JSON
import ServiceKit
import Uploads

/// Reads declarations of kinds in the form of `docs/plans.md`.
enum KindFile {
    /// The version of the form.
    private static let version: Int64 = 1

    /// Reads a whole file.
    ///
    /// - Throws: every mistake at once.
    static func read(_ bytes: [UInt8]) throws(SettingsFileError) -> SessionKinds {
        try SettingsFileReader.read(bytes, version: version, member: "kinds") { reader, kinds in reader.kinds(kinds) }
    }
}

extension SettingsFileReader {
    fileprivate mutating func kinds(_ value: JSONValue?) -> SessionKinds {
        guard let kinds = value?.objectValue, !kinds.isEmpty else {
            note("kinds must be an object with a member for each kind of session.")
            return SessionKinds([:])
        }
        var uploads: [SessionKind: UploadRules] = [:]
        var logged: [SessionKind: LoggedRules] = [:]
        for member in kinds.members {
            let place = "kinds.\(member.key)"
            checkName(member.key, at: place)
            let name = SessionKind(rawValue: member.key)
            let kind = member.value.objectValue ?? [:]
            switch (kind["upload"]?.objectValue, kind["logged"]?.objectValue) {
            case (let upload?, nil): uploads[name] = rules(upload, "\(place).upload")
            case (nil, let rules?): logged[name] = loggedRules(rules, "\(place).logged")
            default:
                note(
                    "\(place) must be an object with upload, what its sessions begin with, or with logged, if they are told when they are over."
                )
                continue
            }
            checkMembers(of: kind, at: "\(place).", known: ["upload", "logged"])
        }
        return SessionKinds(uploads, logged: logged)
    }

    private mutating func loggedRules(_ logged: JSONObject, _ place: String) -> LoggedRules {
        checkMembers(of: logged, at: "\(place).", known: ["maxActiveSeconds"])
        return LoggedRules(
            maxActiveSeconds: limit(logged["maxActiveSeconds"], "\(place).maxActiveSeconds", 86_400) ?? 86_400)
    }

    private mutating func rules(_ upload: JSONObject, _ place: String) -> UploadRules {
        checkMembers(
            of: upload, at: "\(place).", known: ["mediaTypes", "limitBytes", "maxDurationSeconds", "keptDays"])
        let names = upload["mediaTypes"]?.arrayValue ?? []
        let types = names.compactMap { $0.stringValue.flatMap(MediaType.init(rawValue:)) }
        if types.isEmpty || types.count < names.count {
            let known = MediaType.allCases.map(\.rawValue).joined(separator: ", ")
            note("\(place).mediaTypes must be a list of some of \(known).")
        }
        return UploadRules(
            mediaTypes: Set(types), limitBytes: limit(upload["limitBytes"], "\(place).limitBytes", .max),
            maxDurationSeconds: limit(upload["maxDurationSeconds"], "\(place).maxDurationSeconds", 86_400),
            keptDays: upload["keptDays"].map {
                number($0, at: "\(place).keptDays", in: 0...3_650, or: "; leave it out for no other limit")
            })
    }

    private mutating func limit(_ value: JSONValue?, _ place: String, _ most: Int64) -> Int64? {
        value.map { number($0, at: place, in: 1...most, or: "; leave it out for no limit") }
    }
}
