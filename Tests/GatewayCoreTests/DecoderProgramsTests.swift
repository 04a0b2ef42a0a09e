import Platform
import Readings
import Synchronization
import XCTest

@testable import GatewayCore

/// Tests of the programs that decode for the links of a source.
final class DecoderProgramsTests: XCTestCase {
    private final class FakeProgram: DecoderProgram {
        let inputs = Mutex<[DecoderInput]>([])
        let unreadCount: Int

        init(unreadCount: Int = 0) {
            self.unreadCount = unreadCount
        }

        func run(
            delivering deliver: @escaping @Sendable ([DecoderOutput], BootInstant) async -> Void
        ) async {
            await deliver([.line([1])], BootInstant(nanoseconds: 1))
            let (wait, _) = AsyncStream.makeStream(of: Void.self)
            for await _ in wait {}
        }

        func send(_ input: DecoderInput) -> Bool {
            inputs.withLock { $0.append(input) }
            return true
        }
    }

    private let moment = BootInstant(nanoseconds: 5)

    private func key(_ device: String) -> DecoderPrograms.Key {
        DecoderPrograms.Key(device: device, channel: .program)
    }

    func testEnd_returnsWhatTheProgramsOfTheDeviceHaveNotRead() {
        let programs = DecoderPrograms()
        let program = FakeProgram(unreadCount: 3)
        programs.start(program, for: key("a"), at: moment)
        programs.start(FakeProgram(unreadCount: 9), for: key("b"), at: moment)
        XCTAssertEqual(programs.end(device: "a", at: moment), 3)
        XCTAssertEqual(programs.end(device: "a", at: moment), 0)
        let kinds = program.inputs.withLock { $0 }
        XCTAssertEqual(
            kinds,
            [.event(AdapterEvent(.opened, at: moment)), .event(AdapterEvent(.closed, at: moment))])
        XCTAssertFalse(programs.send(.rejected(reason: "late"), to: key("a")))
    }

    func testRun_deliversLines_andEndsOnlyTheProgramOfTheClosedLink() async {
        let programs = DecoderPrograms()
        let (lines, signal) = AsyncStream.makeStream(of: String.self)
        let running = Task {
            await programs.run { key, _, _ in signal.yield(key.device) }
        }
        var received = lines.makeAsyncIterator()
        programs.start(FakeProgram(), for: key("a"), at: moment)
        let first = await received.next()
        XCTAssertEqual(first, "a")
        _ = programs.end(device: "a", at: moment)
        programs.start(FakeProgram(), for: key("b"), at: moment)
        let second = await received.next()
        XCTAssertEqual(second, "b")
        running.cancel()
        await running.value
    }
}
