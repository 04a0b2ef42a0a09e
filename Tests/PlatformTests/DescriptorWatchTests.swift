import GatewayCore
import Glibc
import XCTest

@testable import Platform

final class DescriptorWatchTests: XCTestCase {
    /// One end of a socket pair; closed with the last reference.
    private final class End: WatchedDescriptor {
        enum Failure: Error, Equatable {
            case notOpen
            case refused(operation: String, code: Int32)
        }

        let number: Int32
        let notOpen = Failure.notOpen

        init(_ number: Int32) {
            self.number = number
        }

        deinit {
            Glibc.close(number)
        }

        func failure(of operation: String, code: Int32) -> Failure {
            .refused(operation: operation, code: code)
        }

        static func makePair() -> (End, End) {
            var numbers: [Int32] = [-1, -1]
            XCTAssertEqual(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &numbers), 0)
            return (End(numbers[0]), End(numbers[1]))
        }
    }

    private let poller = DescriptorPoller()

    func testWait_returnsWhenThereIsSomethingToRead_eachTime() async throws {
        let (left, right) = End.makePair()
        let readable = try poller.watch(left, .readable)
        for byte in UInt8(0)..<100 {
            async let waiting: Void = readable.wait()
            XCTAssertEqual(withUnsafeBytes(of: byte) { write(right.number, $0.baseAddress, 1) }, 1)
            try await waiting
            var read: UInt8 = 0
            XCTAssertEqual(Glibc.read(left.number, &read, 1), 1)
            XCTAssertEqual(read, byte)
        }
    }

    func testWait_forHangUp_isNotEndedByHalfAClose() async throws {
        let (left, right) = End.makePair()
        let hungUp = try poller.watch(left, .hungUp)
        let readable = try poller.watch(End(dup(left.number)), .readable)
        shutdown(right.number, Int32(SHUT_WR))
        // That is reported immediately.
        try await readable.wait()
        let clock = SystemClock()
        let isOver = try await hungUp.wait(
            until: clock.now().adding(nanoseconds: 20_000_000), on: clock)
        XCTAssertFalse(isOver)
        async let waiting: Void = hungUp.wait()
        shutdown(right.number, Int32(SHUT_RDWR))
        shutdown(left.number, Int32(SHUT_WR))
        try await waiting
    }

    func testClose_endsEveryWaitWithTheOwnersError() async throws {
        let (left, right) = End.makePair()
        let readable = try poller.watch(left, .readable)
        let waits = (0..<3).map { _ in Task { try await readable.wait() } }
        readable.close()
        readable.close()
        // Some waits started before, some start now.
        for wait in waits {
            let result = await wait.result
            XCTAssertThrowsError(try result.get()) { error in
                XCTAssertEqual(error as? End.Failure, .notOpen)
            }
        }
        withExtendedLifetime(right) {}
    }

    func testWatch_ofAClosedDescriptor_failsWithTheOwnersError() throws {
        XCTAssertThrowsError(try poller.watch(End(-1), .readable)) { error in
            XCTAssertEqual(
                error as? End.Failure, .refused(operation: "epoll_ctl", code: EBADF))
        }
    }

    func testWait_whenTheTaskIsCancelled_ends() async throws {
        let (left, right) = End.makePair()
        let readable = try poller.watch(left, .readable)
        let wait = Task { try await readable.wait() }
        wait.cancel()
        let result = await wait.result
        XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError) }
        withExtendedLifetime(right) {}
    }
}
