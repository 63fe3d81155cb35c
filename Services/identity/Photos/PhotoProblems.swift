package import HTTPServer
import JSON

extension Problem {
    /// 503 while no photo can be made.
    static let photosUnavailable = Problem(.photosUnavailable, headers: ["Retry-After": "10"])

    /// What a refused picture is to its sender.
    init(_ refusal: PictureHead.Refusal) {
        switch refusal {
        case .foreign: self.init(.photoTypeUnsupported)
        case .damaged: self.init(.photoUnreadable)
        case .animated: self.init(.photoAnimated)
        case .tooSmall:
            self.init(.photoTooSmall, members: [("leastSidePixels", .int(Int64(PictureHead.leastSide)))])
        case .tooManyPixels:
            self.init(.photoTooManyPixels, members: [("limitPixels", .int(Int64(PictureHead.mostPixels)))])
        }
    }
}

/// Problems of the photos of accounts.
extension ProblemCode {
    package static let photosOff = ProblemCode(
        "photos-off", 404, "No photos can be set here",
        "Do without; whoever runs this server has not set it up.")
    package static let photoMissing = ProblemCode(
        "photo-missing", 404, "There is no photo",
        "Show something else in its place, or send one with PUT.")
    package static let photoTypeUnsupported = ProblemCode(
        "photo-type-unsupported", 415, "Not a picture of a supported type",
        "Send a JPEG, PNG or WebP file with its type in Content-Type; save another one, such as HEIC, as JPEG first.")
    package static let photoUnreadable = ProblemCode(
        "photo-unreadable", 422, "The picture cannot be read",
        "Send the whole file again, or another picture: this one is damaged or incomplete.")
    package static let photoAnimated = ProblemCode(
        "photo-animated", 422, "The picture moves", "Send a single picture, such as a screenshot of it.")
    package static let photoTooSmall = ProblemCode(
        "photo-too-small", 422, "The picture is too small",
        "Send one whose sides have at least as many pixels as leastSidePixels says.")
    package static let photoTooManyPixels = ProblemCode(
        "photo-too-many-pixels", 422, "The picture has too many pixels",
        "Make it smaller before you send it: at most as many pixels as limitPixels says.")
    package static let photosUnavailable = ProblemCode(
        "photos-unavailable", 503, "No photo can be made just now",
        "Try again after as many seconds as Retry-After says; if only one picture fails again and again, send another one."
    )

    /// All of them.
    package static let photos: [ProblemCode] = [
        photosOff, photoMissing, photoTypeUnsupported, photoUnreadable, photoAnimated, photoTooSmall,
        photoTooManyPixels, photosUnavailable,
    ]
}
