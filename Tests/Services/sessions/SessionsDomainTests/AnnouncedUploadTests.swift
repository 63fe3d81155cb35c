import HTTPServer
import JSON
import Testing
import Uploads

@Suite("An announced upload") struct AnnouncedUploadTests {
    private static func read(_ type: String) throws -> ExpectedUpload {
        try ExpectedUpload(
            announced: ["contentType": .string(type), "contentLength": 100], limit: 1000)
    }

    @Test(
        "may be named with parameters, as browsers name their recordings",
        arguments: [
            "video/webm", "video/webm;codecs=vp8,opus", "video/webm; codecs=\"vp9, opus\"", "Video/WebM ;codecs=vp8.0",
            "video/webm;",
        ])
    func parameters(type: String) throws {
        #expect(try Self.read(type).type == .webM)
    }

    @Test(
        "of another type is refused, whatever its parameters are",
        arguments: [
            "", ";video/webm", "video/x-matroska;codecs=avc1", "audio/webm;codecs=opus", " video/webm",
            "video/webm codecs",
        ])
    func otherTypes(type: String) {
        #expect { try Self.read(type) } throws: { ($0 as? Problem)?.code == .mediaTypeUnsupported }
    }
}
