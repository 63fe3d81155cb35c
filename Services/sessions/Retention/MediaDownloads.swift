import HTTPServer
import Primitives
import Runtime

/// How many recordings are being sent at once by this process: each holds a connection and a piece of a file for as long as its
/// client takes.
@Loop final class MediaDownloads {
    /// The place of one download; free again as soon as nobody holds it.
    @Loop final class Place {
        private let downloads: MediaDownloads
        private let owner: UUID

        fileprivate init(_ downloads: MediaDownloads, _ owner: UUID) {
            self.downloads = downloads
            self.owner = owner
        }

        isolated deinit { downloads.leave(owner) }
    }

    private let most: Int
    private let mostOfOwner: Int
    private var ofOwner: [UUID: Int] = [:]
    private(set) var count = 0

    init(most: Int, mostOfOwner: Int) {
        self.most = most
        self.mostOfOwner = mostOfOwner
    }

    /// A place for a download of an owner's recording.
    ///
    /// - Throws: the problem `too-many-downloads` when the owner or the process has as many as they may.
    func place(of owner: UUID) throws(Problem) -> Place {
        guard count < most, ofOwner[owner, default: 0] < mostOfOwner else {
            throw Problem(.tooManyDownloads, headers: ["Retry-After": "5"])
        }
        count += 1
        ofOwner[owner, default: 0] += 1
        return Place(self, owner)
    }

    private func leave(_ owner: UUID) {
        count -= 1
        ofOwner[owner, default: 1] -= 1
        if ofOwner[owner] == 0 { ofOwner[owner] = nil }
    }
}
