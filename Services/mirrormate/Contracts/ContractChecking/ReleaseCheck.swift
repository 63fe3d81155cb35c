package import Contracts
import Crypto
package import JSON
import Primitives

/// Checks what was released against today's readers, writers and declarations.
package struct ReleaseCheck: Sendable {
    private let tree: ContractTree

    package init(_ tree: ContractTree) { self.tree = tree }

    /// All violations in a service's published messages.
    package func findings(of service: ServiceName) -> [Finding] {
        let declared = Catalogue.messages.filter { $0.service == service }
        var findings = declared.flatMap(check)
        for golden in tree.published where golden.type.service == service.rawValue {
            if golden.type == MessageType.lease(service) { continue }
            guard Catalogue.message(golden.type) == nil else { continue }
            findings.append(
                Finding(
                    "\(service.rawValue): \(golden.type.shortName)",
                    "It was released, and today's code does not publish it. "
                        + readers(tree.contracts.filter { $0.message(golden.type) != nil }.map(\.consumer)),
                    Advice.keep))
        }
        return findings + locks("Services/\(service.rawValue)/")
    }

    private func check(_ message: DeclaredMessage) -> [Finding] {
        let place = "\(message.service.rawValue): \(message.shortName)"
        var findings = message.fields.flatMap { $0.flaws(isContract: false) }.map { path, problem in
            Finding(
                "\(place), field \(path)", "The declared field \(problem).",
                "Numbers carry their unit in the declaration and in the name: correct "
                    + "Services/mirrormate/Contracts/ContractChecking.")
        }
        let records = tree.records(message.type)
        if records.isEmpty {
            return findings + [Finding(place, "No story makes the service publish it.", Advice.accept)]
        }
        for record in records { findings += check(record.value, message, place) }
        return findings
    }

    private func check(_ value: JSONObject, _ message: DeclaredMessage, _ place: String) -> [Finding] {
        var findings: [Finding] = []
        let now: JSONObject
        do throws(JSONError) { now = try message.rewrite(value) } catch {
            let former = Self.former(of: error.place, in: value, message)
            return [
                Finding(
                    "\(place), field \(former ?? error.place)",
                    "Today's reader refuses a released record: \(error.description). "
                        + (former == nil ? "" : "It was released as \(former ?? ""), which is no longer read. ")
                        + readers(of: former ?? error.place, in: message.type), Advice.keep)
            ]
        }
        for (path, problem) in JSONValue.object(now).changes(from: .object(value)) {
            findings.append(
                Finding(
                    "\(place), field \(path)",
                    "A released record is read and written again as another: \(problem). "
                        + readers(of: path, in: message.type), Advice.keep))
        }
        for rule in message.fields {
            for (path, problem) in rule.problems(value) {
                findings.append(
                    Finding(
                        "\(place), field \(path)",
                        "The declaration does not fit a released record: it \(problem). "
                            + readers(of: path, in: message.type), Advice.keep))
            }
            findings += demand(rule, value, message, place)
        }
        let names = Set(message.fields.map(\.name))
        for name in value.keys where !names.contains(name) {
            findings.append(
                Finding(
                    "\(place), field \(name)",
                    "It was released and is no longer declared. "
                        + readers(of: name, in: message.type), Advice.keep))
        }
        return findings
    }

    /// The released name of a renamed field: the required field that the reader can do without once it finds the same value
    /// under the new name.
    private static func former(of name: String, in value: JSONObject, _ message: DeclaredMessage) -> String? {
        message.fields.first { field in
            var renamed = value
            renamed[name] = renamed[field.name]
            renamed[field.name] = nil
            return !field.isOptional && (try? message.rewrite(renamed)) != nil
        }?.name
    }

    /// Checks that the reader requires exactly what is declared as required.
    private func demand(
        _ rule: FieldRule, _ value: JSONObject, _ message: DeclaredMessage, _ place: String
    ) -> [Finding] {
        var less = value
        less[rule.name] = nil
        var refuses = false
        do throws(JSONError) { _ = try message.rewrite(less) } catch { refuses = true }
        if refuses == !rule.isOptional { return [] }
        return [
            Finding(
                "\(place), field \(rule.name)",
                refuses
                    ? "It is declared as optional, and the reader refuses a record without it."
                    : "It is declared as required, and the reader accepts a record without it.",
                "Let declaration and reader say the same; a new field of a released version must be optional.")
        ]
    }

    /// Checks that released files are unchanged and every golden file is released.
    private func locks(_ folder: String) -> [Finding] {
        var findings: [Finding] = []
        for (path, hash) in tree.released.sorted(by: { $0.key < $1.key }) where path.hasPrefix(folder) {
            guard let bytes = tree.files[path] else {
                findings.append(Finding(path, "A released golden file is gone.", Advice.golden))
                continue
            }
            if Hex.encode(SHA256.digest(bytes)) != hash {
                findings.append(Finding(path, "A released golden file has changed.", Advice.golden))
            }
        }
        for path in tree.files.keys.sorted() where path.hasPrefix(folder) && tree.released[path] == nil {
            findings.append(
                Finding(
                    path, "The golden file does not stand in \(ContractTree.releasedPath).",
                    "Run `make contracts-accept`; from then on it may not change."))
        }
        return findings
    }

    private func readers(of path: String, in type: MessageType) -> String {
        readers(tree.users(of: path, in: type).map { "\($0.consumer) (\($0.meaning))" })
    }

    private func readers(_ names: [String]) -> String {
        names.isEmpty ? "No consumer here relies on it; others may." : "Relied on by \(names.joined(separator: "; "))."
    }
}

extension JSONValue {
    /// What is missing or different compared with an older value, by path; additions do not count.
    package func changes(from old: JSONValue, under path: String = "") -> [(path: String, problem: String)] {
        guard case .object(let before) = old, case .object(let now) = self else {
            if case .null = old, self == .null { return [] }
            return self == old ? [] : [(path, "it was \(old.text) and is \(text)")]
        }
        return before.members.flatMap { member -> [(path: String, problem: String)] in
            let here = path.isEmpty ? member.key : "\(path).\(member.key)"
            guard let value = now[member.key] else {
                return member.value.isNull ? [] : [(here, "it was \(member.value.text) and is missing")]
            }
            return value.changes(from: member.value, under: here)
        }
    }
}
