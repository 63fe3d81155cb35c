import Configuration
import JSON
import ProviderTesting
import Providers
import Runtime
import ServiceKit
import Testing

@Suite struct `The file of providers` {
    private func read(_ providers: JSONValue) throws -> [ProviderDeclaration] {
        try ProviderFile.read(
            JSONValue.object(["version": 1, "providers": providers]).bytes,
            keys: { ["/keys/openai": "sk-something", "/keys/two": "one two"][$0] })
    }

    @Test func `names them in the order in which they are asked, with what is usual where nothing is said`() throws {
        let all = try read([
            [
                "name": "local", "protocol": "openai", "url": "http://whisper:8000/v1", "direct": true,
                "transcription": ["model": "Systran/faster-whisper-small.en"],
            ],
            [
                "name": "openai", "protocol": "openai", "url": "https://api.openai.com/v1",
                "keyFile": "/keys/openai", "off": true, "hedgeAfterSeconds": 10, "currency": "EUR",
                "transcription": [
                    "model": "whisper-1", "microsPerMinute": 6_000, "deadlineSeconds": 90, "limitBytes": 20_000_000,
                ],
                "chat": [
                    "model": "gpt-4o-mini", "microsPerMillionInputTokens": 150_000,
                    "microsPerMillionOutputTokens": 600_000, "mostOutputTokens": 400,
                ],
            ],
        ])
        let local = ProviderDeclaration(
            name: "local", url: "http://whisper:8000/v1", isDirect: true,
            transcription: .init(
                model: "Systran/faster-whisper-small.en", deadline: .seconds(60), limitBytes: 25_000_000))
        let openai = ProviderDeclaration(
            name: "openai", url: "https://api.openai.com/v1", key: Secret("sk-something"), isOff: true,
            hedgeAfter: .seconds(10), currency: "EUR", price: StandIn.price,
            transcription: .init(model: "whisper-1", deadline: .seconds(90), limitBytes: 20_000_000),
            chat: .init(model: "gpt-4o-mini", deadline: .seconds(30), mostOutputTokens: 400))
        #expect(all == [local, openai])
        #expect(!"\(all)".contains("sk-something"))
        #expect(try read([]) == [])
    }

    @Test func `may name the Gemini API, for questions alone`() throws {
        let chat: JSONValue = ["model": "gemini-2.5-flash-lite", "mostOutputTokens": 4_000]
        let plain: JSONObject = [
            "name": "gemini", "protocol": "gemini", "url": "https://generativelanguage.googleapis.com/v1beta",
            "chat": chat,
        ]
        #expect(
            try read([.object(plain)]) == [
                ProviderDeclaration(
                    name: "gemini", speech: .gemini, url: "https://generativelanguage.googleapis.com/v1beta",
                    chat: .init(model: "gemini-2.5-flash-lite", deadline: .seconds(30), mostOutputTokens: 4_000))
            ])
        let more = plain.adding(["transcription": ["model": "gemini-2.5-flash-lite"]])
        let error = #expect(throws: SettingsFileError.self) { try read([.object(more)]) }
        #expect(
            error?.mistakes == [
                "providers[0].transcription is nothing that the protocol gemini is used for; leave it out."
            ])
    }

    @Test func `may name who reads aloud, judges texts and makes voices, with what is usual where nothing is said`()
        throws
    {
        let all = try read([
            [
                "name": "openai", "protocol": "openai", "url": "https://api.openai.com/v1", "hedgeAfterSeconds": 5,
                "speech": ["model": "tts-1", "voice": "alloy", "microsPerMillionCharacters": 15_000_000],
                "moderation": ["model": "omni-moderation-latest"],
            ],
            [
                "name": "voices", "protocol": "elevenlabs", "url": "https://api.elevenlabs.io", "hedgeAfterSeconds": 7,
                "speech": [
                    "model": "eleven_multilingual_v2", "voice": "JBFqnCBsd6RMkjVDRZzb", "form": "opus",
                    "deadlineSeconds": 20, "mostCharacters": 500, "limitBytes": 2_000_000,
                ],
                "voices": ["microsPerVoice": 9, "deadlineSeconds": 6, "limitBytes": 5_000], "rank": ["speech": 1],
            ],
        ])
        var openai = ProviderDeclaration(name: "openai", url: "https://api.openai.com/v1", hedgeAfter: .seconds(5))
        openai.price.microsPerMillionCharacters = 15_000_000
        openai.spoken = .init(
            model: "tts-1", voice: "alloy", deadline: .seconds(60), mostCharacters: 4_000, limitBytes: 10_000_000)
        openai.moderation = .init(model: "omni-moderation-latest", deadline: .seconds(10))
        var voices = ProviderDeclaration(
            name: "voices", speech: .elevenlabs, url: "https://api.elevenlabs.io", hedgeAfter: .seconds(7))
        voices.price.microsPerVoice = 9
        voices.spoken = .init(
            model: "eleven_multilingual_v2", voice: "JBFqnCBsd6RMkjVDRZzb", form: .opus, deadline: .seconds(20),
            mostCharacters: 500, limitBytes: 2_000_000)
        // Nobody is asked for a voice a second time beside the first, so its deadline may be shorter than the pause.
        voices.voices = .init(deadline: .seconds(6), limitBytes: 5_000)
        voices.ranks = [.speech: 1]
        #expect(all == [openai, voices])
        #expect(all[1].models.map(\.use) == [.speech, .voices])
    }

    @Test @Loop func `has an order for each thing that is asked for`() throws {
        func named(_ name: String, _ rank: JSONValue?) -> JSONValue {
            let chat: JSONValue = ["model": "a"]
            let plain: JSONObject = [
                "name": .string(name), "protocol": "openai", "url": "http://a/v1", "chat": chat, "transcription": chat,
            ]
            return .object(plain.adding(["rank": rank]))
        }
        let providers = try read([
            named("one", nil), named("two", ["chat": 2]), named("three", ["chat": 1, "transcription": 1]),
            named("four", ["chat": 2]),
        ]).map { Provider($0) }
        func order(_ use: ProviderUse) -> [String] { providers.ranked(for: use).map(\.declaration.name) }
        #expect(order(.chat) == ["three", "two", "four", "one"])
        #expect(order(.transcription) == ["three", "one", "two", "four"])
        #expect(order(.speech) == ["one", "two", "three", "four"])
    }

    @Test func `tells every mistake of who reads aloud, judges texts and makes voices`() throws {
        let bad: JSONValue = [
            "name": "a", "protocol": "elevenlabs", "url": "https://api.elevenlabs.io",
            "speech": [
                "model": "a model", "voice": "a/b", "form": "mp4", "microsPerMillionCharacters": -1,
                "deadlineSeconds": 601, "mostCharacters": 0, "limitBytes": 1, "speed": 2,
            ], "chat": ["model": "a"], "moderation": ["model": "a"],
            "voices": ["microsPerVoice": "none", "model": "a"], "rank": ["speech": 17, "transcription": 1],
        ]
        let more: JSONValue = [
            "name": "b", "protocol": "openai", "url": "https://api.openai.com/v1", "speech": "tts-1",
            "moderation": ["microsPerCall": -1], "voices": true, "rank": 1,
        ]
        let error = #expect(throws: SettingsFileError.self) { try read([bad, more]) }
        #expect(
            error?.mistakes == [
                "providers[0].chat is nothing that the protocol elevenlabs is used for; leave it out.",
                "providers[0].moderation is nothing that the protocol elevenlabs is used for; leave it out.",
                "providers[0].speech.speed is not known; the members here are model, voice, form, microsPerMillionCharacters, deadlineSeconds, mostCharacters, limitBytes.",
                "providers[0].speech.microsPerMillionCharacters must be a whole number from 0 to 1000000000000; leave it out for 0.",
                "providers[0].speech.model must be the name of a model, such as whisper-1.",
                "providers[0].speech.voice must be the name or the id of a voice, such as alloy.",
                "providers[0].speech.form must be one of mp3, opus, wav; leave it out for mp3.",
                "providers[0].speech.deadlineSeconds must be a whole number from 1 to 600; leave it out for 60.",
                "providers[0].speech.mostCharacters must be a whole number from 1 to 100000; leave it out for 4000.",
                "providers[0].speech.limitBytes must be a whole number from 1000 to 100000000; leave it out for 10000000.",
                "providers[0].voices.model is not known; the members here are microsPerVoice, deadlineSeconds, limitBytes.",
                "providers[0].voices.microsPerVoice must be a whole number from 0 to 1000000000000; leave it out for 0.",
                "providers[0].rank.transcription is not known; the members here are chat, speech, moderation, voices.",
                "providers[0].rank.speech must be a whole number from 1 to 16; leave it out for a place behind the others.",
                "providers[1].voices is nothing that the protocol openai is used for; leave it out.",
                "providers[1].speech must be an object with model.",
                "providers[1].speech.model must be the name of a model, such as whisper-1.",
                "providers[1].speech.voice must be the name or the id of a voice, such as alloy.",
                "providers[1].moderation.microsPerCall must be a whole number from 0 to 1000000000; leave it out for 0.",
                "providers[1].moderation.model must be the name of a model, such as whisper-1.",
                "providers[1].voices must be an object, such as {}.",
                "providers[1].rank must be an object with numbers for what the provider is declared for, such as {\"chat\": 1}.",
            ])
    }

    @Test func `has a model for pictures with prices of its own`() throws {
        let all = try read([
            [
                "name": "openai", "protocol": "openai", "url": "https://api.openai.com/v1",
                "chat": ["model": "gpt-4o-mini", "microsPerMillionInputTokens": 1],
                "vision": [
                    "model": "gpt-4o", "microsPerMillionInputTokens": 150_000, "microsPerMillionOutputTokens": 600_000,
                    "deadlineSeconds": 40, "mostOutputTokens": 200, "mostTokensPerPicture": 85,
                ],
            ],
            ["name": "local", "protocol": "openai", "url": "http://vllm:8000/v1", "vision": ["model": "qwen"]],
        ])
        var price = StandIn.price
        price.microsPerMinute = 0
        #expect(
            all[0].vision
                == .init(
                    chat: .init(model: "gpt-4o", deadline: .seconds(40), mostOutputTokens: 200), price: price,
                    mostTokensPerPicture: 85))
        #expect(all[0].price.microsPerMillionInputTokens == 1)
        #expect(
            all[1].vision
                == .init(
                    chat: .init(model: "qwen", deadline: .seconds(30), mostOutputTokens: 300),
                    mostTokensPerPicture: 3_000))
        let error = #expect(throws: SettingsFileError.self) {
            try read([
                [
                    "name": "local", "protocol": "openai", "url": "http://vllm:8000/v1", "hedgeAfterSeconds": 30,
                    "vision": ["mostTokensPerPicture": 0, "detail": "high"],
                ]
            ])
        }
        #expect(
            error?.mistakes == [
                "providers[0].vision.detail is not known; the members here are model, microsPerMillionInputTokens, microsPerMillionOutputTokens, deadlineSeconds, mostOutputTokens, mostTokensPerPicture.",
                "providers[0].vision.model must be the name of a model, such as whisper-1.",
                "providers[0].vision.mostTokensPerPicture must be a whole number from 1 to 100000; leave it out for 3000.",
                "providers[0].hedgeAfterSeconds must be less than each deadlineSeconds.",
            ])
    }

    @Test func `knows who gets whole recordings, which only one protocol does`() throws {
        let all = try read([
            [
                "name": "gemini", "protocol": "gemini", "url": "https://generativelanguage.googleapis.com/v1beta",
                "chat": ["model": "gemini-2.5-flash-lite"],
                "video": [
                    "model": "gemini-2.5-flash", "microsPerMillionInputTokens": 150_000,
                    "microsPerMillionOutputTokens": 600_000, "deadlineSeconds": 200, "mostOutputTokens": 4_000,
                    "limitBytes": 50_000_000,
                ], "rank": ["video": 1],
            ],
            [
                "name": "other", "protocol": "gemini", "url": "http://gateway:8000/v1", "video": ["model": "small"],
            ],
        ])
        var price = StandIn.price
        price.microsPerMinute = 0
        #expect(
            all[0].video
                == .init(
                    chat: .init(model: "gemini-2.5-flash", deadline: .seconds(200), mostOutputTokens: 4_000),
                    price: price, limitBytes: 50_000_000))
        #expect(all[0].price == Price() && all[0].ranks == [.video: 1])
        #expect(
            all[1].video
                == .init(
                    chat: .init(model: "small", deadline: .seconds(120), mostOutputTokens: 1_000),
                    limitBytes: 100_000_000))
        let error = #expect(throws: SettingsFileError.self) {
            try read([
                [
                    "name": "openai", "protocol": "openai", "url": "https://api.openai.com/v1",
                    "video": ["limitBytes": 3_000_000_000, "fps": 1],
                ]
            ])
        }
        #expect(
            error?.mistakes == [
                "providers[0].video is nothing that the protocol openai is used for; leave it out.",
                "providers[0].video.fps is not known; the members here are model, microsPerMillionInputTokens, microsPerMillionOutputTokens, deadlineSeconds, mostOutputTokens, limitBytes.",
                "providers[0].video.model must be the name of a model, such as whisper-1.",
                "providers[0].video.limitBytes must be a whole number from 1000 to 2000000000; leave it out for 100000000.",
            ])
    }

    @Test func `lets nobody be asked for emotions but for a region and a purpose that allow it`() throws {
        func read(_ region: JSONValue, _ purpose: JSONValue) throws -> ProviderDeclaration.Emotions? {
            try self.read([
                [
                    "name": "openai", "protocol": "openai", "url": "https://api.openai.com/v1",
                    "emotions": ["model": "gpt-4o", "region": region, "purpose": purpose],
                ]
            ])[0].emotions
        }
        let allowed = try #require(try read("DE", "self-coaching"))
        #expect(allowed.policy == EmotionPolicy(region: "DE", purpose: .selfCoaching))
        #expect(allowed.model == "gpt-4o" && allowed.vision.mostTokensPerPicture == 3_000)
        #expect(try read("US", "workplace")?.policy.purpose == .workplace)
        for (region, purpose) in [("DE", "workplace"), ("EU", "education"), ("NO", "workplace")] {
            let error = #expect(throws: SettingsFileError.self) { try read(.string(region), .string(purpose)) }
            #expect(
                error?.mistakes == [
                    "providers[0].emotions is forbidden in \(region) for \(purpose) by article 5 of Regulation (EU) 2024/1689; leave it out."
                ])
        }
        // A policy for everywhere, or for whatever, is none.
        let error = #expect(throws: SettingsFileError.self) { try read("everywhere", "fun") }
        #expect(
            error?.mistakes == [
                "providers[0].emotions.region must be two capital letters, such as US, or EU: where those live who are served.",
                "providers[0].emotions.purpose must be one of self-coaching, medical, safety, workplace, education: what this deployment is for.",
            ])
    }

    @Test func `tells every mistake at once, and no key`() throws {
        let bad: JSONValue = [
            "name": "Open AI", "protocol": "carrier pigeon", "url": "ftp://example.org", "keyFile": "/keys/none",
            "off": "no", "direct": 1, "currency": "dollars", "price": 1,
            "transcription": ["microsPerMinute": -1, "speed": 1],
        ]
        let more: JSONValue = [
            "name": "two", "protocol": "openai", "url": "https://example.org/v1/", "keyFile": "/keys/two",
            "chat": ["model": "a model", "deadlineSeconds": 0], "hedgeAfterSeconds": 30,
        ]
        let none: JSONValue = [
            "name": "two", "protocol": "openai", "url": "https://user@example.org/v1", "keyFile": 7,
        ]
        let error = #expect(throws: SettingsFileError.self) { try read([bad, more, none, "openai"]) }
        #expect(
            error?.mistakes == [
                "providers[0].price is not known; the members here are name, protocol, url, keyFile, off, direct, hedgeAfterSeconds, currency, transcription, chat, vision, video, emotions, speech, moderation, voices, rank.",
                "providers[0].name must be named with up to 40 lower-case letters, digits and hyphens.",
                "providers[0].protocol must be one of openai, gemini, elevenlabs.",
                "providers[0].url must be http:// or https://, a host and a path without a slash at its end, such as https://api.openai.com/v1.",
                "providers[0].keyFile names a file that cannot be read as text; check its path and permissions.",
                "providers[0].off must be true or false.",
                "providers[0].direct must be true or false.",
                "providers[0].currency must be three capital letters, such as USD.",
                "providers[0].transcription.speed is not known; the members here are model, microsPerMinute, deadlineSeconds, limitBytes.",
                "providers[0].transcription.microsPerMinute must be a whole number from 0 to 1000000000; leave it out for 0.",
                "providers[0].transcription.model must be the name of a model, such as whisper-1.",
                "providers[1].url must be http:// or https://, a host and a path without a slash at its end, such as https://api.openai.com/v1.",
                "providers[1].keyFile names a file with something else than one key; let it hold that alone.",
                "providers[1].chat.model must be the name of a model, such as whisper-1.",
                "providers[1].chat.deadlineSeconds must be a whole number from 1 to 600; leave it out for 30.",
                "providers[1].hedgeAfterSeconds must be less than each deadlineSeconds.",
                "providers[2].url must be http:// or https://, a host and a path without a slash at its end, such as https://api.openai.com/v1.",
                "providers[2].keyFile must be the path of a file; leave it out for a server that asks for no key.",
                "providers[2] must have one of transcription, chat, vision, video, emotions, speech, moderation, voices, or several.",
                "providers[2].name is that of an earlier one; give it another.",
                "providers[3] must be an object with name, protocol, url and a model.",
            ])
        #expect(throws: SettingsFileError.self) { try read("openai") }
    }

    @Test func `names no host of the internet without encryption`() throws {
        func mistakes(_ url: String, direct: Bool = false) throws -> [String] {
            do throws(SettingsFileError) {
                _ = try ProviderFile.read(
                    JSONValue.object([
                        "version": 1,
                        "providers": [
                            [
                                "name": "a", "protocol": "openai", "url": .string(url), "direct": .bool(direct),
                                "chat": ["model": "a"],
                            ]
                        ],
                    ]).bytes, keys: { _ in nil })
                return []
            } catch {
                return error.mistakes
            }
        }
        for url in [
            "http://api.openai.com/v1", "http://api.openai.com:8080", "http://a.b", "http://8.8.8.8/v1",
            "http://8.8.8.8:8080", "http://[2001:4860:4860::8888]:8080/v1",
        ] {
            #expect(
                try mistakes(url) == [
                    "providers[0].url must be https:// for a host of the internet, or others read the key and what is sent; for a server of your own network say direct."
                ], "\(url)")
            #expect(try mistakes(url, direct: true) == [])
        }
        for url in [
            "https://api.openai.com/v1", "https://8.8.8.8/v1", "http://whisper:8000/v1.2", "http://127.0.0.1:8000/v1",
            "http://10.1.2.3:8000/v1", "http://[::1]:8000/v1", "http://203.0.113.10:8000/v1",
        ] {
            #expect(try mistakes(url) == [], "\(url)")
        }
    }
}
