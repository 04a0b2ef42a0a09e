import Glibc
import Platform
import XCTest

@testable import DBus

final class PacketWatchTests: XCTestCase {
    /// An actor that watches one end of a socket.
    private actor Watcher {
        enum Event: Hashable, Sendable {
            case packet([UInt8])
            case end
        }

        private let loop: BusLoop
        private let pool: TaskPool
        private var watch: PacketWatch?
        nonisolated let events: AsyncStream<Event>
        private let signal: AsyncStream<Event>.Continuation

        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

        init() throws {
            let poller = DescriptorPoller()
            pool = TaskPool(name: "pool", count: 3, serving: poller)
            loop = try BusLoop(label: "watcher", servedBy: poller)
            (events, signal) = AsyncStream.makeStream()
        }

        func start(_ descriptor: BusDescriptor) {
            watch = PacketWatch(descriptor, on: loop) { [signal] in
                signal.yield(.packet($0))
            } ended: { [signal] in
                signal.yield(.end)
            }
        }

        func stop() { watch = nil }

        /// Starts, and receives what waits at once.
        func drain(_ descriptor: BusDescriptor) {
            start(descriptor)
            watch?.drain()
            signal.yield(.packet([0xFF]))
        }
    }

    private func makeSocket() throws -> (BusDescriptor, Int32) {
        var ends: [Int32] = [-1, -1]
        XCTAssertEqual(socketpair(AF_LOCAL, Int32(SOCK_SEQPACKET.rawValue), 0, &ends), 0)
        return (BusDescriptor(owning: ends[0]), ends[1])
    }

    func testPackets_keepTheirBordersAndOrder_untilTheEnd() async throws {
        let (socket, other) = try makeSocket()
        let watcher = try Watcher()
        // Some wait before anybody looks; an empty packet is not the end.
        let sent: [[UInt8]] = [[1], [2, 3], [], Array(repeating: 4, count: 600)]
        for packet in sent { XCTAssertEqual(send(other, packet, packet.count, 0), packet.count) }
        await watcher.start(socket)
        var events = watcher.events.makeAsyncIterator()
        for packet in sent {
            let event = await events.next(isolation: nil)
            XCTAssertEqual(event, .packet(packet))
        }
        for number in 0..<200 as Range<UInt8> {
            XCTAssertEqual(send(other, [number], 1, 0), 1)
            let event = await events.next(isolation: nil)
            XCTAssertEqual(event, .packet([number]))
        }
        _ = send(other, [9], 1, 0)
        close(other)
        let last = [await events.next(isolation: nil), await events.next(isolation: nil)]
        XCTAssertEqual(last, [.packet([9]), .end])
    }

    func testDrain_receivesAllThatWaits_beforeItReturns() async throws {
        let (socket, other) = try makeSocket()
        for number in 0..<100 as Range<UInt8> { XCTAssertEqual(send(other, [number], 1, 0), 1) }
        close(other)
        let watcher = try Watcher()
        await watcher.drain(socket)
        var events = watcher.events.makeAsyncIterator()
        for number in 0..<100 as Range<UInt8> {
            let event = await events.next(isolation: nil)
            XCTAssertEqual(event, .packet([number]))
        }
        let last = [await events.next(isolation: nil), await events.next(isolation: nil)]
        XCTAssertEqual(last, [.end, .packet([0xFF])])
    }

    func testEndOfSending_isTheEnd_andAnEmptyPacketBeforeTheLastIsNot() async throws {
        let (socket, other) = try makeSocket()
        defer { close(other) }
        XCTAssertEqual(send(other, [UInt8](), 0, 0), 0)
        XCTAssertEqual(send(other, [9], 1, 0), 1)
        XCTAssertEqual(shutdown(other, Int32(SHUT_WR)), 0)
        let watcher = try Watcher()
        await watcher.start(socket)
        var events = watcher.events.makeAsyncIterator()
        for expected in [Watcher.Event.packet([]), .packet([9]), .end] {
            let event = await events.next(isolation: nil)
            XCTAssertEqual(event, expected)
        }
    }

    func testRelease_closesTheSocket() async throws {
        let watcher = try Watcher()
        var (socket, other): (BusDescriptor?, Int32) = try makeSocket()
        defer { close(other) }
        if let open = socket { await watcher.start(open) }
        socket = nil
        await watcher.stop()
        // The other end is told when the last descriptor of this one is closed.
        var polled = pollfd(fd: other, events: 0, revents: 0)
        XCTAssertEqual(poll(&polled, 1, 10_000), 1)
        XCTAssertNotEqual(polled.revents & Int16(POLLHUP), 0)
    }
}
