import GatewayCore
import GatewayTesting
import HealthModel
import Platform
import Readings
import Synchronization
import XCTest

@testable import Serial

/// Tests of serial devices that a program decodes.
final class ProgramDecodedTests: XCTestCase {
    private static let problem = LinkError("it is broken")

    /// A program that reports a problem and then does nothing.
    private struct BrokenProgram: DecoderProgram {
        let unreadCount = 0

        func run(
            delivering deliver: @escaping @Sendable ([DecoderOutput], BootInstant) async -> Void
        ) async {
            await deliver([.problem(problem)], BootInstant(nanoseconds: 1))
            let (wait, _) = AsyncStream.makeStream(of: Void.self)
            for await _ in wait {}
        }

        func send(_ input: DecoderInput) -> Bool { true }
    }

    private struct BrokenProtocol: SerialProtocol, ProgramDecoded {
        let lineSettings = LineSettings(baud: .baud9600)
        let device = Device()

        func makeProgram(
            for device: String, _ context: ComponentContext
        ) -> any DecoderProgram { BrokenProgram() }

        func checkProgram(_ context: ComponentContext) throws(ConfigurationError) {}

        func makeAdapter() -> any DeviceAdapter {
            ScriptedProtocol.Adapter { _ in [] }
        }
    }

    /// The problems that a source has noted.
    private final class ProblemLog: ReadingInlet {
        let problems: AsyncStream<LinkError?>
        private let signal: AsyncStream<LinkError?>.Continuation

        init() {
            (problems, signal) = AsyncStream.makeStream()
        }

        func report(_ report: DeviceReport) async {}

        func note(problem: LinkError?) async { signal.yield(problem) }

        func finish() { signal.finish() }
    }

    func testProblemOfTheProgram_endsWithTheLink() async throws {
        let terminal = try PseudoTerminal()
        let context = ComponentContext(
            name: "foot", clock: SystemClock(), log: LogRecorder().logger,
            dataDirectory: "/nowhere")
        let path = terminal.slavePath
        let source = SerialSource(
            identifier: path, serialProtocol: BrokenProtocol(), context: context
        ) { makePort(path) }
        let inlet = ProblemLog()
        let running = Task { try await source.run(into: inlet) }
        var problems = inlet.problems.makeAsyncIterator()
        let first = await problems.next()
        XCTAssertEqual(first, .some(Self.problem))
        terminal.close()
        let unplugged = SerialError.unplugged(path: path).linkError
        await assertThrows(unplugged) { try await running.value }
        inlet.finish()
        let last = await problems.next()
        XCTAssertEqual(last, .some(nil))
    }

    func testInbox_ofTwoSendersAtOnce_keepsBothBatches() async {
        let inbox = DecoderInbox()
        let (wakes, signal) = AsyncStream.makeStream(of: Void.self)
        async let first: Void = inbox.put(Self.batch(1)) { signal.yield() }
        async let second: Void = inbox.put(Self.batch(2)) { signal.yield() }
        var woken = wakes.makeAsyncIterator()
        for _ in 0..<2 { await woken.next() }
        XCTAssertEqual(Set(inbox.takeAll().map(\.receipt.nanoseconds)), [1, 2])
        _ = await (first, second)
    }

    private static func batch(_ nanoseconds: Int64) -> DecoderInbox.Batch {
        DecoderInbox.Batch(outputs: [], receipt: BootInstant(nanoseconds: nanoseconds))
    }
}
