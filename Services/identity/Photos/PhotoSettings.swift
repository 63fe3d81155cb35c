package import Configuration

/// What makes the photos of accounts.
///
/// | Variable | Type | Default | Meaning |
/// |---|---|---|---|
/// | `PHOTO_HELPER` | program | none | what opens pictures, `mirrormate-media`; without it nobody can set a photo |
/// | `PHOTO_SOCKET` | address | none | where `mirrormate-media serve` listens, when `PHOTO_HELPER` is `mirrormate-media-client` |
/// | `PHOTO_SCRATCH` | folder | none | working files, needed with `PHOTO_HELPER`; whatever dead instances left there is removed at the start |
/// | `PHOTOS_AT_ONCE` | number | 4 | photos that an instance makes at once; whose picture has arrived meanwhile is told to come again. Pictures that are received or made into photos have 64 MiB of memory together |
/// | `PHOTO_UPLOAD_TIME` | duration | `2m` | how long a picture may take to arrive |
/// | `PHOTO_PATIENCE` | duration | `45s` | how long the helper may take before it is ended; it ends by itself after 40 s of work at most, and waits up to 20 s for a server |
package struct PhotoSettings: Sendable {
    let helper: String?
    let socket: String?
    let scratch: String?
    let atOnce: Int
    let longestUpload: Duration
    let patience: Duration

    /// Reads the variables; problems stay in `environment` until it is finished.
    package init(_ environment: Environment) {
        helper = environment.optional("PHOTO_HELPER")
        socket = environment.optional("PHOTO_SOCKET")
        scratch = environment.optional("PHOTO_SCRATCH")
        atOnce = environment.int("PHOTOS_AT_ONCE", default: 4, in: 1...64)
        longestUpload = environment.duration("PHOTO_UPLOAD_TIME", default: .seconds(120))
        patience = environment.duration("PHOTO_PATIENCE", default: .seconds(45))
        if helper != nil, scratch == nil {
            environment.refuse("PHOTO_SCRATCH", "must name a folder when PHOTO_HELPER is set.")
        }
    }
}
