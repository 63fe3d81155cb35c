import Primitives
import Testing

struct UUIDTests {
    @Test func `the text form is lower-case, hyphenated, and reads back`() throws {
        let id = UUID(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210)
        #expect(id.description == "01234567-89ab-cdef-fedc-ba9876543210")
        #expect(UUID(id.description) == id)
        #expect(UUID("01234567-89AB-CDEF-FEDC-BA9876543210") == id)
        #expect(UUID("x=01234567-89ab-cdef-fedc-ba9876543210".dropFirst(2)) == id)
    }

    @Test(arguments: [
        "", "0123456789abcdeffedcba9876543210", "{01234567-89ab-cdef-fedc-ba9876543210}",
        "01234567-89ab-cdef-fedc-ba987654321", "01234567-89ab-cdef-fedc-ba98765432100",
        " 01234567-89ab-cdef-fedc-ba9876543210", "01234567-89ab-cdef-fedc-ba987654321g",
        "01234567-89ab-cdef-fedcb-a9876543210", "0123456789ab-cdef-fedc-ba9876543210-",
        "01234567-89ab-cdef-fedc-ba98765432\u{661}",
    ])
    func `other texts are refused`(text: String) {
        #expect(UUID(text) == nil)
    }

    @Test func `bytes are in network order and sixteen of them make an identifier`() {
        let bytes = [UInt8](0..<16)
        let id = UUID(bytes: bytes)
        #expect(id?.bytes == bytes)
        #expect(id?.description == "00010203-0405-0607-0809-0a0b0c0d0e0f")
        #expect(UUID(bytes: bytes.dropLast()) == nil)
        #expect(UUID(bytes: bytes + [16]) == nil)
    }

    @Test func `the order is the order of the bytes`() throws {
        let ids = [
            UUID(high: 0, low: 1), UUID(high: 0, low: .max), UUID(high: 1, low: 0), UUID(high: 1 << 63, low: 0),
        ]
        #expect(ids.reversed().sorted() == ids)
        #expect(ids.map(\.description).sorted() == ids.map(\.description))
    }

    @Test func `version 4 is random with the version and the variant of RFC 9562`() {
        let ids = (0..<200).map { _ in UUID.v4() }
        #expect(ids.allSatisfy { $0.version == 4 && $0.low >> 62 == 0b10 })
        #expect(Set(ids).count == ids.count)
    }

    @Test func `version 5 gives the example of RFC 9562`() {
        let id = UUID.v5(namespace: .dnsNamespace, name: "www.example.com")
        #expect(id.description == "2ed6657d-e927-568b-95e1-2665a8aea6a2")
        #expect(id.version == 5)
        #expect(UUID.v5(namespace: .dnsNamespace, name: Array("www.example.com".utf8)) == id)
        #expect(UUID.v5(namespace: .urlNamespace, name: "www.example.com") != id)
    }

    @Test func `version 8 keeps the bytes that it is given, but for six bits`() throws {
        // The example of RFC 9562, appendix B.1.
        let id = try #require(UUID.v8(UUID("2489E9AD-2EE2-0E00-0EC9-32D5F69181C0")!.bytes))
        #expect(id.description == "2489e9ad-2ee2-8e00-8ec9-32d5f69181c0")
        #expect(UUID.v8([1, 2, 3]) == nil)
    }

    @Test func `version 7 has the fields of the example of RFC 9562`() throws {
        let example = try #require(UUID("017F22E2-79B0-7CC3-98C4-DC0C0C07398F"))
        let moment = try #require(Timestamp(rfc3339: "2022-02-22T14:22:22.000-05:00"))
        #expect(example.version == 7)
        #expect(example.timestamp == moment)
        let ours = UUID.v7(at: moment, random: 0x18C4_DC0C_0C07_398F)
        #expect(ours.description == "017f22e2-79b0-7000-98c4-dc0c0c07398f")
        #expect(UUID.v4().timestamp == nil)
    }

    @Test func `version 7 orders moments a microsecond apart, whatever the random part`() {
        let start = Timestamp(microseconds: 1_795_000_000_123_000)
        let moments = (0..<2_000).map { Timestamp(microseconds: start.microseconds + $0) }
        let ids = moments.enumerated().map { UUID.v7(at: $1, random: $0.isMultiple(of: 2) ? .max : 0) }
        #expect(zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 })
        #expect(ids.allSatisfy { $0.version == 7 && $0.low >> 62 == 0b10 })
    }

    @Test func `version 7 keeps to the format for moments it cannot hold`() {
        #expect(UUID.v7(at: Timestamp(microseconds: -5), random: 0).timestamp == .epoch)
        #expect(UUID.v7(at: Timestamp(microseconds: .max), random: 0).high == 0xFFFF_FFFF_FFFF_7FFB)
    }

    @Test func `version 7 rises within the process, also across threads`() async {
        let single = (0..<5_000).map { _ in UUID.v7() }
        #expect(zip(single, single.dropFirst()).allSatisfy { $0 < $1 })
        let groups = await withTaskGroup(of: [UUID].self) { group in
            for _ in 0..<4 {
                group.addTask { (0..<2_000).map { _ in UUID.v7() } }
            }
            return await group.reduce(into: [[UUID]]()) { $0.append($1) }
        }
        #expect(groups.allSatisfy { zip($0, $0.dropFirst()).allSatisfy { $0 < $1 } })
        #expect(Set(groups.joined().map(\.high)).count == 8_000)
    }
}
