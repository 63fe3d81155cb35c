import JSON
import ServiceKit

/// What stands in the file for reading aloud, for judging texts, and for voices; and what a protocol has nothing for.
extension SettingsFileReader {
    mutating func spoken(_ value: JSONValue?, _ place: String, _ provider: inout ProviderDeclaration) {
        guard let value else { return }
        let object = members(
            of: value, place,
            known: [
                "model", "voice", "form", "microsPerMillionCharacters", "deadlineSeconds", "mostCharacters",
                "limitBytes",
            ])
        provider.price.microsPerMillionCharacters = optional(
            object, "microsPerMillionCharacters", place, 0...1_000_000_000_000, or: 0)
        let model = model(object, place)
        let voice = object["voice"]?.stringValue ?? ""
        if !ProviderDeclaration.Spoken.isVoice(voice) {
            note("\(place).voice must be the name or the id of a voice, such as alloy.")
        }
        let form = object["form"].map { $0.stringValue.flatMap(AudioForm.init(rawValue:)) } ?? .mp3
        if form == nil {
            let known = AudioForm.allCases.map(\.rawValue).joined(separator: ", ")
            note("\(place).form must be one of \(known); leave it out for mp3.")
        }
        provider.spoken = ProviderDeclaration.Spoken(
            model: model, voice: voice, form: form ?? .mp3, deadline: deadline(object, place, or: 60),
            mostCharacters: optional(object, "mostCharacters", place, 1...100_000, or: 4_000),
            limitBytes: optional(object, "limitBytes", place, 1_000...100_000_000, or: 10_000_000))
    }

    mutating func moderation(_ value: JSONValue?, _ place: String, _ provider: inout ProviderDeclaration) {
        guard let value else { return }
        let object = members(of: value, place, known: ["model", "microsPerCall", "deadlineSeconds"])
        provider.price.microsPerModeration = optional(object, "microsPerCall", place, 0...1_000_000_000, or: 0)
        provider.moderation = ProviderDeclaration.Moderation(
            model: model(object, place), deadline: deadline(object, place, or: 10))
    }

    mutating func voices(_ value: JSONValue?, _ place: String, _ provider: inout ProviderDeclaration) {
        guard let value else { return }
        guard let object = value.objectValue else {
            note("\(place) must be an object, such as {}.")
            return
        }
        checkMembers(of: object, at: "\(place).", known: ["microsPerVoice", "deadlineSeconds", "limitBytes"])
        provider.price.microsPerVoice = optional(object, "microsPerVoice", place, 0...1_000_000_000_000, or: 0)
        provider.voices = ProviderDeclaration.Voices(
            deadline: deadline(object, place, or: 120),
            limitBytes: optional(object, "limitBytes", place, 1_000...100_000_000, or: 10_000_000))
    }

    /// Checks that something is declared, and nothing that the protocol has not.
    mutating func checkUses(of object: JSONObject, _ place: String, in speech: ProviderDeclaration.Speech?) {
        let named = ProviderUse.allCases.filter { object[$0.rawValue] != nil }
        if named.isEmpty {
            let known = ProviderUse.allCases.map(\.rawValue).joined(separator: ", ")
            note("\(place) must have one of \(known), or several.")
        }
        guard let speech else { return }
        for use in named where !speech.uses.contains(use) {
            note("\(place).\(use.rawValue) is nothing that the protocol \(speech.rawValue) is used for; leave it out.")
        }
    }

    mutating func ranks(_ value: JSONValue?, _ place: String, _ provider: inout ProviderDeclaration) {
        guard let value else { return }
        guard let object = value.objectValue else {
            note(
                "\(place) must be an object with numbers for what the provider is declared for, such as {\"chat\": 1}.")
            return
        }
        let declared = provider.models.map(\.use)
        checkMembers(of: object, at: "\(place).", known: declared.map(\.rawValue))
        for use in declared {
            provider.ranks[use] = object[use.rawValue].map {
                number(
                    $0, at: "\(place).\(use.rawValue)", in: 1...16, or: "; leave it out for a place behind the others")
            }
        }
    }
}
