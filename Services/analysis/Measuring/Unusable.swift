package import Contracts

extension Measurements {
    /// Mean light (0-255) of a whole recording below which its picture is black: black alone gives 0 to 1, with a sensor's noise
    /// of 20 in 255 up to 5; faces are found down to 17.
    static let blackLuma = 6.0

    /// Why the recording cannot be used at all, so that nobody gets a report of it; nil when something can be judged.
    ///
    /// It is about speaking: without speech there is nothing to say of it, whatever the picture shows. A file without a sound
    /// track has promised none, so its picture is judged if it shows a face. Where the recognizer is missing, nobody knows
    /// whether there is speech.
    package var unusable: FailureCode? {
        if isBlack { return .blackPicture }
        guard words.isEmpty else { return nil }
        switch quantity("wordCount")?.reason {
        case "no-audio": return promisesSound || quantity("cameraContactPct")?.number == nil ? .noSound : nil
        case "no-speech": return quantity("loudnessLufs")?.reason == "too-quiet" ? .noSound : .noSpeech
        default: return nil
        }
    }

    private var isBlack: Bool {
        guard let luma = quantity("meanLuma")?.number else { return false }
        return luma < Self.blackLuma && quantity("facePresencePct")?.number == nil
    }
}
