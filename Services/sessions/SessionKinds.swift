import Contracts
import JSON
import Uploads

/// What a session of some kind begins with: a file that its owner uploads.
struct UploadRules: Sendable, Hashable {
    /// What the file may be.
    let mediaTypes: Set<MediaType>
    /// The largest file, in bytes; nil for no other limit than that of all uploads.
    let limitBytes: Int64?
    /// The longest recording that a client can ask for; nil when the kind's files have no length.
    let maxDurationSeconds: Int64?
}

/// All that is wrong with a file of kinds.
struct KindsFileError: Error {
    /// One sentence for each mistake, with the place and what to write instead.
    let mistakes: [String]
}

/// The kinds of session that can be created, declared here alone: everything else takes them as they come.
struct SessionKinds: Sendable, Hashable {
    private let uploads: [SessionKind: UploadRules]

    /// Those that the service brings with it: `Kinds/kinds.json`.
    static let builtIn: SessionKinds = {
        do throws(KindsFileError) { return try SessionKinds(file: PackageResources.kinds_json) } catch {
            preconditionFailure("Kinds/kinds.json cannot be read: \(error.mistakes).")
        }
    }()

    /// What a session of a kind begins with; nil for a kind that cannot be created.
    func upload(of kind: SessionKind) -> UploadRules? { uploads[kind] }

    /// Reads a file of kinds in the form of `docs/plans.md`.
    ///
    /// - Throws: every mistake at once.
    init(file bytes: [UInt8]) throws(KindsFileError) {
        let file: JSONObject
        do throws(JSONError) { file = try JSONObject.parse(bytes) } catch {
            throw KindsFileError(mistakes: ["is not JSON: \(error)."])
        }
        var reader = Reader()
        uploads = reader.file(file)
        guard reader.mistakes.isEmpty else { throw KindsFileError(mistakes: reader.mistakes) }
    }

    /// Walks through a file and goes on after a mistake.
    private struct Reader {
        private(set) var mistakes: [String] = []

        mutating func file(_ file: JSONObject) -> [SessionKind: UploadRules] {
            strangers(in: file, "", known: ["version", "kinds"])
            if file["version"]?.intValue != 1 {
                mistakes.append("version must be 1, the only form that this build knows.")
            }
            guard let kinds = file["kinds"]?.objectValue, !kinds.isEmpty else {
                mistakes.append("kinds must be an object with a member for each kind of session.")
                return [:]
            }
            var uploads: [SessionKind: UploadRules] = [:]
            for member in kinds.members {
                let place = "kinds.\(member.key)"
                let isGood = member.key.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789-".utf8.contains($0) }
                if !isGood || member.key.isEmpty || member.key.utf8.count > 40 {
                    mistakes.append("\(place) must be named with up to 40 lower-case letters, digits and hyphens.")
                }
                guard let upload = member.value.objectValue?["upload"]?.objectValue else {
                    mistakes.append("\(place) must be an object with upload, what its sessions begin with.")
                    continue
                }
                strangers(in: member.value.objectValue ?? [:], "\(place).", known: ["upload"])
                uploads[SessionKind(rawValue: member.key)] = rules(upload, "\(place).upload")
            }
            return uploads
        }

        private mutating func rules(_ upload: JSONObject, _ place: String) -> UploadRules {
            strangers(in: upload, "\(place).", known: ["mediaTypes", "limitBytes", "maxDurationSeconds"])
            let names = upload["mediaTypes"]?.arrayValue ?? []
            let types = names.compactMap { $0.stringValue.flatMap(MediaType.init(rawValue:)) }
            if types.isEmpty || types.count < names.count {
                let known = MediaType.allCases.map(\.rawValue).joined(separator: ", ")
                mistakes.append("\(place).mediaTypes must be a list of some of \(known).")
            }
            return UploadRules(
                mediaTypes: Set(types), limitBytes: number(upload["limitBytes"], "\(place).limitBytes", .max),
                maxDurationSeconds: number(upload["maxDurationSeconds"], "\(place).maxDurationSeconds", 86_400))
        }

        private mutating func number(_ value: JSONValue?, _ place: String, _ most: Int64) -> Int64? {
            guard let value else { return nil }
            if let number = value.intValue, (1...most).contains(number) { return number }
            let range = most == .max ? "a whole number of at least 1" : "a whole number from 1 to \(most)"
            mistakes.append("\(place) must be \(range); leave it out for no limit.")
            return nil
        }

        private mutating func strangers(in object: JSONObject, _ prefix: String, known: [String]) {
            for key in object.keys where !known.contains(key) {
                mistakes.append("\(prefix)\(key) is not known; the members here are \(known.joined(separator: ", ")).")
            }
        }
    }
}
