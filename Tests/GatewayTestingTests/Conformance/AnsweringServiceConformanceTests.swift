import GatewayCore
import GatewayTesting
import Platform
import Synchronization
import XCTest

/// The suite finds wrong services among those that answer clients, and only those.
final class AnsweringServiceConformanceTests: XCTestCase {
    private struct NoAnswer: Error {}

    /// The place where a service is reached, in the process of the test.
    private final class Counter: Sendable {
        private let state = Mutex((isOpen: false, count: 0, kept: [[UInt8]]()))

        var count: Int { state.withLock { $0.count } }

        func open() { state.withLock { $0.isOpen = true } }
        func close() { state.withLock { $0.isOpen = false } }

        /// Answers a request; nothing is kept for 0 bytes.
        func ask(keeping bytes: Int = 0) throws {
            try state.withLock { state in
                guard state.isOpen else { throw NoAnswer() }
                state.count += 1
                if bytes > 0 { state.kept.append([UInt8](repeating: 1, count: bytes)) }
            }
        }

        /// Serves until the task is cancelled.
        func serve() async {
            open()
            try? await SystemClock().sleep(seconds: 1_000)
            close()
        }
    }

    func testRightService_hasNoFindings() async {
        let counter = Counter()
        let found = await ServiceConformance.findings(answering: { try counter.ask() }) {
            ClosureService { gateway in
                gateway.announce("http://127.0.0.1/")
                await counter.serve()
            }
        }
        XCTAssertEqual(found, [])
        XCTAssertGreaterThan(counter.count, 500)
    }

    func testServiceThatDoesNotAnswer_isFound() async {
        let counter = Counter()
        let found = await ServiceConformance.findings(answering: { try counter.ask() }) {
            ClosureService { _ in try await SystemClock().sleep(seconds: 1_000) }
        }
        XCTAssertTrue(
            found.text.contains("a run without requests: does not answer within 5 s: NoAnswer"),
            found.text)
    }

    func testServiceThatEnds_isFound() async {
        let counter = Counter()
        let found = await ServiceConformance.findings(answering: { try counter.ask() }) {
            ClosureService { _ in counter.open() }
        }
        XCTAssertTrue(
            found.text.hasPrefix(
                "a run without requests: ended by itself: `run` returned without being cancelled"),
            found.text)
    }

    func testServiceThatAnswersAfterItsEnd_isFound() async {
        let counter = Counter()
        let found = await ServiceConformance.findings(answering: { try counter.ask() }) {
            ClosureService { _ in
                counter.open()
                try? await SystemClock().sleep(seconds: 1_000)
            }
        }
        XCTAssertEqual(
            found.map(\.description),
            [
                "a run: answers a request after its end",
                "a second run of the same service: answers a request after its end",
            ])
    }

    func testServiceThatAnswersOnlyInItsFirstRun_isFound() async {
        let counter = Counter()
        let found = await ServiceConformance.findings(answering: { try counter.ask() }) {
            let runs = Counter()
            return ClosureService { _ in
                if runs.count > 0 { return try await SystemClock().sleep(seconds: 1_000) }
                runs.open()
                try runs.ask()
                await counter.serve()
            }
        }
        XCTAssertEqual(
            found.map(\.description),
            ["a second run of the same service: does not answer within 5 s: NoAnswer()"])
    }

    func testMemoryThatGrowsWithTheRequests_isFound() async {
        let counter = Counter()
        let found = await ServiceConformance.findings(
            answering: { try counter.ask(keeping: 2_048) }
        ) { ClosureService { _ in await counter.serve() } }
        XCTAssertEqual(
            found.map(\.description),
            ["the memory that the service keeps grows with the number of requests"])
    }

    func testAddressWithControlCharacters_isFound() async {
        let counter = Counter()
        let found = await ServiceConformance.findings(answering: { try counter.ask() }) {
            ClosureService { gateway in
                gateway.announce("http://\u{1B}[1m/")
                await counter.serve()
            }
        }
        XCTAssertEqual(
            found.map(\.description), ["announces an address with control characters"])
    }
}
