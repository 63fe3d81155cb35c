import Testing

/// ARCHITECTURE.md says which floors there are; here the sources and the manifest are held against it.
@Suite("The house") struct HouseTests {
    @Test("is built as ARCHITECTURE.md says: no floor uses a higher one, no service another one's room")
    func thisCheckout() throws {
        let house = try House.ofThisCheckout()
        for finding in house.homeless + house.trespasses + house.circles + house.undeclared {
            Issue.record("\(finding)")
        }
    }

    // MARK: The judge itself, on made-up imports

    private static let places = [
        "CPostgres": "Shared/C/CPostgres", "JSON": "Shared/Values/JSON", "Postgres": "Shared/Engines/Postgres",
        "Runtime": "Shared/Engines/Runtime", "EventStore": "Shared/Events/EventStore",
        "ServiceKit": "Shared/Platform/ServiceKit", "ServiceTesting": "Shared/Testing/ServiceTesting",
        "sessions": "Services/sessions", "sessions-program": "Services/sessions/Program",
        "Uploads": "Services/sessions/Uploads", "quota": "Services/quota", "mirrormate": "Services/mirrormate",
        "Replay": "Services/mirrormate/Debugging/Replay", "bench": "Benchmarks/bench",
        "PostgresTests": "Tests/Engines/PostgresTests", "QuotaTests": "Tests/Services/quota/QuotaTests",
        "ReplayTests": "Tests/Services/mirrormate/ReplayTests", "ClientTests": "Tests/Services/ClientTests",
    ]

    private func house(_ imports: [(String, String)], declared: Bool = true) -> House {
        House(
            targets: Self.places.map { name, path in
                House.Target(
                    name: name, path: path, dependencies: declared ? imports.filter { $0.0 == name }.map(\.1) : [])
            },
            uses: imports.map {
                House.Use(user: $0.0, used: $0.1, place: "\(Self.places[$0.0]!)/A.swift:3", isImport: true)
            })
    }

    @Test(
        "refuses",
        arguments: [
            ("CPostgres", "JSON", "higher floor Values"), ("JSON", "Postgres", "higher floor Engines"),
            ("Postgres", "EventStore", "higher floor Events"), ("EventStore", "ServiceKit", "higher floor Platform"),
            ("ServiceKit", "sessions", "may not use the service sessions"), ("JSON", "Uploads", "room of sessions"),
            ("quota", "sessions", "through events only"), ("quota", "Uploads", "room of sessions"),
            ("quota", "sessions-program", "program of sessions"), ("mirrormate", "Uploads", "room of sessions"),
            ("Replay", "Uploads", "room of sessions"), ("sessions", "ServiceTesting", "for tests only"),
            ("PostgresTests", "EventStore", "higher floor Events"), ("PostgresTests", "quota", "service quota"),
            ("QuotaTests", "sessions", "through events only"), ("QuotaTests", "Uploads", "room of sessions"),
            ("ServiceTesting", "sessions", "service sessions"), ("sessions", "bench", "used by nobody"),
        ])
    func refuses(user: String, used: String, why: String) throws {
        let finding = try #require(house([(user, used)]).trespasses.first)
        #expect(finding.hasPrefix("\(Self.places[user]!)/A.swift:3: \(user) uses \(used): "))
        #expect(finding.contains(why), "\(finding)")
    }

    @Test(
        "lets use",
        arguments: [
            ("Postgres", "CPostgres"), ("Postgres", "Runtime"), ("EventStore", "Postgres"), ("sessions", "ServiceKit"),
            ("sessions", "Uploads"), ("Uploads", "ServiceKit"), ("sessions-program", "sessions"),
            ("mirrormate", "sessions"), ("mirrormate", "Replay"), ("ReplayTests", "quota"), ("ReplayTests", "Replay"),
            ("QuotaTests", "quota"), ("QuotaTests", "ServiceTesting"), ("ClientTests", "Uploads"), ("bench", "Replay"),
            ("bench", "ServiceTesting"), ("PostgresTests", "ServiceTesting"),
        ])
    func lets(user: String, used: String) { #expect(house([(user, used)]).trespasses.isEmpty) }

    @Test("finds a circle within a floor and the import that closes it") func circle() {
        let circles = house([("Postgres", "Runtime"), ("Runtime", "Postgres"), ("EventStore", "Postgres")]).circles
        #expect(circles.count == 1)
        #expect(circles.first?.contains("Postgres → Runtime → Postgres") == true)
        #expect(circles.first?.hasPrefix("Shared/Engines/Runtime/A.swift:3: ") == true)
    }

    @Test("finds an import that the manifest does not declare") func undeclared() {
        #expect(house([("Postgres", "Runtime")]).undeclared.isEmpty)
        #expect(house([("Postgres", "Runtime")], declared: false).undeclared.count == 1)
    }

    @Test("reads imports of every form and nothing else") func forms() {
        let source = """
            import A
            package import B
            @testable import C
            @preconcurrency public import D
            import struct E.Member
            #if canImport(F)
                import F
            #endif
            let text = "import G"
            // import H
            """
        let found = House.imports(in: source)
        #expect(found.map(\.module) == ["A", "B", "C", "D", "E", "F"])
        #expect(found.map(\.line) == [1, 2, 3, 4, 5, 7])
    }

    @Test("knows a target that lies nowhere") func homeless() {
        let house = House(targets: [House.Target(name: "X", path: "Shared/Cellar/X", dependencies: [])], uses: [])
        #expect(house.homeless.count == 1)
    }
}
