extension English {
    func warning(_ key: Warning) -> String {
        switch key {
        case .fileIncomplete:
            "The file stops before the video is over; upload it again if something is missing at the end."
        case .fileDamaged: "Parts of the video are damaged; record or export it again if the report looks wrong."
        case .noAudio: "The video has no sound; allow the app to use the microphone, then record again."
        case .noSpeech: "No speech was heard; check the microphone and speak towards it."
        case .noRecogniser: "The words could not be recognised this time; what depends on them is left out."
        case .roughRecogniser: "The words were recognised only roughly; take everything that counts words with care."
        case .tooNoisy: "It is too noisy to judge your voice well; close the window or move to a quieter room."
        case .tooQuiet: "The recording is very quiet; come closer to the microphone or speak up."
        case .clipping:
            "Your voice is too loud for the microphone, and the sound crackles; move away from it or lower its level."
        case .tooDark: "There is too little light on your face; put a lamp in front of you or turn towards a window."
        case .noFace: "Your face can hardly ever be seen; place the camera so that it stays in the picture."
        case .blurred: "The picture of your face is blurred; wipe the lens and tap on your face before you start."
        case .backlight: "Most of the light seems to come from behind you; turn around, so that it falls on your face."
        case .faceSmall: "Your face is very small in the picture; come closer to the camera."
        case .oftenOutOfPicture:
            "Your face is often out of sight; stay in front of the camera and look towards it."
        case .severalFaces: "There is more than one face in the picture; record alone, so that only you are judged."
        case .faceCut: "The edge of the picture cuts your face; move the camera until all of it is inside."
        case .otherLanguage:
            "Only English words are understood so far, so what depends on yours is left open; if there is a score, the upper end of its range says what they might have brought."
        case .unlikeEnglish:
            "What was said does not sound like English, so what depends on your words is left open; if there is a score, the upper end of its range says what they might have brought. If you spoke another language, say which one when you record next time."
        case .secondVoice:
            "Two voices can be heard, so nothing is said about the melody of yours; record alone, so that only you are judged."
        case .stillPicture:
            "There is hardly a face in the picture, and it hardly changes, as a screen or a wall does; point the camera at yourself."
        case .other: "Something about this recording was unusual; if the report looks wrong, record again."
        }
    }

    func reason(_ key: Reason) -> String {
        switch key {
        case .noAudio: "the video has no sound"
        case .noSpeech: "no speech was recognised"
        case .engineMissing: "no speech recogniser was at hand"
        case .noiseUnknown: "there are too few silent moments to hear the noise by"
        case .tooNoisy: "the recording is too noisy"
        case .tooFewWords: "too few words were recognised"
        case .tooLittleSpeech: "there is too little speech"
        case .tooShort: "the recording is too short"
        case .tooQuiet: "the recording is too quiet"
        case .noPauses: "there were no pauses"
        case .tooFewSamples: "too few pictures show it"
        case .tooDark: "the picture is too dark"
        case .noFace: "no face was found"
        case .faceTooSmall: "the face is too small in the picture"
        case .slowSampling: "the face was found in too few pictures to follow it"
        case .notMeasured: "it is not measured"
        case .otherLanguage: "only English words are understood so far"
        case .wordsDoNotFit: "the words that were recognised do not fit the sound"
        case .unlikeEnglish: "what was said does not sound like English"
        case .secondVoice: "two voices can be heard"
        case .picturePoor: "the picture of your face is too poor"
        case .secondFace: "another face is in the picture as well"
        case .notInPictures: "it is out of the pictures that were looked at"
        case .picturesUnclear: "it cannot be made out in the pictures"
        case .consentRequired: "it needs your consent to let a provider see some pictures of your recording"
        case .noAnswer: "nobody who may see pictures of your recording has given an answer that can be used"
        case .fewerThanTenWords: "fewer than 10 words were recognised"
        case .fewerThanTwentyWords: "fewer than 20 words were recognised"
        case .fewerThanFiftyWords: "fewer than 50 words were recognised"
        case .tooFewSentences: "fewer than four sentences could be told apart"
        case .tooFewStretches: "there are fewer than three stretches of ten seconds with enough speech"
        case .noSubject: "the sentence has too few words that say what it is about"
        case .tooFewEnds: "fewer than four sentences end in a voice that can be followed"
        case .tooFewRuns: "fewer than four stretches between pauses have a voice that can be followed"
        case .melodyOverTime: "the melody of the voice was measured as a whole, not over time"
        case .uncertainWords: "the words were recognised with too little certainty"
        case .noValue: "no value could be measured"
        case .confidenceOverTime: "confidence over time is not measured"
        case .emotions: "emotions are not measured"
        case .posture: "posture is not measured"
        case .gestures: "gestures are not measured"
        case .expressiveness: "only how much a face moves is measured, not what it expresses"
        case .movementPurpose: "the purpose of movements is not measured"
        case .noStrength: "nothing stands out yet in what could be measured"
        case .noArea: "nothing that could be measured needs work"
        case .noTag: "no tag is justified by what could be measured"
        case .noMoment: "no moment stands out in what could be measured"
        case .noEnergy: "no five seconds of the recording hold a second of speech"
        case .neitherVoiceNorFace: "a score needs your voice and your face, and neither could be judged"
        case .noVoiceValue: "neither pace nor volume nor pauses could be judged"
        case .noRecordingValue: "neither sound nor picture could be judged"
        }
    }

    func reason(_ frame: ReasonFrame) -> String {
        switch frame {
        case .needsFace: "a score needs your face as well, and {reason}"
        case .needsVoice: "a score needs your voice as well, and {reason}"
        case .contact: "facing the camera could not be judged, because {reason}"
        case .melody: "the melody of your voice could not be judged, because {reason}"
        case .fillers: "filler words could not be counted, because {reason}"
        }
    }

    var tooFewPoints: String { "only {judged} of 100 points could be judged, and a score needs {needed}" }
}
