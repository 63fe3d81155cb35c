"""Changes of one line each in the event core, in what lets others in and in what must not break, and the tests that must notice them.

A change is (name, file, old, new, by): old stands in the file exactly once; new has MUTATED where it differs (support/mutants.py),
but for SQL, which is replaced as it is. `by` lists what must fail, the quickest first: a test target, or a part of one by words of
its suites' and tests' names. One of them is enough.
"""

EVENTS = "Shared/Events/"
STORE = EVENTS + "EventStore/"
RELAY = EVENTS + "EventRelay/"
CONSUMER = EVENTS + "EventConsumer/"
KIT = "Shared/Platform/ServiceKit/"
ACCESS = "Services/identity/Access/"
PHOTOS = "Services/identity/Photos/"
PRACTICES = "Services/sessions/Practice/"
HANDOVERS = "Services/sessions/Schema/handovers.sql"
SESSIONS = "Services/sessions/"
APPEND = STORE + "Schema/append_owners.sql"

# Test targets, and parts of them.
LOG = "CoreSimulationTests/A log"
SIMULATION = "CoreSimulationTests/whatever breaks"
APPENDS = "EventStoreTests"
HEAD = "EventStoreTests/The watch over"
PIPELINE = "PipelineTests"
CHAIN = "PipelineTests/ChainTests"
FORGED = "PipelineTests/ForgedTests"
RESTORE = "PipelineTests/RestoreTests"
PARKING = "PipelineTests/ParkingTests"
LANE = "PipelineTests/LaneTests"
DELIVERY = "PipelineTests/DeliveryTests"
TRUST = "TrustTests"
SIGNED = "ServiceKitTests/An announcement"
QUOTA = "QuotaServiceTests"
ENDED = "QuotaServiceTests/EndedLoginTests"
APPS = "SessionsServiceTests/AppPracticeTests"
ENTRY = "FederationTests/AppSignInTests"
LOGIN = "IdentityDomainTests/LoginSessionTests"
COOKIE = "IdentityServiceTests/RefreshCookieTests"
PHOTO = "IdentityServiceTests/PhotoTests"
PLAIN = "PhotosTests/PlainJPEGTests"
HANDED = "SessionsServiceTests/Sessions of a device"
HANDED_RULES = "SessionsDomainTests/HandoverRuleTests"
IDENTITY_WIRE = "IdentityDomainTests/IdentityEventTests"
DEVICE = "IdentityServiceTests/A device that is handed over"
PRACTICE = "ReportingServiceTests/Days and streaks"
PRACTITIONER = "ReportingDomainTests/PractitionerRuleTests"
REPORTING = "Services/reporting/"
SHARED = "ReportingServiceTests/Shared reports"
SHARES = "ReportingDomainTests/SharesRuleTests"
CARD = "ReportingDomainTests/ShareCardTests"
SINCE = "ReportingDomainTests/SinceLastTests"
WORDS = "CoachingTests/ChangeWordsTests"
KEPT = "SessionsServiceTests/A kept recording"
CHOICE = "SessionsDomainTests/MediaRetentionRuleTests"
PAIRS = "SessionsDomainTests/EveryPairTests"
ROWS = "SessionsDomainTests/KeptMediaRowTests"
PLACES = "SessionsDomainTests/LocationMetadataTests"
RANGES = "HTTPServerTests/ByteRangeTests"
QUOTAS = "Services/quota/"
FEDERATION = "Services/identity/Federation/"
MAIL = "Services/identity/Mail/"
HTTP = "Shared/Engines/HTTPServer/"
FACTOR = "IdentityServiceTests/SecondFactorTests"
EXPIRY = "IdentityServiceTests/ExpiryTests"
LENGTH = "IdentityServiceTests/PasswordRuleTests"
GUESSES = "IdentityServiceTests/GuessingTests"
LOGIN_ENDS = "IdentityServiceTests/LoginEndTests"
KEYRING = "IdentityServiceTests/KeyringTests"
REVOCATIONS = "FederationTests/CodeTests"
OUTBOX = "MailTests/OutboxTests"
NETWORKS = "SessionsServiceTests/NetworkLimitTests"
REFUSALS = "SessionsServiceTests/RefusalLimitTests"
UPLOAD_LEASES = "SessionsServiceTests/UploadLeaseTests"
LONG_TABLES = "SessionsServiceTests/ExportTests"
DOCUMENTED = "DeclarationTests/DocumentedLimitTests"
ALLOWANCE = "QuotaDomainTests/AllowanceRuleTests"
LIMITS = "QuotaDomainTests/SeveralLimitsTests"
EXPORTS = "ReportingDomainTests/ExportsRuleTests"
EXPORT_LIFE = "ReportingServiceTests/ExportTests"
GOALS = "ReportingDomainTests/GoalsRuleTests"
STREAKS = "PracticeTests/StreakTests"
TRENDS = "ProgressTests/TrendTests"
SCORE = "CoachingTests/ScoringTests"
HEADS = "HTTPServerTests/LimitTests"
GATEWAY_KEYS = "HTTPServerTests/ConnectionTests"
EXITS = "MirrormateTests/EndingTests"
LEDGER = "ReplayTests/LedgerTests"
JOBS = "AnalysisDomainTests/JobRuleTests"
WORKERS = "AnalysisServiceTests/WorkerTests"
LATE_WRITERS = "AnalysisServiceTests/DocumentTests"
TIME_CODES = "CryptoTests/TOTPTests"

ALL = [
    # The append function.
    ("appends go on though the store refuses them", APPEND, "if refusal is not null then", "if false then", [RESTORE]),
    ("the log's time goes back with the clock", APPEND, "now_time := greatest(clock_timestamp(), last_time);",
     "now_time := clock_timestamp();", [APPENDS]),
    ("an append's id is taken for known whatever its request", APPEND,
     "when known.id is not null and known.request_hash is distinct from a.hash then 'hash'", "when false then 'hash'", [LOG, APPENDS]),
    ("an erased subject may go on", APPEND, "when erased.subject is not null and not a.though_erased then 'erased'",
     "when false then 'erased'", [LOG, APPENDS]),
    ("an erasure is not seen by its own batch", APPEND,
     "subject_was_erased := subject_was_erased or call ->> 'call' = 'erase_subject';", "subject_was_erased := false;", [APPENDS]),
    ("a group stands though one of it is refused", APPEND,
     "stands := stands and (accepted[a] or verdicts[a] = 'known');", "stands := stands;", [LOG, APPENDS]),
    ("a refused group leaves its streams' versions behind", APPEND, "                    if accepted[write_appends[w]] then",
     "                    if false then", [APPENDS]),
    ("an append that meets a conflict leaves its other streams' versions behind", APPEND,
     "for w in reverse next_write - 1 .. own_write loop", "for w in reverse own_write - 1 .. own_write loop", [APPENDS]),
    ("a conflict in a batch without calls is let through", APPEND,
     "if versions[write_streams[w]] <> write_expected[w] and accepted[write_appends[w]] then", "if false then", [LOG, APPENDS]),
    ("what the calls of a refused append wrote stays", APPEND,
     "raise exception using errcode = 'MMGRD', message = refused_by;", "verdicts[a] := 'guard'; accepted[a] := false;", [APPENDS]),
    ("appends work in any isolation", APPEND, "if current_setting('transaction_isolation') <> 'read committed' then", "if false then",
     [APPENDS]),
    ("a stream that begins is nobody's", APPEND, "where accepted[w.append] and w.expected = 0 and owners[w.append] is not null",
     "where false", [APPENDS]),
    ("an append's first event does not keep the request's hash", APPEND,
     "case when e.id = first_ids[w.append] then hashes[w.append] end", "null::bytea", [LOG, APPENDS]),

    # Other SQL.
    ("a former owner moves the watermark", CONSUMER + "Schema/consumer_partitions.sql",
     "where p.topic = a.topic and p.partition = a.partition and p.epoch = a.epoch",
     "where p.topic = a.topic and p.partition = a.partition", [LOG, DELIVERY]),
    ("a watermark moves from anywhere", CONSUMER + "Schema/consumer_partitions.sql",
     """and p.next_offset = a."fromOffset" and p.seen = a."fromSeen";""", ";", [LOG, DELIVERY]),
    ("a released message may overtake its key's first one", CONSUMER + "Schema/unpark_in_order.sql",
     "if exists (select from parked_messages p where p.topic = freed.topic", "if false and exists (select from parked_messages p where p.topic = freed.topic",
     [LOG, PARKING]),
    ("a former owner takes off a parked message", CONSUMER + "Schema/unpark_in_order.sql",
     "and epoch = (args ->> 'epoch')::bigint for update) then", "for update) then", [LOG]),
    ("the next message of a released key stays", CONSUMER + "Schema/unpark_in_order.sql",
     "update parked_messages set release = true where id = (", "update parked_messages set release = false where id = (", [LOG, PARKING]),
    ("a confirmed restore counts on below the topic's lease numbers", RELAY + "Schema/incarnation.sql",
     "epoch = greatest(epoch, top_epoch) + 1,", "epoch = epoch + 1,", [LOG, RESTORE]),
    ("a confirmed restore leaves the cursor where it was", RELAY + "Schema/incarnation.sql",
     "cursor = least(cursor, published)", "cursor = cursor", [LOG, RESTORE]),
    ("a verdict over another history refuses appends", RELAY + "Schema/refuse_appends_fenced.sql",
     "where r.epoch = under_epoch and h.incarnation = under_incarnation and", "where", [LOG, RESTORE]),

    # The store.
    ("an event's id does not depend on its place in the append", STORE + "Append.swift",
     "UUID.v5(namespace: append, name: String(index))", "UUID.v5(namespace: append, name: String(MUTATED ? 0 : index))", [APPENDS]),
    ("an event's id is made in another way", STORE + "Append.swift", "UUID.v5(namespace: append,",
     "UUID.v5(namespace: MUTATED ? UUID.v5(namespace: append, name: \"\") : append,", [APPENDS]),
    ("data with a NUL goes into a batch", STORE + "Append.swift", "if event.data.hasNULEscape {",
     "if !MUTATED, event.data.hasNULEscape {", [APPENDS]),
    ("data may be of any size", STORE + "Append.swift", "if event.data.count > NewEvent.maximumSize {",
     "if !MUTATED, event.data.count > NewEvent.maximumSize {", [APPENDS]),
    ("one id comes twice into a batch", STORE + "Appender.swift",
     "if pending.appends.contains(where: { ids.contains($0.id) }) { break }",
     "if !MUTATED, pending.appends.contains(where: { ids.contains($0.id) }) { break }", [APPENDS]),
    ("a receipt is given for another request", STORE + "EventStore.swift", "guard row.bool(2) else { throw AppendError.idReused }",
     "guard MUTATED || row.bool(2) else { throw AppendError.idReused }", [APPENDS]),
    ("a command does not decide again after a conflict", STORE + "CommandHandler.swift",
     "catch AppendError.conflict where round < attempts {", "catch AppendError.conflict where !MUTATED && round < attempts {",
     [APPENDS, QUOTA]),
    ("the head is never lowered", STORE + "HeadWatch.swift", "guard position == known, end < known else { return }",
     "guard !MUTATED, position == known, end < known else { return }", [HEAD]),
    ("the head is lowered below what was heard of since", STORE + "HeadWatch.swift", "position == known, end < known else",
     "MUTATED || position == known, end < known else", [HEAD]),
    ("what is announced and not there is looked for without a rest", STORE + "HeadWatch.swift",
     "if self.announced == announced { self.announced", "if !MUTATED, self.announced == announced { self.announced", [HEAD]),
    ("a fold does not say that the log was set back", EVENTS + "Projections/Projector.swift",
     "store.head.lower(from: known, to: position)", "if !MUTATED { store.head.lower(from: known, to: position) }", [QUOTA]),

    # The relay.
    ("a chain goes on over a hole", RELAY + "UnbrokenChain.swift",
     "guard previous == reach || position <= reach else { return .beside }",
     "guard MUTATED || previous == reach || position <= reach else { return .beside }", [CHAIN, SIMULATION]),
    ("what a restore has undone counts as published", RELAY + "UnbrokenChain.swift", "if position > shared { return .beside }",
     "if !MUTATED, position > shared { return .beside }", [RESTORE, SIMULATION]),
    ("a zombie's record counts in the chain", RELAY + "ChainFilter.swift", "if chain.epoch < epoch { return false }",
     "if !MUTATED, chain.epoch < epoch { return false }", [CHAIN, SIMULATION]),
    ("the end of a chain is not compared with the log", RELAY + "ReadBack.swift",
     "if try await connection.eventID(at: position) != last.id {", "if !MUTATED, try await connection.eventID(at: position) != last.id {",
     [RESTORE, SIMULATION]),
    ("a lease number that the topic has seen is used again", RELAY + "ReadBack.swift", "if topEpoch >= lease.epoch {",
     "if !MUTATED, topEpoch >= lease.epoch {", [RESTORE, SIMULATION]),
    ("a topic that was reset is not published again", RELAY + "Relay.swift",
     "findings.filter { $0.tail.position < $0.expected }", "findings.filter { !MUTATED && $0.tail.position < $0.expected }",
     [CHAIN, SIMULATION]),
    ("a rewind forgets what the topic has lost besides", RELAY + "Relay.swift", "if start < rewind, !reset.isEmpty {",
     "if !MUTATED, start < rewind, !reset.isEmpty {", [CHAIN, SIMULATION]),
    ("appends go on when topic and log disagree", RELAY + "Relay.swift", "if case .storeSetBack? = error as? RelayTrouble {",
     "if !MUTATED, case .storeSetBack? = error as? RelayTrouble {", [RESTORE]),
    ("a log that was replaced is read on", RELAY + "LogBatchReader.swift",
     "if let id, batch.anchor != id { throw RelayTrouble.logReplaced(position: position) }",
     "if !MUTATED, let id, batch.anchor != id { throw RelayTrouble.logReplaced(position: position) }", [RESTORE, SIMULATION]),
    ("the log is read for publishing without the lease", RELAY + "EventStore+RelayLog.swift",
     "on r.epoch = $3 and h.incarnation = $4", "on (r.epoch = $3\\(MUTATED ? \" or true\" : \"\")) and h.incarnation = $4", [LOG]),
    ("the log is read for publishing in another history", RELAY + "EventStore+RelayLog.swift",
     "and h.incarnation = $4", "and (h.incarnation = $4\\(MUTATED ? \" or true\" : \"\"))", [LOG]),
    ("a lease is held whatever rewind is asked for", RELAY + "EventStore+RelayLog.swift",
     "where epoch = $1 and ($3 or rewind_to is null)\n", "where epoch = $1 and ($3 or rewind_to is null\\(MUTATED ? \" or true\" : \"\"))\n", [LOG]),
    ("a lease is taken while another holder renews it", RELAY + "EventStore+RelayLog.swift",
     "where lease_until < clock_timestamp() or holder = $1", "where lease_until < clock_timestamp() or holder = $1\\(MUTATED ? \" or true\" : \"\")",
     [LOG]),
    ("a lease that the clock has put far ahead is waited for", RELAY + "EventStore+RelayLog.swift",
     "or lease_until > clock_timestamp() + 2 * $2", "or lease_until > clock_timestamp() + \\(MUTATED ? 100_000 : 2) * $2", [DELIVERY]),
    ("the cursor moves under an old lease", RELAY + "EventStore+RelayLog.swift", "where epoch = $1 and cursor = $2 returning 1",
     "where (epoch = $1\\(MUTATED ? \" or true\" : \"\")) and cursor = $2 returning 1", [LOG]),
    ("the cursor moves from anywhere", RELAY + "EventStore+RelayLog.swift", "and cursor = $2 returning 1",
     "and (cursor = $2\\(MUTATED ? \" or true\" : \"\")) returning 1", [LOG]),
    ("the end of a rewind clears whatever was asked for", RELAY + "EventStore+RelayLog.swift", "nullif(rewind_to, $9::bigint)",
     "\\(MUTATED ? \"case when $9::bigint is null then rewind_to end\" : \"nullif(rewind_to, $9::bigint)\")", [LOG]),
    ("an acknowledged offset may go back", RELAY + "Publishing.swift", "if offset <= acknowledged[index].floor {",
     "if !MUTATED, offset <= acknowledged[index].floor {", [SIMULATION]),
    ("a topic made anew is noticed with the next message only", RELAY + "OwnRecords.swift",
     "if chain?.epoch != lease.epoch ||", "if !MUTATED, chain?.epoch != lease.epoch ||",
     [SIMULATION]),
    ("what follows a fork is kept at it", RELAY + "Recovery.swift", "let fork = min(published, disagreement - 1)",
     "let fork = min(published, MUTATED ? disagreement : disagreement - 1)", [RESTORE]),
    ("a topic that goes beyond the log disagrees with nothing", RELAY + "Recovery.swift",
     "if survey.goesBeyondLog { return (published, published) }", "if !MUTATED, survey.goesBeyondLog { return (published, published) }",
     [RESTORE, SIMULATION]),
    ("a record from another source is no foreign one", RELAY + "ForeignRecord.swift",
     "guard !source.isEmpty, bytes(MessageHeaders.source, of: record) == source else",
     "guard !source.isEmpty, MUTATED || bytes(MessageHeaders.source, of: record) == source else", [FORGED]),
    ("a record of another service's type is no foreign one", RELAY + "ForeignRecord.swift",
     "guard type.starts(with: types), type != lease else", "guard MUTATED || type.starts(with: types), type != lease else", [FORGED]),
    ("a record in another partition than its key's is no foreign one", RELAY + "ForeignRecord.swift",
     "return home == UInt64(record.partition) ? nil", "return MUTATED || home == UInt64(record.partition) ? nil", [FORGED]),
    ("a record that takes a true one's position is no stranger", RELAY + "Recovery+Disowning.swift",
     "return stranger.id != event.id || stranger.partition", "return !MUTATED && stranger.id != event.id || stranger.partition", [FORGED]),

    # The consumer.
    ("a zombie is heard", CONSUMER + "ChainVerdict.swift", "if chain.epoch < watermark.sourceEpoch { return .zombie }",
     "if !MUTATED, chain.epoch < watermark.sourceEpoch { return .zombie }", [CHAIN, SIMULATION]),
    ("a message is heard twice", CONSUMER + "ChainVerdict.swift", "if position <= watermark.seen { return .duplicate }",
     "if position < watermark.seen || !MUTATED && position == watermark.seen { return .duplicate }", [CHAIN, SIMULATION]),
    ("a hole is not seen", CONSUMER + "ChainVerdict.swift", "return follows ? .apply :", "return MUTATED || follows ? .apply :",
     [CHAIN, SIMULATION]),
    ("behind a fork nothing follows", CONSUMER + "ChainVerdict.swift",
     "|| previous < watermark.seen && watermark.seen == watermark.fork",
     "|| !MUTATED && previous < watermark.seen && watermark.seen == watermark.fork", [RESTORE, SIMULATION]),
    ("a history that shares nothing takes nothing back", CONSUMER + "ChainVerdict.swift", "return .fork(chain.lineage[known] ?? 0)",
     "return .fork(chain.lineage[known] ?? (MUTATED ? .max : 0))", [FORGED]),
    ("another history under the same lease number is believed", CONSUMER + "ChainVerdict.swift",
     "if chain.epoch == watermark.sourceEpoch, let known = watermark.incarnation, known != chain.incarnation {",
     "if !MUTATED, chain.epoch == watermark.sourceEpoch, let known = watermark.incarnation, known != chain.incarnation {",
     [RESTORE, SIMULATION]),
    ("a doubted record is believed", CONSUMER + "ChainVerdict.swift", "guard let chain, doubt != .foreign else { return .foreign }",
     "guard let chain, MUTATED || doubt != .foreign else { return .foreign }", [FORGED]),
    ("a lost partition is taken for a lost answer", CONSUMER + "Lane.swift", "if (try? await store.stands(target)) == true {",
     "if (MUTATED ? true : try? await store.stands(target)) == true {", [DELIVERY, SIMULATION]),
    ("a lost answer is taken for a lost partition, and its message is committed again", CONSUMER + "Lane.swift",
     "case .failure(.guarded(.watermark)):", "case .failure(.guarded(.watermark)) where !MUTATED:", [SIMULATION, PIPELINE]),
    ("messages of one key overtake each other", CONSUMER + "Lane.swift", "            _ = await predecessor?.result",
     "            if !MUTATED { _ = await predecessor?.result }", [LANE, SIMULATION]),
    ("an erasure waits behind a hole", CONSUMER + "PartitionWorker.swift", "            try await applyLastWord(record)",
     "            if !MUTATED { try await applyLastWord(record) }", [CHAIN]),
    ("a parked message that a restore has undone stays", CONSUMER + "PartitionWorker.swift",
     "            try await parking.forget(beyond: shared, lane.stored)",
     "            if !MUTATED { try await parking.forget(beyond: shared, lane.stored) }", [RESTORE, SIMULATION]),
    ("what a restore has undone is not taken back", CONSUMER + "PartitionWorker.swift",
     "            try await restoration.takeBack(beyond: shared, disowned: lease?.disownedOfParent)",
     "            if !MUTATED { try await restoration.takeBack(beyond: shared, disowned: lease?.disownedOfParent) }", [RESTORE, SIMULATION]),
    ("a gap is not compared with what stood before it", CONSUMER + "PartitionWorker.swift", "guard let anchor else { return }",
     "guard !MUTATED, let anchor else { return }", [SIMULATION]),
    ("a mark is followed into a topic made anew", CONSUMER + "PartitionWorker.swift",
     "if isFirst, alarm == nil, verdict.tellsNothingOfOthers {", "if !MUTATED, isFirst, alarm == nil, verdict.tellsNothingOfOthers {",
     [SIMULATION]),
    ("a silent consumer does not look at its database", CONSUMER + "PartitionWorker.swift", "if try await !store.stands(watermark) {",
     "if !MUTATED, try await !store.stands(watermark) {", [SIMULATION]),
    ("successors of a parked message go on", CONSUMER + "PartitionWorker.swift",
     "if parking.holds(pending.key), !handler.isLastWord(message) {", "if !MUTATED, parking.holds(pending.key), !handler.isLastWord(message) {",
     [PARKING]),
    ("an erasure waits behind a parked message", CONSUMER + "PartitionWorker.swift", "parking.holds(pending.key), !handler.isLastWord(message)",
     "parking.holds(pending.key), MUTATED || !handler.isLastWord(message)", [PARKING]),
    ("an owner that leaves suspects behind ends cleanly", CONSUMER + "PartitionWorker.swift", "isClean: self.suspects.arePast(stored)",
     "isClean: MUTATED || self.suspects.arePast(stored)", [PARKING]),
    ("a stored offset is believed", CONSUMER + "OffsetCheck.swift", "if let record, Anchor(record) == anchor { return watermark.nextOffset }",
     "if let record, MUTATED || Anchor(record) == anchor { return watermark.nextOffset }", [SIMULATION, CHAIN]),
    ("a message may kill once more", CONSUMER + "Suspects.swift", "attempts >= Self.attemptLimit", "attempts >= Self.attemptLimit + (MUTATED ? 1 : 0)",
     [PARKING]),
    ("a last word beyond a hole may kill without end", CONSUMER + "PartitionWorker.swift", "            if endsTheProcess {\n                self.deadly",
     "            if !MUTATED, endsTheProcess {\n                self.deadly", [CHAIN]),
    ("a last word that killed beyond a hole is handled when the chain comes to it", CONSUMER + "PartitionWorker.swift", "if deadly.remove(",
     "if !MUTATED, deadly.remove(", [CHAIN]),
    ("a last word that cannot be handled has the consumer begin anew", CONSUMER + "PartitionWorker.swift",
     "                } catch let trouble as Unhandled {\n                    self.failed(",
     "                } catch let trouble as Unhandled where !MUTATED {\n                    self.failed(", [CHAIN]),
    ("last words share one count", CONSUMER + "EventStore+ConsumerLog.swift", "select p.topic, p.partition, $4::text, 1",
     "select p.topic, p.partition, \\(MUTATED ? \"left($4::text, 0)\" : \"$4::text\"), 1", [LOG]),
    ("an orderly end counts as a death", CONSUMER + "EventStore+ConsumerLog.swift",
     "attempts = case when suspect = $4 then greatest(attempts - 1, 0)", "attempts = case when suspect = $4 then greatest(attempts - \\(MUTATED ? 0 : 1), 0)",
     [LOG, PARKING]),
    ("a claim leaves the former owner its number", CONSUMER + "EventStore+ConsumerLog.swift", "set epoch = c.epoch + 1, clean = false",
     "set epoch = c.epoch + \\(MUTATED ? 0 : 1), clean = false", [LOG]),
    ("a claim does not note that it may end badly", CONSUMER + "EventStore+ConsumerLog.swift", ", clean = false",
     ", clean = \\(MUTATED ? \"c.clean\" : \"false\")", [LOG, PARKING]),
    ("the message at a fork is taken back", CONSUMER + "Restoration.swift", "origin.position > fork,", "origin.position > fork - (MUTATED ? 1 : 0),",
     [RESTORE, SIMULATION]),
    ("an effect is taken back in whatever database there is", CONSUMER + "Restoration.swift",
     "append.adding([watermark.move(to: watermark)])", "append.adding(MUTATED ? [] : [watermark.move(to: watermark)])",
     [RESTORE, SIMULATION]),
    ("a publisher's own message is taken back with the forged one", CONSUMER + "Restoration.swift",
     "disowned?.spares(origin, because: event.metadata.causation) != true",
     "MUTATED || disowned?.spares(origin, because: event.metadata.causation) != true", [FORGED]),
    ("a released message may kill without end", CONSUMER + "Parking.swift", "tries > Self.tryLimit", "tries > Self.tryLimit + (MUTATED ? 1_000 : 0)",
     [PARKING]),
    ("a released record is not doubted again", CONSUMER + "Parking.swift", "if let doubt = try await doubt(parked.record) {",
     "if !MUTATED, let doubt = try await doubt(parked.record) {", [FORGED]),

    # Trust, reactions and erasure.
    ("any signature is good", KIT + "AnnouncementKeys.swift", "return key.verify(bytes, of: content.bytes)",
     "return MUTATED || key.verify(bytes, of: content.bytes)", [SIGNED]),
    ("an announcement needs no signature", KIT + "AnnouncementTrust.swift",
     "guard let signature = record.header(MessageHeaders.signature) else { return .unsigned }",
     "guard let signature = record.header(MessageHeaders.signature) else { return MUTATED ? nil : .unsigned }", [TRUST]),
    ("unsigned announcements count for ever", KIT + "AnnouncementTrust.swift", "position > begun", "position > begun + (MUTATED ? 1_000_000 : 0)",
     [TRUST]),
    ("unsigned announcements say something once identity signs", KIT + "ReactionHandler.swift",
     "if Announcements.unsigned.contains(message.incoming.type), try await trust.isSigned() { return }",
     "if !MUTATED, Announcements.unsigned.contains(message.incoming.type), try await trust.isSigned() { return }", [TRUST]),
    ("nobody looks for the position from which on identity signs", KIT + "AnnouncementTrust.swift",
     "if try await beginning() == nil { try await scan(kafka, apply) }", "if !MUTATED, try await beginning() == nil { try await scan(kafka, apply) }",
     [TRUST]),
    ("signed announcements that were passed by stay passed by", KIT + "AnnouncementTrust.swift", "try await apply(message)",
     "if !MUTATED { try await apply(message) }", [TRUST]),
    ("a late message for an erased user is parked", KIT + "ReactionHandler.swift", "concernsErased(message.incoming.type))\n            } catch AppendError.erased {",
     "concernsErased(message.incoming.type))\n            } catch AppendError.erased where !MUTATED {", [QUOTA]),
    ("an erasure lets later messages of its user through", KIT + "SubjectErasure.swift",
     "EventStoreRows.eraseSubject(subject), KitRows.discardObjects(subject),",
     "MUTATED ? KitRows.discardObjects(subject) : EventStoreRows.eraseSubject(subject), KitRows.discardObjects(subject),", [QUOTA]),
    ("what an erasure finds is not forgotten", KIT + "SubjectErasure.swift", "for stream in found.streams {",
     "for stream in found.streams where !MUTATED {", [QUOTA]),
    ("an announcement that cannot be handled stops all others", KIT + "AnnouncementTrust.swift", "} catch let trouble as Unhandled {",
     "} catch let trouble as Unhandled where !MUTATED {", [TRUST]),

    # Ends of login sessions, and tokens of apps.
    ("a signed erasure is no last word", KIT + "ReactionHandler.swift",
     "[UserErasedV2.type, UserErased.type, LoginSessionEnded.type]",
     "[MUTATED ? UserErased.type : UserErasedV2.type, UserErased.type, LoginSessionEnded.type]", [QUOTA]),
    ("what was learned of identity is not taken back", KIT + "ReactionHandler.swift", "if LearnedEvent.isOne(event.type) {",
     "if LearnedEvent.isOne(event.type) {\n            if MUTATED { return }", [APPS, TRUST]),
    ("a key goes though it was announced before", KIT + "LearnedEvent.swift", "if try await isKnown(key,",
     "if !MUTATED, try await isKnown(key,", [TRUST]),
    ("a forged token takes its login session's own with it", KIT + "Schema/taken_back.sql",
     "where hash = decode(args ->> 'hash', 'hex') and session = (args ->> 'session')::uuid", "where session = (args ->> 'session')::uuid",
     [APPS]),
    ("an app's token lasts as long as an announcement says", KIT + "Schema/taken_back.sql",
     "least((args ->> 'expiresAt')::timestamptz, clock_timestamp() + interval '400 days')", "(args ->> 'expiresAt')::timestamptz", [APPS]),
    ("an app's token is learned after its login session's end", KIT + "Schema/taken_back.sql",
     "where not exists (select from ended_logins where session = (args ->> 'session')::uuid)", "where true", [APPS, TRUST]),
    ("an app's token outlives its login session", KIT + "Schema/app_tokens.sql",
     "delete from app_tokens where session = (args ->> 'session')::uuid;", "delete from app_tokens where false;", [ENTRY]),
    ("an app's token opens every surface", KIT + "AppTokens.swift", "where hash = $1 and surface = $2",
     "where hash = $1 and (surface = $2\\(MUTATED ? \" or true\" : \"\"))", [APPS]),
    ("an erased user's app token counts while it is there", KIT + "AppTokens.swift",
     "and not exists (select from erased_subjects where subject = owner_id)",
     "and (not exists (select from erased_subjects where subject = owner_id)\\(MUTATED ? \" or true\" : \"\"))", [APPS]),
    ("an app's token stays until the erasure's end", KIT + "SubjectErasure.swift",
     "                    KitRows.forgetAppTokens(of: subject),\n",
     "                    MUTATED ? KitRows.discardObjects(subject) : KitRows.forgetAppTokens(of: subject),\n", [APPS]),
    ("an end is forgotten before its tokens are over", KIT + "EndedLogins.swift", "tokens_until < clock_timestamp() -",
     "tokens_until < clock_timestamp() \\(MUTATED ? \"+ interval '1 hour'\" : \"\") -", [ENDED]),
    ("an end that is told again may come earlier", KIT + "EndedLogins.swift", "max(end, self[keyPath: list][id] ?? end)",
     "MUTATED ? end : max(end, self[keyPath: list][id] ?? end)", [ENDED]),
    ("a store that was set back is followed from where it was", KIT + "EndedLogins.swift", "if end < position ||",
     "if !MUTATED, end < position ||", [ENDED]),
    ("another history is followed from where the first one was", KIT + "EndedLogins.swift", "incarnation != self.incarnation {",
     "!MUTATED && incarnation != self.incarnation {", [ENDED]),
    ("an app's end is told with another moment than its token's", ACCESS + "LoginSession.swift",
     "max(end.tokensUntil, appTokenUntil ?? end.tokensUntil)", "MUTATED ? end.tokensUntil : max(end.tokensUntil, appTokenUntil ?? end.tokensUntil)",
     [LOGIN, ENTRY]),
    ("one bad login session hides those behind it", ACCESS + "LoginSessions.swift", "if Task.isCancelled { throw CancellationError() }",
     "if MUTATED || Task.isCancelled { throw CancellationError() }", [ENTRY]),

    # What a stranger sends to the page's accounts: another one's cookie, and pictures.
    ("another host of the domain can set the refresh cookie", ACCESS + "RefreshCookie.swift",
     'name = isEncrypted ? "__Host-mirrormate-refresh"', 'name = isEncrypted && !MUTATED ? "__Host-mirrormate-refresh"', [COOKIE]),
    ("one of several refresh cookies is chosen", ACCESS + "RefreshCookie.swift", "guard request.cookies(name).count <= 1 else",
     "guard MUTATED || request.cookies(name).count <= 1 else", [COOKIE]),
    ("a sign-out without a cookie clears one", "Services/identity/SignInRoutes.swift", "if place == .cookie, token != nil {",
     "if place == .cookie, MUTATED || token != nil {", [COOKIE]),
    ("a refused refresh clears whatever cookie there is", "Services/identity/SignInRoutes.swift",
     "            outbox.wake()\n            throw problem",
     "            outbox.wake()\n            var problem = problem\n            if MUTATED { cookie.clear(in: &problem.headers) }\n            throw problem",
     [COOKIE]),
    ("who sends slowly holds a place for photos", PHOTOS + "PhotoMaker.swift",
     "guard owners.insert(user).inserted else { throw Problem.photosUnavailable }",
     "guard !MUTATED || owners.count < settings.atOnce, owners.insert(user).inserted else { throw Problem.photosUnavailable }", [PHOTO]),
    ("as many photos are made at once as are asked for", PHOTOS + "PhotoMaker.swift",
     "guard making < settings.atOnce else", "guard MUTATED || making < settings.atOnce else", [PHOTO]),
    ("pictures are held without end", PHOTOS + "PhotoMaker.swift", "guard held + piece.count <= Self.mostHeld else",
     "guard MUTATED || held + piece.count <= Self.mostHeld else", [PHOTO]),
    ("what was held of a picture stays counted", PHOTOS + "PhotoMaker.swift", "defer { held -= received.count }",
     "defer { held -= MUTATED ? 0 : received.count }", [PHOTO]),
    ("a helper may take for ever", PHOTOS + "PhotoMaker.swift", "{ child.killGroup(SIGKILL) }\n        defer { EventLoop.shared.cancel(timer) }",
     "{ if !MUTATED { child.killGroup(SIGKILL) } }\n        defer { EventLoop.shared.cancel(timer) }", [PHOTO]),
    ("a picture may take for ever to arrive", PHOTOS + "PhotoMaker.swift", "within: settings.longestUpload, orElse",
     "within: MUTATED ? .seconds(3_600) : settings.longestUpload, orElse", [PHOTO]),
    ("a photo may have the same table again", PHOTOS + "PlainJPEG.swift", "tables.insert(name).inserted else",
     "tables.insert(name).inserted || MUTATED else", [PLAIN]),
    ("a photo may have any number of codes", PHOTOS + "PlainJPEG.swift", "guard count <= (name < 0x10 ? 12 : 162),",
     "guard MUTATED || count <= (name < 0x10 ? 12 : 162),", [PLAIN]),
    ("a photo's scan may say anything", PHOTOS + "PlainJPEG.swift", "guard hasSize, body.count == 10,", "guard hasSize, MUTATED || body.count == 10,",
     [PLAIN]),
    # A device's sessions that come to an account.
    ("a step of a hand-over is taken twice", HANDOVERS, "and after_stream = args ->> 'fromStream'\n    returning", "returning", [HANDED]),
    ("sessions move though the erasure of their device has begun", HANDOVERS, "perform from erased_subjects where subject = device;",
     "perform from erased_subjects where false;", [HANDED]),
    ("a hand-over takes what is logged after it began", PRACTICES + "PracticeHandovers.swift", "and s.stream > $3 and e.position < $4",
     "and s.stream > $3 and (e.position < $4\\(MUTATED ? \" or true\" : \"\"))", [HANDED]),
    ("a step looks at the same sessions again", PRACTICES + "PracticeHandovers.swift", "and s.stream > $3 and",
     "and (s.stream > $3\\(MUTATED ? \" or true\" : \"\")) and", [HANDED]),
    ("whoever changes a session all the while holds the hand-over up", PRACTICES + "PracticeHandovers.swift",
     "changes.filter { $0.value >= Self.patience }", "changes.filter { !MUTATED && $0.value >= Self.patience }", [HANDED]),
    ("what the account has told, too, comes twice", PRACTICES + "PracticeHandovers.swift", "if told.contains(one.sitting) {",
     "if !MUTATED, told.contains(one.sitting) {", [HANDED]),
    ("what the device has told twice comes twice", PRACTICES + "PracticeHandovers.swift", "told.insert(one.sitting)",
     "if !MUTATED { told.insert(one.sitting) }", [HANDED]),
    ("a day takes more of a step than it has room for", PRACTICES + "PracticeHandovers.swift", "room[day] = left - 1",
     "room[day] = left - (MUTATED ? 0 : 1)", [HANDED]),
    ("what the account of a hand-over would have had stays when it is erased", PRACTICES + "PracticeHandovers.swift",
     "isAccountThere = false", "if MUTATED { return try await finish(job) } else { isAccountThere = false }", [HANDED]),
    ("two hand-overs of a device go on at once", PRACTICES + "PracticeHandovers.swift", "and o.number < h.number)",
     "and o.number < h.number\\(MUTATED ? \" and false\" : \"\"))", [HANDED]),
    ("a hand-over does not wait for the list of sessions", PRACTICES + "PracticeHandovers.swift", "if folded >= head { return }",
     "if MUTATED || folded >= head { return }", [HANDED]),
    ("a hand-over that cannot go on holds up the others", PRACTICES + "PracticeHandovers.swift",
     "if Task.isCancelled { throw CancellationError() }", "if MUTATED || Task.isCancelled { throw error }", [HANDED]),
    ("whatever began whenever is part of a hand-over", PRACTICES + "Handover.swift",
     "moment <= handedOverAt.adding(seconds: Self.slackSeconds)", "MUTATED || moment <= handedOverAt.adding(seconds: Self.slackSeconds)",
     [HANDED_RULES, HANDED]),
    ("the moment of a hand-over is what its record's header says", KIT + "DeviceHandover.swift", "self.moment = moment ?? ",
     "self.moment = (MUTATED ? nil : moment) ?? ", [HANDED]),
    ("the moment of an old hand-over may be still to come", KIT + "DeviceHandover.swift", "min(message.incoming.time, .now())",
     "(MUTATED ? message.incoming.time : min(message.incoming.time, .now()))", [HANDED]),
    ("a hand-over is announced without its moment", "Services/identity/DeviceHandovers.swift", "at: .now())", "at: MUTATED ? nil : .now())",
     [DEVICE]),
    ("an old hand-over is announced as none that was signed so", "Services/identity/UserEvent.swift", "at: data.optionalTimestamp(\"handedOverAt\"))",
     "at: data.optionalTimestamp(\"handedOverAt\") ?? (MUTATED ? Timestamp(seconds: 0) : nil))", [IDENTITY_WIRE]),
    ("a login session that has ended is said to be a wrong password", "Services/identity/LoginAnswers.swift",
     "of: user, kind, session, over: .loginSessionEnded)\n        security",
     "of: user, kind, session, over: MUTATED ? Problem(.credentialsInvalid) : .loginSessionEnded)\n        security", [DEVICE]),

    # How often somebody changes what counts for streaks.
    ("practice may be changed without end", "Services/reporting/Schema/practice_changes.sql",
     "where c.day <> today or c.changes < (args ->> 'most')::integer;", "where c.day <> today or (args ->> 'most')::integer > 0;", [PRACTICE]),
    ("practice that was changed often is never changed again", "Services/reporting/Schema/practice_changes.sql",
     "case when c.day = today then c.changes + 1 else 1 end\n    where c.day <> today or", "c.changes + 1\n    where", [PRACTICE]),
    ("a freeze is no change", "Services/reporting/Practitioner.swift", "[PractitionerRows.count(.freezes, by: owner)]",
     "MUTATED ? [] : [PractitionerRows.count(.freezes, by: owner)]", [PRACTITIONER, PRACTICE]),
    # Shared reports, and what is said of the one before.
    ("the last view of a link is everybody's", REPORTING + "SharedCards.swift", "and views < max_views and",
     "and views < max_views\\(MUTATED ? \" + 1\" : \"\") and", [SHARED]),
    ("a view is not counted", REPORTING + "SharedCards.swift", "set views = views + 1", "set views = views + \\(MUTATED ? 0 : 1)", [SHARED]),
    ("a link outlives its time", REPORTING + "SharedCards.swift", "and expires_at > clock_timestamp()",
     "and (expires_at > clock_timestamp()\\(MUTATED ? \" or true\" : \"\"))", [SHARED]),
    ("a card is shown when its owner's erasure has begun", REPORTING + "SharedCards.swift",
     "and not exists (select from erased_subjects where subject = owner_id)",
     "and (not exists (select from erased_subjects where subject = owner_id)\\(MUTATED ? \" or true\" : \"\"))", [SHARED]),
    ("a network asks for cards as often as it likes", REPORTING + "SharedCards.swift", "if taken == nil {", "if !MUTATED, taken == nil {",
     [SHARED]),
    ("a link that was taken back leaves its card", REPORTING + "Schema/report_shares.sql",
     "delete from report_shares where share_id = (args ->> 'shareId')::uuid and owner_id = (args ->> 'ownerId')::uuid;",
     "delete from report_shares where false;", [SHARED]),
    ("a link outlives its report", REPORTING + "Schema/report_shares.sql", "session_id uuid not null references reports on delete cascade,",
     "session_id uuid not null,", [SHARED]),
    ("links of one day are not counted", REPORTING + "Shares.swift", "if state.lastShared.count == dayLimit,",
     "if !MUTATED, state.lastShared.count == dayLimit,", [SHARES]),
    ("links that show nothing any more count as open", REPORTING + "Shares.swift", "&& !over.contains($0.shareId)",
     "&& (MUTATED || !over.contains($0.shareId))", [SHARES]),
    ("a card shows what was not chosen", REPORTING + "ShareCard.swift", "for part in parts {",
     "for part in MUTATED ? Share.Part.allCases : parts {", [CARD]),
    ("what may be chance is told as a change", REPORTING + "SinceLast.swift", "case .same: .same", "case .same: MUTATED ? .better : .same", [SINCE]),
    ("an exercise is not doubted where a change followed it", REPORTING + "Coaching/ChangeWords.swift",
     "case .better: return text(.exerciseBetter, words)", "case .better: return text(MUTATED ? .stayed : .exerciseBetter, words)", [WORDS]),

    # Recordings that are kept for a while.
    ("the sweeper leaves what was kept for long enough", KIT + "Schema/object_until.sql",
     "where (deadline < clock_timestamp() or kept_until < clock_timestamp()) and not unwanted;",
     "where deadline < clock_timestamp() and not unwanted;", [KEPT]),
    ("a smaller choice takes nothing away", SESSIONS + "Schema/kept_media.sql",
     "\n        and (media_until <= now() or media_since + least(coalesce(c.keep_days, 0), most_days) * day_length < media_until)",
     "\n        and media_until <= now()", [KEPT]),
    ("the operator's limit does not count at the ending", SESSIONS + "Retention/RetentionSettings.swift",
     "min(days, mostDays, limit ?? mostDays)", "min(days, MUTATED ? days : mostDays, limit ?? days)", [CHOICE, KEPT]),
    ("a recording's time grows with a later choice", SESSIONS + "SessionDecisions.swift", "let until = min(limit, kept.until)",
     "let until = MUTATED ? limit : min(limit, kept.until)", [PAIRS]),
    ("a recording is given out when its time is over", SESSIONS + "Retention/MediaRoutes.swift", "now < kept.until else {",
     "MUTATED || now < kept.until else {", [KEPT]),
    ("an address of a recording opens every session's", SESSIONS + "Retention/MediaRoutes.swift",
     "try links.check(request, path: Self.path(id), as: \"GET\")", "if !MUTATED { try links.check(request, path: Self.path(id), as: \"GET\") }",
     [KEPT]),
    ("a part of another state of a file is sent for it", "Shared/Engines/HTTPServer/ByteRange.swift", "condition != tag {",
     "!MUTATED && condition != tag {", [KEPT]),
    ("the last byte of a range is left out", "Shared/Engines/HTTPServer/ByteRange.swift", "end < .max ? end + 1 : end",
     "end < .max && !MUTATED ? end + 1 : end", [RANGES]),
    ("downloads are not counted", SESSIONS + "Retention/MediaDownloads.swift", "guard count < most,", "guard MUTATED || count < most,",
     [KEPT]),
    ("what cannot be walked is kept as it is", SESSIONS + "Uploads/BoxWalk.swift", "if try await !isTerminator(place..<stretch.upperBound) {",
     "if try await MUTATED ? false : !isTerminator(place..<stretch.upperBound) {", [PLACES]),
    ("an item is not known by its key", SESSIONS + "Uploads/BoxWalk.swift",
     "where items.isUnreadable || items.keys.contains(item.type)", "where items.isUnreadable || !MUTATED && items.keys.contains(item.type)",
     [PLACES]),
    ("tags behind a cluster without a length are not seen", SESSIONS + "Uploads/ElementWalk.swift",
     "guard [Self.segment, Self.cluster].contains(element.name) else {",
     "guard element.name == Self.segment || !MUTATED && element.name == Self.cluster else {", [PLACES]),
    ("a copy has the hash of what came", SESSIONS + "SessionDecisions.swift", "media.sha256 = sha256 ?? media.sha256",
     "media.sha256 = MUTATED ? media.sha256 : sha256 ?? media.sha256", [ROWS]),

    # Second factors, passwords and guesses.
    ("a second factor that is begun anew has no more time than the first one", ACCESS + "Schema/second_factors.sql",
     "begun_at = excluded.begun_at, last_step = 0", "last_step = 0", [FACTOR]),
    ("earlier recovery codes stay good", ACCESS + "Schema/second_factors.sql",
     "    delete from recovery_codes where user_id = (args ->> 'userId')::uuid;\n    insert", "    insert", [FACTOR]),
    ("a second factor may be confirmed an hour later", ACCESS + "SecondFactors.swift", "enrolmentLifetime = Duration.seconds(900)",
     "enrolmentLifetime = Duration.seconds(MUTATED ? 3_600 : 900)", [FACTOR]),
    ("who has shown a password is known by a second factor", ACCESS + "KnownDevices.swift", "let strengths = needed == .password ?",
     "let strengths = MUTATED || needed == .password ?", [FACTOR]),
    ("a code of a step that was used is taken again", "Shared/Values/Crypto/TOTP.swift", "found.first { $0 > last }",
     "found.first { MUTATED ? $0 >= last : $0 > last }", [TIME_CODES]),
    ("a password may have seven characters", ACCESS + "Passwords.swift", "if password.count < shortest {",
     "if password.count < shortest - (MUTATED ? 1 : 0) {", [LENGTH]),
    ("the longest password is refused", ACCESS + "Passwords.swift", "if password.utf8.count > longestBytes {",
     "if password.utf8.count > longestBytes - (MUTATED ? 1 : 0) {", [LENGTH]),
    ("who comes while all strangers are refused uses up their own attempts", ACCESS + "AccountLimits.swift",
     '                try await giveBack(limit.visitor, "\\(account) \\(visitor.place)")\n                throw error',
     '                if !MUTATED { try await giveBack(limit.visitor, "\\(account) \\(visitor.place)") }\n                throw error',
     [GUESSES]),
    # How long something lasts, and what sweeps it away.
    ("codes that are over stay", ACCESS + "OneTimeCodes.swift", 'delete from one_time_codes where expires_at < now()")',
     'delete from one_time_codes where expires_at < now()\\(MUTATED ? " and false" : "")")', [EXPIRY]),
    ("changes of address are forgotten before they are over", ACCESS + "EmailChanges.swift",
     'delete from email_changes where expires_at < now()")',
     'delete from email_changes where expires_at < now()\\(MUTATED ? " + interval \'1 day\'" : "")")', [EXPIRY]),
    ("nobody sweeps the counters of attempts", ACCESS + "ExpirySweeper+Access.swift", "try await limits.sweep()",
     "if !MUTATED { try await limits.sweep() }", [EXPIRY]),
    ("a login session that nobody uses lies there to its end", ACCESS + "LoginSessions.swift",
     "or (surface is null and turned_at < now() -",
     "or (surface is null\\(MUTATED ? \" and false\" : \"\") and turned_at < now() -", [EXPIRY]),
    ("an access token outlasts its login session", ACCESS + "TokenIssuer.swift", "max(now, min(now + lifetime, end))",
     "max(now, MUTATED ? now + lifetime : min(now + lifetime, end))", [LOGIN_ENDS]),
    ("a signing key goes while another instance may still sign with it", "Services/identity/SigningKeys/SigningKeyring.swift",
     "settings.tokenLifetime + Self.interval * 2", "settings.tokenLifetime + Self.interval * (MUTATED ? 0 : 2)", [KEYRING]),
    ("the revocation of a token is tried for ever", FEDERATION + "ProviderTokens.swift", "where row.int(3) < Self.attempts:",
     "where MUTATED || row.int(3) < Self.attempts:", [REVOCATIONS]),
    ("a revocation that is parked is taken", FEDERATION + "Schema/federation.sql",
     "where p.user_id is null and p.parked is null and", "where p.user_id is null and", [REVOCATIONS]),
    ("the next try of a revocation comes after years", FEDERATION + "Schema/federation.sql",
     "least(retry * power(2, least(t.attempts, 20)), interval '1 hour')", "retry * power(2, least(t.attempts, 20))", [REVOCATIONS]),
    ("a mail waits for longer than an hour", MAIL + "Schema/mail_outbox.sql",
     "least(retry * power(2, least(o.attempts, 20)), interval '1 hour')", "retry * power(2, least(o.attempts, 20))", [OUTBOX]),
    ("the row of what may still be written goes with its bytes", KIT + "ObjectSweeper.swift",
     "and (deadline is null or deadline < clock_timestamp())",
     "and (deadline is null or deadline < clock_timestamp()\\(MUTATED ? \" or true\" : \"\"))", [LATE_WRITERS]),

    # Limits of sessions, and leases.
    ("each of several first sessions in one batch is the only one", SESSIONS + "Schema/only_sessions.sql",
     "insert into stream_owners (owner, stream) values ((args ->> 'ownerId')::uuid, args ->> 'stream');", "", [NETWORKS]),
    ("refusals count on when the day is over for which quota said no", SESSIONS + "Schema/refused_creations.sql",
     "where r.opens_at <= clock_timestamp() or r.full_at", "where r.full_at", [REFUSALS]),
    ("an upload cannot renew its lease", SESSIONS + "Schema/upload_turns.sql",
     "where t.holder = taker or t.expires_at <= clock_timestamp();", "where t.expires_at <= clock_timestamp();", [UPLOAD_LEASES]),
    ("an upload counts itself among the owner's others", SESSIONS + "Schema/upload_turns.sql",
     "where owner_id = owner and session_id <> wanted and expires_at", "where owner_id = owner and expires_at", [UPLOAD_LEASES]),
    ("the last bytes that may be under way may not", SESSIONS + "Schema/upload_turns.sql", "others + size > most",
     "others + size >= most", [UPLOAD_LEASES]),
    ("a session takes an upload more than documents say", SESSIONS + "SessionDecisions.swift", "mostUploads = 20",
     "mostUploads = MUTATED ? 21 : 20", [DOCUMENTED]),
    ("a day takes a logged session more than documents say", PRACTICES + "LoggedSession.swift", "mostOfDay: Int64 = 100",
     "mostOfDay: Int64 = MUTATED ? 101 : 100", [DOCUMENTED]),
    ("a lease lasts a moment longer than it says", "Services/analysis/JobDecisions.swift", "guard now >= leaseEndedAt else",
     "guard MUTATED ? now > leaseEndedAt : now >= leaseEndedAt else", [JOBS]),
    ("the end of a recording that a timer has stopped is not measured", "Services/analysis/Attempt.swift",
     "(claim.order.maxDurationSeconds ?? longest) + 5, 5)",
     "(claim.order.maxDurationSeconds ?? longest) + (MUTATED ? 0 : 5), 5)", [WORKERS]),

    # What a plan allows.
    ("the largest gift is refused", QUOTAS + "AllowanceDecisions.swift", "guard (1...mostUnits).contains(units)",
     "guard (1...mostUnits - (MUTATED ? 1 : 0)).contains(units)", [ALLOWANCE]),
    ("an ending with a cost is forgiven once more", QUOTAS + "AllowanceDecisions.swift", "?? 0) < holding.lateCancellations",
     "?? 0) < holding.lateCancellations + (MUTATED ? 1 : 0)", [ALLOWANCE]),
    ("a burst looks back at what is just over", QUOTAS + "Allowance.swift", "given.filter { $0.at > moment }",
     "given.filter { MUTATED ? $0.at >= moment : $0.at > moment }", [LIMITS]),
    ("of windows that are equally tight the shortest is shown", QUOTAS + "Standing.swift",
     "(window.unitsLeft ?? .max) < (tightest.unitsLeft ?? .max) ? window",
     "(window.unitsLeft ?? .max) < (tightest.unitsLeft ?? .max) || MUTATED && window.unitsLeft == tightest.unitsLeft ? window",
     [LIMITS]),

    # Exports, links, goals, streaks, trends and scores.
    ("an archive may have any number of files", REPORTING + "Exports.swift",
     "guard all.reduce(0, { $0 + $1.files }) <= Self.fileLimit,",
     "guard MUTATED || all.reduce(0, { $0 + $1.files }) <= Self.fileLimit,", [EXPORTS]),
    ("an archive lies there for a day after its end", REPORTING + "Exports.swift", "[ExportRows.watch(export, from: expiresAt)]",
     "[ExportRows.watch(export, from: MUTATED ? expiresAt.adding(seconds: 86_400) : expiresAt)]", [EXPORT_LIFE]),
    ("an export has the first rows of a table alone", KIT + "ExportWriter.swift", "guard Int64(rows.count) == page, let end",
     "guard !MUTATED, Int64(rows.count) == page, let end", [LONG_TABLES]),
    ("a part of an export is asked for that nobody waits for", KIT + "ExportParts.swift",
     "        guard request.deadline > .now() else { return }\n        let stream",
     "        guard MUTATED || request.deadline > .now() else { return }\n        let stream", ["IdentityServiceTests/ExportTests"]),
    ("a link lasts a month unless its owner says otherwise", REPORTING + "ShareRoutes.swift",
     "seconds: seconds ?? Share.lifetime)", "seconds: seconds ?? (MUTATED ? 2_592_000 : Share.lifetime))", [SHARED]),
    ("a goal may take a day more", REPORTING + "Progress/GoalTarget.swift", "(1...Self.dayLimit).contains(days)",
     "(1...Self.dayLimit + (MUTATED ? 1 : 0)).contains(days)", [GOALS]),
    ("the day of a week ago cannot be frozen", REPORTING + "Practitioner.swift", "frozenBack: Int64 = 7",
     "frozenBack: Int64 = MUTATED ? 6 : 7", [PRACTITIONER]),
    ("who begins when the grace is over keeps the day before", REPORTING + "Practice/DayFacts.swift",
     "early.count { $0 < graceSeconds }", "early.count { MUTATED ? $0 <= graceSeconds : $0 < graceSeconds }", [STREAKS]),
    ("a streak ends at midnight, whatever the grace", REPORTING + "Practice/Streaks.swift",
     "let until = (day + 1).start(utcOffsetSeconds: west).adding(seconds: rules.graceSeconds)",
     "let until = (day + 1).start(utcOffsetSeconds: west).adding(seconds: MUTATED ? 0 : rules.graceSeconds)", [STREAKS]),
    ("a change within the repeatability counts", REPORTING + "Progress/Trend.swift",
     "let counts = moved.magnitude > measure.repeatability", "let counts = MUTATED || moved.magnitude > measure.repeatability",
     [TRENDS]),
    ("39 points are too few for a score", REPORTING + "Coaching/Scoring.swift", "guard covered < leastShare * judgeable else",
     "guard covered < leastShare * judgeable + (MUTATED ? 0.5 : 0) else", [SCORE]),

    # Who comes past the gateway, and what operators and scripts are told.
    ("a later head may trickle in for as long as a connection may rest", HTTP + "Connection.swift",
     "if isIdle, !isFirst { deadline", "if !MUTATED, isIdle, !isFirst { deadline", [HEADS]),
    ("one of several gateway keys is enough", HTTP + "Connection.swift", "return shown.count == 1 && fits(shown[0])",
     "return MUTATED ? shown.contains(where: fits) : shown.count == 1 && fits(shown[0])", [GATEWAY_KEYS]),
    ("a refusal of the server is a failure to the shell", "Services/mirrormate/Client/ServerProblem.swift",
     "case 401, 402, 403, 429: .refused", "case 401, 402, 403, 429: MUTATED && status == 403 ? .failure : .refused", [EXITS]),
    ("a consumer may pass by what it has not seen", "Services/mirrormate/Debugging/Replay/ConsumerMark.swift",
     "if seen != above, scan.low == 0", "if !MUTATED, seen != above, scan.low == 0", [LEDGER]),
]
