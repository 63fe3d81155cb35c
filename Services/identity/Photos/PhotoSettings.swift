package import Configuration

/// What makes the photos of accounts.
///
/// | Variable | Type | Default | Meaning |
/// |---|---|---|---|
/// | `PHOTO_HELPER` | program | none | what opens pictures, `mirrormate-media`; without it nobody can set a photo |
/// | `PHOTO_SOCKET` | address | none | where `mirrormate-media serve` listens, when `PHOTO_HELPER` is `mirrormate-media-client` |
/// | `PHOTO_SCRATCH` | folder | none | working files, needed with `PHOTO_HELPER`; whatever dead instances left there is removed at the start |
/// | `PHOTOS_AT_ONCE` | number | 4 | photos that an instance receives and makes at once, each 8 MiB of memory at most; who sends another one is told to come again |
package struct PhotoSettings: Sendable {
    let helper: String?
    let socket: String?
    let scratch: String?
    let atOnce: Int

    /// Reads the variables; problems stay in `environment` until it is finished.
    package init(_ environment: Environment) {
        helper = environment.optional("PHOTO_HELPER")
        socket = environment.optional("PHOTO_SOCKET")
        scratch = environment.optional("PHOTO_SCRATCH")
        atOnce = environment.int("PHOTOS_AT_ONCE", default: 4, in: 1...64)
        if helper != nil, scratch == nil {
            environment.refuse("PHOTO_SCRATCH", "must name a folder when PHOTO_HELPER is set.")
        }
    }
}
