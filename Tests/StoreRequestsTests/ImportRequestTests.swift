import GatewayTesting
import JSON
import Platform
import Synchronization
import XCTest

@testable import GatewayCore
@testable import GatewayHost
@testable import StoreRequests

/// Tests files that clients send, with an import that a test replaces.
final class ImportRequestTests: XCTestCase {
    /// A file in pieces.
    private final class Content: RequestContent {
        private let pieces: Mutex<ArraySlice<[UInt8]>>
        private let failure: (any Error)?

        init(_ pieces: [String], failure: (any Error)? = nil) {
            self.pieces = Mutex(pieces.map { Array($0.utf8) }[...])
            self.failure = failure
        }

        func next() async throws -> [UInt8]? {
            if let piece = pieces.withLock({ $0.popFirst() }) { return piece }
            if let failure { throw failure }
            return nil
        }
    }

    /// A file whose second piece arrives when a test says so.
    private final class SlowContent: RequestContent {
        private let (readers, reader) = AsyncStream.makeStream(of: Void.self)
        private let (ends, signal) = AsyncStream.makeStream(of: Void.self)
        private let count = Mutex(0)

        func next() async throws -> [UInt8]? {
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == 1 { return [65] }
            reader.yield()
            for await _ in ends { break }
            return nil
        }

        func waitForReader() async {
            for await _ in readers { break }
        }

        func end() { signal.yield() }
    }

    /// A client of another user, or the owner, with a file.
    private final class Sender: ResponseChannel {
        let client: ServiceClient
        let content: (any RequestContent)?
        private let received = Mutex<[UInt8]>([])

        init(_ content: (any RequestContent)?, ofOther name: String? = nil) {
            self.content = content
            client = ServiceClient(
                transport: PlainName(known: "test"), user: PlainName("4711"), isOwner: name == nil,
                name: name.flatMap { PlainName($0) })
        }

        var text: String { String(decoding: received.withLock { $0 }, as: UTF8.self) }

        func send(_ lines: [UInt8], preparedBy prepare: () -> Void) {
            prepare()
            received.withLock { $0 += lines }
        }

        func waitUntilWritten() async throws {}
        func endStream(_ name: String) {}
    }

    /// What the import was called with.
    private struct Call: Equatable {
        let text: String
        let person: String
    }

    /// Runs a body with a gateway whose imports have an outcome.
    private func run(
        people: String = "{ ada: {}, bob: {} }", _ outcome: Uploads.Outcome,
        _ body:
            @escaping @Sendable (
                _ gateway: StoreGateway, _ folder: String,
                _ ask: @escaping @Sendable (String, Sender) async -> String,
                _ calls: @Sendable () -> [Call]
            ) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let calls = Recorded()
        let uploads = Uploads { path, person in
            let text = try TextFile.read(path) ?? "none"
            calls.add(Call(text: text, person: person))
            guard case .failed(let problem, let cause) = outcome else { return outcome }
            return .failed(problem.replacing("PATH", with: path), cause)
        }
        uploads.open(in: DataDirectory(path: folder.path))
        let router = RequestRouter(StoreRequests.handlers(uploads: uploads))
        try await StoreGateway.run(people: people) { gateway in
            try await body(gateway, folder.path + "/uploads") { request, sender in
                _ = await router.answer(Array(request.utf8), gateway.service, sender)
                return sender.text
            } _: {
                calls.all
            }
        }
    }

    private final class Recorded: Sendable {
        private let calls = Mutex<[Call]>([])
        var all: [Call] { calls.withLock { $0 } }
        func add(_ call: Call) { calls.withLock { $0.append(call) } }
    }

    private static let stored = Uploads.Outcome.imported(
        ["file": .string("/data/uploads/x"), "stored": .number(2)], notes: ["left out: 1"])

    func testFile_isImported_andRemoved() async throws {
        try await run(Self.stored) { _, folder, ask, calls in
            let answer = await ask(
                #"{"request":"import","person":"bob","name":"a.csv"}"#,
                Sender(Content(["one,", "two"])))
            XCTAssertEqual(
                answer,
                #"{"import":{"file":"a.csv","notes":["left out: 1"],"stored":2}}"# + "\n")
            XCTAssertEqual(calls(), [Call(text: "one,two", person: "bob")])
            XCTAssertEqual(try Folder.names(in: folder), [])
        }
    }

    /// The message has the name that the client knows, and never a path of this machine.
    func testFailure_hasTheNameOfTheFile() async throws {
        try await run(.failed("PATH: no line is a valid record", .input)) { _, folder, ask, _ in
            let answer = await ask(
                #"{"request":"import","person":"ada","name":"a.csv"}"#, Sender(Content(["x"])))
            XCTAssertEqual(
                answer,
                #"{"error":"a.csv: no line is a valid record","key":"content"}"# + "\n")
            XCTAssertEqual(try Folder.names(in: folder), [])
        }
    }

    /// A client tries a file again that failed for another reason than the file.
    func testFailure_ofTheGateway_hasACode() async throws {
        for (cause, end) in [
            (FailureCause.busy, #","code":"busy"}"#), (.storageFull, #","code":"storageFull"}"#),
            (.failure, #","code":"failure"}"#), (.conflict, "}"),
        ] {
            try await run(.failed("the import failed", cause)) { _, folder, ask, _ in
                let answer = await ask(
                    #"{"request":"import","person":"ada"}"#, Sender(Content(["x"])))
                XCTAssertEqual(answer, #"{"error":"the import failed""# + end + "\n")
                XCTAssertEqual(try Folder.names(in: folder), [])
            }
        }
    }

    /// Paths and statements of the gateway's machine are the owner's.
    func testFailure_ofTheGateway_showsAnotherClientNoPath() async throws {
        for (cause, text) in [
            (FailureCause.busy, "something else uses the store; try again later"),
            (.storageFull, "there is no space left on the gateway's disk"),
            (.conflict, "the file does not fit what is stored now"),
            (
                .failure,
                "the gateway cannot import the file; its owner can see why with `pulsegate doctor`"
            ),
        ] {
            try await run(.failed("/data/health.sqlite: BEGIN", cause)) { gateway, _, ask, _ in
                let id = try XCTUnwrap(ClientID("test:4711:phone"))
                _ = try await gateway.service.access.decide(id, [.share: .all], .granted)
                let answer = await ask(
                    #"{"request":"import","person":"ada"}"#,
                    Sender(Content(["x"]), ofOther: "phone"))
                XCTAssertTrue(answer.hasPrefix(#"{"error":"\#(text)""#), answer)
            }
        }
    }

    func testPerson_isTheOnlyOne_orNamed() async throws {
        try await run(people: "{ ada: {} }", Self.stored) { _, _, ask, calls in
            _ = await ask(#"{"request":"import"}"#, Sender(Content(["x"])))
            XCTAssertEqual(calls().map(\.person), ["ada"])
        }
        try await run(Self.stored) { gateway, _, ask, calls in
            let missing = await ask(#"{"request":"import"}"#, Sender(Content(["x"])))
            XCTAssertTrue(missing.contains(#""key":"person""#), missing)
            let unknown = await ask(
                #"{"request":"import","person":"eve"}"#, Sender(Content(["x"])))
            XCTAssertTrue(unknown.contains("known: ada, bob"), unknown)
            // Another user does not learn who is known.
            let id = try XCTUnwrap(ClientID("test:4711:phone"))
            _ = try await gateway.service.access.decide(id, [.share: .all], .granted)
            let other = await ask(
                #"{"request":"import","person":"eve"}"#, Sender(Content(["x"]), ofOther: "phone"))
            XCTAssertFalse(other.contains("ada"), other)
            XCTAssertTrue(other.contains(#""key":"person""#), other)
            XCTAssertEqual(calls(), [])
        }
    }

    /// Nothing of a file is read before the client has access.
    func testClient_needsAccessToShareEverything() async throws {
        try await run(Self.stored) { gateway, folder, ask, calls in
            let id = try XCTUnwrap(ClientID("test:4711:phone"))
            let request = #"{"request":"import","person":"ada"}"#
            func code() async -> String {
                let answer = await ask(request, Sender(Content(["x"]), ofOther: "phone"))
                let code = answer.firstMatch(of: /"code":"(\w+)"/)
                return code.map { String($0.1) } ?? answer
            }
            let access = gateway.service.access
            for (selections, decision, expected) in [
                ([:], AccessDecision.granted, "notAsked"),
                ([.read: .all], .granted, "notAsked"),
                ([.share: .types(["heartRate", "workout"])], .granted, "notAsked"),
                ([.share: .all], .denied, "denied"),
            ] as [([AccessKind: TypeSelection], AccessDecision, String)] {
                _ = try await access.forget(id)
                _ = try await access.decide(id, selections, decision)
                let found = await code()
                XCTAssertEqual(found, expected, "\(selections)")
            }
            _ = try await access.decide(id, [.share: .all], .granted)
            _ = try await access.decide(id, [.share: .types(["bodyMass"])], .denied)
            let partly = await code()
            XCTAssertEqual(partly, "denied")
            XCTAssertEqual(calls(), [])
            XCTAssertEqual(try Folder.names(in: folder), [])
            _ = try await access.decide(id, [.share: .all], .granted)
            let granted = await code()
            XCTAssertTrue(granted.hasPrefix(#"{"import":"#), granted)
        }
    }

    /// A client that may store and not read cannot find out by sending what is stored.
    func testClientThatMayNotReadEverything_learnsOnlyWhatItHasSent() async throws {
        func records(_ stored: Double, _ alreadyStored: Double) -> Uploads.Outcome {
            .imported(
                [
                    "format": .string("samples"), "stored": .number(stored),
                    "alreadyStored": .number(alreadyStored), "olderVersions": .number(0),
                ], notes: ["left out: 1 row"])
        }
        func workout(_ result: String, _ notes: [String]) -> Uploads.Outcome {
            .imported(
                [
                    "format": .string("workout"), "result": .string(result),
                    "workout": .string("a"), "start": .string("b"), "samples": .number(3),
                ], notes: notes)
        }
        let rows =
            #"{"import":{"accepted":2,"file":"a","format":"samples","notes":["left out: 1 row"]}}"#
        let run = #"{"import":{"accepted":1,"file":"a","format":"workout"}}"#
        for (outcome, expected) in [
            (records(2, 0), rows), (records(0, 2), rows), (records(1, 1), rows),
            (workout("imported", ["not imported: 1 positions"]), run),
            (workout("alreadyStored", []), run),
            (workout("completed", ["heartRate: the file has a larger count"]), run),
        ] {
            try await self.run(outcome) { gateway, _, ask, _ in
                let id = try XCTUnwrap(ClientID("test:4711:phone"))
                let access = gateway.service.access
                let request = #"{"request":"import","person":"ada","name":"a"}"#
                func answer() async -> String {
                    await ask(request, Sender(Content(["x"]), ofOther: "phone"))
                }
                _ = try await access.decide(id, [.share: .all], .granted)
                let blind = await answer()
                XCTAssertEqual(blind, expected + "\n")
                _ = try await access.decide(id, [.read: .types(["workout"])], .granted)
                let partly = await answer()
                XCTAssertEqual(partly, expected + "\n")
                _ = try await access.decide(id, [.read: .all], .granted)
                let seeing = await answer()
                XCTAssertFalse(seeing.contains("accepted"), seeing)
                XCTAssertTrue(seeing.contains("tored") || seeing.contains("result"), seeing)
            }
        }
    }

    func testContent_thatIsIncomplete_leavesNothing() async throws {
        try await run(Self.stored) { _, folder, ask, calls in
            let request = #"{"request":"import","person":"ada"}"#
            let cut = await ask(
                request, Sender(Content(["x"], failure: ResponseChannelClosed())))
            XCTAssertEqual(cut, "")
            let empty = await ask(request, Sender(Content([])))
            XCTAssertTrue(empty.contains("the file is empty"), empty)
            let missing = await ask(request, Sender(nil))
            XCTAssertTrue(missing.contains("the file is missing"), missing)
            let long = await ask(
                request, Sender(Content(["x"], failure: RequestContentTooLong())))
            XCTAssertEqual(
                long,
                #"{"error":"the file has more than 64 MiB","key":"content","code":"tooLong"}"#
                    + "\n")
            XCTAssertEqual(calls(), [])
            XCTAssertEqual(try Folder.names(in: folder), [])
        }
    }

    /// A client that sends several files at once does not fill the disk.
    func testFiles_areFewAtATime() async throws {
        try await run(Self.stored) { _, folder, ask, calls in
            let request = #"{"request":"import","person":"ada"}"#
            let slow = (0..<Uploads.limit).map { _ in SlowContent() }
            let answers = slow.map { content in
                Task { await ask(request, Sender(content)) }
            }
            for content in slow { await content.waitForReader() }
            XCTAssertEqual(try Folder.names(in: folder).count, Uploads.limit)
            let refused = await ask(request, Sender(Content(["x"])))
            XCTAssertTrue(refused.contains(#""code":"busy""#), refused)
            for content in slow { content.end() }
            for answer in answers {
                let text = await answer.value
                XCTAssertTrue(text.hasPrefix(#"{"import":"#), text)
            }
            XCTAssertEqual(calls().count, Uploads.limit)
            XCTAssertEqual(try Folder.names(in: folder), [])
        }
    }

    func testOpen_removesWhatAnEarlierGatewayLeft() throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("uploads")
        try folder.write([1, 2, 3], to: "uploads/AbCdEf")
        Uploads { _, _ in Self.stored }.open(in: DataDirectory(path: folder.path))
        XCTAssertFalse(Folder.exists(folder.path("uploads/AbCdEf")))
    }

    func testSimulation_importsNothing() async throws {
        try await StoreGateway.run(people: "{ ada: {} }") { gateway in
            let lines = await gateway.ask(#"{"request":"import"}"#)
            XCTAssertTrue(lines[0].contains("a simulation imports no files"), lines[0])
        }
    }
}
