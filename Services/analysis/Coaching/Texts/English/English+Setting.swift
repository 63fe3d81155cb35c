/// Areas that lie with the recording itself: what to change before speaking again.
extension English {
    static let noSound = AreaTexts(
        what: ["The video has no sound, so nothing could be said about your voice."],
        why: ["Viewers skip a video that stays silent."],
        exercise: [
            "Open the settings of your phone, allow the app to use the microphone, and record five seconds to hear whether it works."
        ],
        sign: "The next report will then tell you about your pace, your pauses and the melody of your voice.",
        step: "getting your voice onto the recording")

    static let noSpeech = AreaTexts(
        what: ["No speech was heard in this recording."],
        why: ["Pace, pauses and melody can only be judged when there are words to hear."],
        exercise: [
            "Hold the phone at arm's length with its microphone towards you, and speak for half a minute in a quiet room."
        ],
        sign: "The next report will then show what you said, word for word.",
        step: "speaking so that the microphone hears you")

    static let littleSpeech = AreaTexts(
        what: ["You spoke too little for your pace and your pauses to be judged."],
        why: ["A fair picture of how you speak needs about half a minute."],
        exercise: [
            "Tell the camera for half a minute what you did this morning, without notes.",
            "Answer one question aloud for half a minute, such as what you are looking forward to this week.",
        ],
        sign: "The next report will then say how many words a minute you speak.",
        step: "speaking for half a minute or longer")

    static let drownedVoice = AreaTexts(
        what: ["The noise around you is so loud that your voice can hardly be judged."],
        why: ["Listeners give up quickly when they have to dig for the words."],
        exercise: ["Find a room without music or machines, close the window, and hold the phone at arm's length."],
        sign: "The next report will then tell you about your pauses and your melody.",
        step: "recording somewhere quieter")

    static let unseenFace = AreaTexts(
        what: ["Your face was hardly ever found in the picture."],
        why: ["People look for a face first; without one it is hard to trust a voice."],
        exercise: [
            "Put the phone upright at the height of your eyes, look at the preview, and only start when your face fills about a quarter of its width."
        ],
        sign: "The next report will then say for how much of the time you faced the camera.",
        step: "getting your face into the picture")

    static let unlitFace = AreaTexts(
        what: ["The picture is so dark that your face could not be found."],
        why: ["When viewers cannot see your face, they miss much of what you mean."],
        exercise: ["Sit down facing a window, or put a lamp behind the phone, before you record again."],
        sign: "The next report will then say for how much of the time you faced the camera.",
        step: "bringing light to your face")

    static let secondFace = AreaTexts(
        what: ["A second face is as large as yours {severalFacesPct:pictures}."],
        why: ["Viewers cannot tell whom to look at, and neither can this report."],
        exercise: ["Record alone, and check the preview for posters, mirrors and screens with faces behind you."],
        sign: "The next report should no longer find a second face.",
        step: "being alone in the picture")

    static let outOfPicture = AreaTexts(
        what: [
            "Your face could not be seen {noFacePct:pictures}: you left the picture or turned away.",
            "Your face is missing {noFacePct:pictures}, because you left the picture or turned away.",
        ],
        why: ["As soon as your face is gone, so is the contact with the people who watch."],
        exercise: [
            "Mark the spot where you stand with a piece of tape, put the phone at the height of your eyes, and speak for one minute without leaving the spot.",
            "Sit down for the next take and put your notes right below the lens, so that you never need to turn away.",
        ],
        sign: "In the next report, facing the camera should be among what went well.",
        step: "staying in front of the camera")

    static let turnedAway = AreaTexts(
        what: [
            "You faced the camera {eyeContactPct:time}; for the rest you looked elsewhere.",
            "You looked away more often than viewers like: you faced the camera {eyeContactPct:time}.",
        ],
        why: [
            "When you look away, viewers feel that you are speaking to somebody else.",
            "Looking into the lens is what eye contact is in a video.",
        ],
        exercise: [
            "Put a sticker beside the lens and tell it one minute of your day, three times, without notes.",
            "Finish every sentence into the lens before you look away.",
        ],
        sign: "In the next report, facing the camera should be among what went well.",
        step: "looking into the lens")

    static let backlight = AreaTexts(
        what: ["The light comes from behind you, so your face is in shadow."],
        why: ["Viewers see the window instead of you."],
        exercise: ["Turn around, so that the window is in front of you, and compare two five-second takes."],
        sign: "The next report should no longer mention the light.",
        step: "turning your face to the light")

    static let darkFace = AreaTexts(
        what: ["Your face is dark."],
        why: ["In the dark your expression is lost, and with it much of what you mean."],
        exercise: ["Put a lamp behind the phone, or sit down facing a window, and compare two five-second takes."],
        sign: "The next report should no longer mention the light.",
        step: "bringing light to your face")

    static let smallFace = AreaTexts(
        what: ["Your face is small in the picture."],
        why: ["From far away nobody can see your eyes or your smile."],
        exercise: ["Move closer until your face takes up about a quarter of the picture's width."],
        sign: "The next report should no longer call your face small.",
        step: "coming closer to the camera")

    static let blurredFace = AreaTexts(
        what: ["Your face is blurred."],
        why: ["A blurred face looks careless, whatever you say."],
        exercise: ["Wipe the lens, tap on your face in the preview, and wait a second before you start."],
        sign: "The next report should no longer call your face blurred.",
        step: "getting a sharp picture")

    static let cutFace = AreaTexts(
        what: ["The edge of the picture cuts your face {faceCutPct:pictures}."],
        why: ["It makes viewers look at the frame instead of at you."],
        exercise: [
            "Leave a hand's breadth of room above your head, and put the phone on something that does not move."
        ],
        sign: "The next report should find all of your face in the picture.",
        step: "moving your face to the middle of the picture")

    static let overdriven = AreaTexts(
        what: ["The sound is overdriven and crackles."],
        why: ["It is unpleasant to listen to, and people turn it off."],
        exercise: [
            "Put half a metre more between you and the microphone and say your loudest sentence; listen to it before you go on."
        ],
        sign: "The next report should no longer call the sound overdriven.",
        step: "moving away from the microphone")

    static let noisy = AreaTexts(
        what: ["There is noise behind your voice."],
        why: ["Noise tires listeners, even when they understand every word."],
        exercise: ["Close the window, switch off what hums, and hold the phone at arm's length."],
        sign: "In the next report the clean sound should be among what went well.",
        step: "recording somewhere quieter")

    static let quiet = AreaTexts(
        what: ["The recording is very quiet."],
        why: ["Listeners who have to turn up the volume are already half gone."],
        exercise: ["Speak to the far wall of the room instead of to the phone, or come half a metre closer."],
        sign: "The next report should no longer call the recording quiet.",
        step: "being louder on the recording")
}
