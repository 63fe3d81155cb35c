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
        SessionKinds(
            try SettingsFileReader.read(bytes, version: version, member: "kinds") { reader, kinds in
                reader.kinds(kinds)
            })
    }
}

extension SettingsFileReader {
    fileprivate mutating func kinds(_ value: JSONValue?) -> [SessionKind: UploadRules] {
        guard let kinds = value?.objectValue, !kinds.isEmpty else {
            note("kinds must be an object with a member for each kind of session.")
            return [:]
        }
        var uploads: [SessionKind: UploadRules] = [:]
        for member in kinds.members {
            let place = "kinds.\(member.key)"
            checkName(member.key, at: place)
            guard let kind = member.value.objectValue, let upload = kind["upload"]?.objectValue else {
                note("\(place) must be an object with upload, what its sessions begin with.")
                continue
            }
            checkMembers(of: kind, at: "\(place).", known: ["upload"])
            uploads[SessionKind(rawValue: member.key)] = rules(upload, "\(place).upload")
        }
        return uploads
    }

    private mutating func rules(_ upload: JSONObject, _ place: String) -> UploadRules {
        checkMembers(of: upload, at: "\(place).", known: ["mediaTypes", "limitBytes", "maxDurationSeconds"])
        let names = upload["mediaTypes"]?.arrayValue ?? []
        let types = names.compactMap { $0.stringValue.flatMap(MediaType.init(rawValue:)) }
        if types.isEmpty || types.count < names.count {
            let known = MediaType.allCases.map(\.rawValue).joined(separator: ", ")
            note("\(place).mediaTypes must be a list of some of \(known).")
        }
        return UploadRules(
            mediaTypes: Set(types), limitBytes: limit(upload["limitBytes"], "\(place).limitBytes", .max),
            maxDurationSeconds: limit(upload["maxDurationSeconds"], "\(place).maxDurationSeconds", 86_400))
    }

    private mutating func limit(_ value: JSONValue?, _ place: String, _ most: Int64) -> Int64? {
        value.map { number($0, at: place, in: 1...most, or: "; leave it out for no limit") }
    }
}
