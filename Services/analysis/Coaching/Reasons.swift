/// The meanings of the media helper's codes, as clauses for use within sentences.
enum Reasons {
    static func clause(for code: String) -> String? { table[code] }

    private static let table: [String: String] = [
        "no-audio": "the video has no sound",
        "no-speech": "no speech was recognised",
        "engine-missing": "no speech recogniser is installed that can tell",
        "noise-unknown": "there are too few silent moments to hear the noise by",
        "too-noisy": "the recording is too noisy",
        "too-few-words": "too few words were recognised",
        "too-little-speech": "there is too little speech",
        "too-short": "the recording is too short",
        "too-quiet": "the recording is too quiet",
        "no-pauses": "there were no pauses",
        "too-few-samples": "too few pictures show it",
        "too-dark": "the picture is too dark",
        "no-face": "no face was found",
        "face-too-small": "the face is too small in the picture",
        "slow-sampling": "the face was found in too few pictures to follow it",
        "not-measured": "it is not measured",
    ]
}
