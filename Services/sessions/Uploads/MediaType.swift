/// The recordings that are accepted, told by their first bytes and never by what the client says.
package enum MediaType: String, Sendable, CaseIterable {
    case mp4 = "video/mp4"
    case quickTime = "video/quicktime"
    case webM = "video/webm"

    /// How many bytes ``recognise(_:)`` wants to see.
    package static let prefixLength = 16

    /// The family of a file: ISO base media (ISO/IEC 14496-12, a box `ftyp` or an older QuickTime atom first) or Matroska
    /// (RFC 9559, EBML magic). MP4 and QuickTime are one family: phones name them as they like.
    package static func recognise(_ prefix: some Collection<UInt8>) -> Set<MediaType> {
        let bytes = Array(prefix)
        if bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return [.webM] }
        guard bytes.count >= 8 else { return [] }
        let atoms = ["ftyp", "moov", "mdat", "wide", "free", "skip"]
        return atoms.contains { bytes[4..<8].elementsEqual($0.utf8) } ? [.mp4, .quickTime] : []
    }

    /// Which of its family a file most likely is: QuickTime by its own brand, or as it began before there were brands.
    package static func likely(_ prefix: some Collection<UInt8>) -> MediaType? {
        let family = recognise(prefix)
        guard family.contains(.mp4) else { return family.first }
        let bytes = Array(prefix)
        let isBranded = bytes[4..<8].elementsEqual("ftyp".utf8)
        return isBranded && !bytes.dropFirst(8).starts(with: "qt  ".utf8) ? .mp4 : .quickTime
    }
}
