package import Configuration
package import JSON

/// All that is wrong with a file of settings.
package struct SettingsFileError: Error, Sendable, Equatable {
    /// One sentence for each mistake, with the place and what to write instead.
    package let mistakes: [String]
}

/// Walks through a JSON file of settings, such as plans, and goes on after a mistake, so that one start shows them all.
package struct SettingsFileReader {
    /// One sentence for each mistake so far, with the place and what to write instead.
    package private(set) var mistakes: [String] = []

    package init() {}

    /// Reads a whole file: an object with the version of its form and one member with everything else.
    ///
    /// - Parameters:
    ///   - member: the name of that member.
    ///   - content: reads the member's value and notes what is wrong with it.
    /// - Throws: every mistake at once.
    package static func read<Content>(
        _ bytes: [UInt8], version: Int64, member: String,
        _ content: (inout SettingsFileReader, JSONValue?) -> Content
    ) throws(SettingsFileError) -> Content {
        let file: JSONObject
        do throws(JSONError) { file = try JSONObject.parse(bytes) } catch {
            throw SettingsFileError(mistakes: ["is not JSON: \(error)."])
        }
        var reader = SettingsFileReader()
        reader.checkMembers(of: file, at: "", known: ["version", member])
        if file["version"]?.intValue != version {
            reader.note("version must be \(version), the only form that this build knows.")
        }
        let found = content(&reader, file[member])
        guard reader.mistakes.isEmpty else { throw SettingsFileError(mistakes: reader.mistakes) }
        return found
    }

    /// Reads a file that the service brings with it; a mistake in one ends the process, for the build is wrong.
    ///
    /// - Parameter path: the file's, for the message.
    package static func builtIn<Content>(
        _ path: String, _ bytes: [UInt8], _ read: ([UInt8]) throws(SettingsFileError) -> Content
    ) -> Content {
        do throws(SettingsFileError) { return try read(bytes) } catch {
            preconditionFailure("\(path) cannot be read: \(error.mistakes).")
        }
    }

    /// Notes a mistake.
    ///
    /// - Parameter mistake: a sentence with the place and what to write instead.
    package mutating func note(_ mistake: String) { mistakes.append(mistake) }

    /// Notes each member that nobody reads.
    ///
    /// - Parameter place: the object's, with a full stop behind it; empty for the whole file.
    package mutating func checkMembers(of object: JSONObject, at place: String, known: [String]) {
        for key in object.keys where !known.contains(key) {
            note("\(place)\(key) is not known; the members here are \(known.joined(separator: ", ")).")
        }
    }

    /// Notes a name that may not stand in events, messages and addresses, where names stay for good.
    package mutating func checkName(_ name: String, at place: String) {
        let isGood = name.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789-".utf8.contains($0) }
        if !isGood || name.isEmpty || name.utf8.count > 40 {
            note("\(place) must be named with up to 40 lower-case letters, digits and hyphens.")
        }
    }

    /// A whole number within a range; after a mistake its lower end.
    ///
    /// - Parameter other: what may be written instead, as the end of the sentence.
    package mutating func number(
        _ value: JSONValue?, at place: String, in range: ClosedRange<Int64>, or other: String = ""
    ) -> Int64 {
        if let number = value?.intValue, range.contains(number) { return number }
        let numbers =
            range.upperBound == .max
            ? "of at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
        note("\(place) must be a whole number \(numbers)\(other).")
        return range.lowerBound
    }
}

extension Environment {
    /// What the file says that a variable names; nil when the variable is not set, and after problems.
    package func settingsFile<Content>(
        _ name: String, _ read: ([UInt8]) throws(SettingsFileError) -> Content
    ) -> Content? {
        guard let bytes = file(name) else { return nil }
        do throws(SettingsFileError) { return try read(bytes) } catch {
            for mistake in error.mistakes { refuse("\(name):", mistake) }
            return nil
        }
    }
}
