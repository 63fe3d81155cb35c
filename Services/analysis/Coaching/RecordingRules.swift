/// What to change about the recording itself, so that people can see and hear the speaker.
enum RecordingRules {
    static let table: [Rule] = [
        Rule(
            .within(.noFacePct, 20...90), .within(.pictureQuality, 0...1),
            say: "In {noFacePct} % of the sampled pictures your face was not to be seen (noFacePct)",
            practice: """
                Mark the spot on which you stand, and look where your face is in the preview before you start, until \
                noFacePct stays below 10
                """),
        Rule(
            .within(.severalFacesPct, 10...100),
            say: """
                In {severalFacesPct} % of the sampled pictures there is a second face as large as yours \
                (severalFacesPct)
                """,
            practice: "Record alone in the picture, so that severalFacesPct is 0"),
        Rule(
            .within(.faceLuma, 0...55), .within(.backlight, -255...70),
            say: "Your face is dark, at {faceLuma} of 255 (faceLuma)",
            practice: "Turn the lamp or the window to your face, until faceLuma lies above 70"),
        Rule(
            .within(.backlight, 70...255),
            say:
                "The light comes from behind you: the rest is brighter than your face by {backlight} of 255 (backlight)",
            practice: "Turn around, so that the window is before you, until backlight falls below 50"),
        Rule(
            .within(.faceWidthPx, 0...70),
            say: "Your face is small in the picture, {faceWidthPx} of 640 points wide (faceWidthPx)",
            practice: "Come closer or hold the camera nearer, until faceWidthPx lies above 90"),
        Rule(
            .within(.faceSharpness, 0...12), .within(.faceWidthPx, 70...640),
            say: "Your face is blurred, at {faceSharpness} where 20 is sharp (faceSharpness)",
            practice: "Clean the lens and tap on your face before you start, until faceSharpness lies above 20"),
        Rule(
            .within(.clippedPct, 0.5...100),
            say: "The sound is overdriven: {clippedPct} % of it is cut off at the top (clippedPct)",
            practice: "Move away from the microphone or lower its level, until clippedPct is below 0.2"),
        Rule(
            .within(.snrProxyDb, 0...26),
            say: "Your voice stands only {snrProxyDb} dB above the noise (snrProxyDb)",
            practice: "Close the window, switch off what hums, and come closer, until snrProxyDb lies above 30"),
    ]
}
