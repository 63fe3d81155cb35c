extension English {
    func strength(_ key: Strength) -> [String] {
        switch key {
        case .facesCamera:
            [
                "You faced the camera {eyeContactPct:time}, so viewers feel that you are speaking to them.",
                "Your face was turned to the camera {eyeContactPct:time}, so viewers know that you mean them.",
                "You spoke to the camera {eyeContactPct:time}, which is what makes a video feel like a conversation.",
            ]
        case .comfortablePace:
            [
                "At {paceWordsPerMin} words a minute you spoke at a comfortable pace.",
                "You spoke {paceWordsPerMin} words a minute, which is a comfortable speed for listeners.",
                "{paceWordsPerMin} words a minute is an easy speed to follow.",
            ]
        case .usefulPauses:
            [
                "Your pauses last {pauseMeanSeconds:seconds} on average: long enough to let a thought sink in, short enough to keep attention.",
                "You paused {pauseCount:times}, for {pauseMeanSeconds:seconds} on average: that is where listeners catch up.",
                "Your {pauseCount:pauses}, {pauseMeanSeconds:seconds} each on average, give listeners time to take in what you say.",
            ]
        case .livelyMelody:
            [
                "Your voice rises and falls, which keeps people listening.",
                "There is melody in your voice: it ranges over {pitchRangeSemitones:keys}, and that sounds lively.",
                "You let your voice rise and fall, and that keeps it alive.",
            ]
        case .clearOpening:
            [
                "“{opening}”: with that you say early what it is about.",
                "You begin with “{opening}”, so listeners know at once what it is about.",
            ]
        case .clearClosing:
            [
                "“{closing}”: that brings it to a close.",
                "You end with “{closing}”, and that rounds it off.",
            ]
        case .evenVolume:
            [
                "Your volume stayed even: nobody has to reach for the volume control.",
                "You held your volume steady, so nobody has to strain to hear you.",
            ]
        case .calmHead:
            [
                "Your head moved naturally, neither stiff nor restless.",
                "Your head moved a little as you spoke, as it does in conversation.",
            ]
        case .cleanSound:
            [
                "The sound is clean: your voice stands well clear of the background.",
                "Your voice is recorded clearly, with hardly any noise behind it.",
            ]
        case .goodPicture:
            [
                "The picture is good: your face is well lit, sharp and large enough.",
                "You set up the camera well: your face is well lit, sharp and fully in the picture.",
            ]
        }
    }

    func name(_ key: Strength) -> String {
        switch key {
        case .facesCamera: "the way you face the camera"
        case .comfortablePace: "your comfortable pace"
        case .usefulPauses: "your pauses"
        case .livelyMelody: "the melody of your voice"
        case .clearOpening: "your clear opening"
        case .clearClosing: "your clear ending"
        case .evenVolume: "your steady volume"
        case .calmHead: "the natural way your head moves"
        case .cleanSound: "the clean sound"
        case .goodPicture: "the good picture"
        }
    }

    func feedback(_ key: FeedbackKey) -> [String] {
        switch key {
        case .flawless:
            [
                "This is a strong recording: nothing that this report can hear or see needs repair. It does not judge posture and gestures.",
                "This is a strong recording. Nothing that can be heard or seen here has to change; posture and gestures are not judged.",
            ]
        case .strong:
            ["This is a strong recording.", "This recording works: most of it is as it should be."]
        case .good:
            ["This is a good recording.", "This recording has a lot going for it."]
        case .hidden:
            [
                "You speak well here; the recording does not show it yet.",
                "You speak well, but this recording does not do you justice yet.",
            ]
        case .mixed:
            [
                "Parts of this recording work and others get in their way.",
                "A lot is right in this recording, but something gets in its way.",
            ]
        case .halfway:
            ["This recording is halfway there.", "With this recording you are halfway there."]
        case .building:
            ["There is something here that you can work with.", "This recording is a start."]
        case .weak:
            [
                "This recording does not show you at your best yet.",
                "Your next recording can be a lot better than this one.",
            ]
        case .unscored:
            [
                "There is no score this time, because {reason}.",
                "This recording has no score, because {reason}.",
            ]
        case .strengths:
            ["What works well: {strengths}.", "Hold on to {strengths}.", "Build on {strengths}."]
        case .step:
            [
                "Begin by {step}: that can bring up to {gain} points.",
                "Up to {gain} points can be gained by {step}.",
            ]
        case .plainStep:
            ["Begin by {step}.", "The first thing to work on is {step}."]
        case .noStep:
            [
                "No single thing holds it back.",
                "Nothing stands out as the thing to change; record again and compare.",
            ]
        case .unjudgedVoice:
            [
                "Your pace could not be judged, because {reason}.",
                "Nothing could be said about your pace, because {reason}.",
            ]
        case .fewerPoints:
            [
                "Part of this recording could not be judged, so its score is a rough one: it lies between {low} and {high}.",
                "The score is a rough one, between {low} and {high}, because part of this recording could not be judged.",
            ]
        case .closing:
            ["The rest can wait until that works.", "Leave the other advice until that works."]
        case .closingRepair:
            ["Put that right before you record again.", "Put that right first, and then record again."]
        case .closingFlawless:
            [
                "If you want a challenge, try the same thing with a harder subject.",
                "Keep this recording, and compare your next ones with it.",
            ]
        case .alsoRepair:
            [
                "One other thing should not wait: {step}.",
                "Your next recording gains at once from one other thing: {step}.",
            ]
        case .pausesHint:
            [
                "Try one thing: a slow breath after each important point, so that it can sink in.",
                "One slow breath after each important point would give listeners time to take it in.",
            ]
        }
    }

    func moment(_ key: MomentKey, isQuoted: Bool) -> [String] {
        switch (key, isQuoted) {
        case (.liveliest, true):
            ["“{quote}”: here your voice has the most energy.", "“{quote}”: your voice is at its strongest here."]
        case (.liveliest, false):
            [
                "Here your voice has the most energy.",
                "At this point your voice is at its strongest.",
            ]
        case (.flattest, true):
            [
                "“{quote}”: here your voice has the least energy; give these words more breath.",
                "“{quote}”: this is your quietest stretch. Say it again with the energy of your strongest sentence.",
            ]
        case (.flattest, false):
            [
                "Here your voice has the least energy; give these words more breath.",
                "This is your quietest stretch. Say it again with the energy of your strongest sentence.",
            ]
        case (.monotone, true):
            [
                "“{quote}”: here your voice stays almost on one note.",
                "“{quote}”: your voice hardly rises or falls here. Say it again, and lift the most important word.",
            ]
        case (.monotone, false):
            [
                "Here your voice stays almost on one note.",
                "Your voice hardly rises or falls here. Say it again, and lift the most important word.",
            ]
        case (.clearPause, true):
            [
                "After “{quote}” you pause for {length:seconds}, and the thought sinks in.",
                "You wait {length:seconds} after “{quote}”: time for listeners to catch up.",
            ]
        case (.clearPause, false):
            [
                "Here you pause for {length:seconds}, and the thought sinks in.",
                "You wait {length:seconds} here: time for listeners to catch up.",
            ]
        case (.hesitation, true):
            [
                "After “{quote}” you stop for {length:seconds}, in what seems to be the middle of a thought.",
                "You stop for {length:seconds} after “{quote}”, and the thought does not seem to be finished.",
            ]
        case (.hesitation, false):
            [
                "You stop for {length:seconds} here, and the thought does not seem to be finished.",
                "Here you stop for {length:seconds}, in what seems to be the middle of a thought.",
            ]
        case (.longPause, true):
            [
                "After “{quote}” there are {length:seconds} of silence; one second would do.",
                "After “{quote}”, {length:seconds} pass before you go on. One second would do.",
            ]
        case (.longPause, false):
            [
                "Here there are {length:seconds} of silence, long enough for listeners to drift away.",
                "Here {length:seconds} pass before you go on. One second would do.",
            ]
        case (.longRun, true):
            [
                "From “{quote}” on you speak for {length:seconds} without a pause.",
                "“{quote}”: from here on there is no pause for {length:seconds}.",
            ]
        case (.longRun, false):
            [
                "From here on you speak for {length:seconds} without a pause.",
                "From this point on there is no pause for {length:seconds}.",
            ]
        case (.fillers, true):
            [
                "{quote}: at least {count} within {length:seconds}. Close your mouth for a breath instead.",
                "At least {count} within {length:seconds}: {quote}. Take a silent breath there instead.",
            ]
        case (.fillers, false):
            [
                "From here on, at least {count} within {length:seconds}. Close your mouth for a breath instead.",
                "At least {count} can be heard here within {length:seconds}. Take a silent breath there instead.",
            ]
        case (.fastest, true):
            [
                "“{quote}”: here you are at your fastest, about {pace} words a minute. Say it again with a breath after each sentence.",
                "“{quote}”: this is your fastest stretch, about {pace} words a minute. Say it again and stretch the most important word.",
            ]
        case (.fastest, false):
            [
                "From here on you are at your fastest, about {pace} words a minute.",
                "This is your fastest stretch, about {pace} words a minute. Say it again and stretch the most important word.",
            ]
        }
    }
}
