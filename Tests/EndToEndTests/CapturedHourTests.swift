import Bluetooth
import Capture
import GatewayCore
import GatewayTesting
import HealthModel
import JSON
import Platform
import Readings
import Simulation
import XCTest

/// A capture of a simulated hour with faults, replayed at full speed.
final class CapturedHourTests: XCTestCase {
    private static let seconds = 3_600
    private static let start = BootInstant(nanoseconds: 1_000_000_000_000)

    /// A device of the hour, whose link is lost now and then.
    private struct Link {
        let source: String
        let device: Device
        let adapter: JSONValue
        var isOpen = false
    }

    /// Records an hour of a strap and a pedometer with lost links, silence, damaged and repeated
    /// bytes, and steps of the clock.
    private func record(_ path: String, seed: UInt64) async throws {
        let clock = ManualClock(now: Self.start)
        let recorder = try CaptureRecorder(
            path, version: "1.0.0", earliest: Instant(nanosecondsSince1970: 0), replaces: false,
            isAnonymous: false, calendar: .utc, clock: clock,
            log: Logger(component: "capture") { _ in })
        var random = SeededGenerator(seed: seed)
        var strap = SimulatedStrap(seed: seed)
        var pedometer = SimulatedPedometer(seed: seed)
        var links = [
            Link(
                source: "straps",
                device: Device(name: "Strap", localIdentifier: "D0:11:22:33:44:55"),
                adapter: .object(["profiles": .array([.string("heartRate")])])),
            Link(
                source: "foot", device: Device(name: "Foot", localIdentifier: "/dev/ttyUSB0"),
                adapter: .object([
                    "protocol": .object(["use": .string("lines"), "preset": .string("steps")])
                ])),
        ]
        for second in 1...Self.seconds {
            clock.advance(seconds: 1)
            if random.once(in: 400) { clock.stepWallClock(seconds: random.once(in: 2) ? 30 : -90) }
            let now = clock.now()
            for index in links.indices {
                let link = links[index]
                let identifier = link.device.localIdentifier ?? ""
                func report(_ content: DeviceReport.Content) async {
                    await recorder.record(
                        DeviceReport(device: identifier, content), from: link.source)
                }
                if !link.isOpen {
                    await report(.traffic(.adapter(link.adapter)))
                    await report(.opened(link.device, at: now))
                    links[index].isOpen = true
                }
                var bytes: [UInt8]
                let channel: Channel
                if index == 0 {
                    let notification = strap.nextNotification()
                    (bytes, channel) = (notification.value, Channel(notification.characteristic))
                } else {
                    (bytes, channel) = (Array("\(pedometer.nextLine())\r\n".utf8), .stream)
                }
                if random.once(in: 50) { random.mutate(&bytes, words: [[0xFF], [0]]) }
                for _ in 0...(random.once(in: 60) ? 1 : 0) {
                    await report(.traffic(.received(bytes, on: channel, at: now)))
                }
                if random.once(in: 150) { await report(.stale(at: now, reason: "silent")) }
                if second == Self.seconds || random.once(in: 200) {
                    await report(.closed(at: now, reason: "link lost"))
                    links[index].isOpen = false
                }
                if random.once(in: 1_000) {
                    await report(.forgotten)
                    links[index].isOpen = false
                }
            }
        }
        let failure = await recorder.failure
        XCTAssertNil(failure)
    }

    func testTwoReplays_areIdentical() async throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("captured hour with seed \(seed)")
        let home = try Home()
        let path = home.folder.path("hour.capture")
        try await record(path, seed: seed)
        let first = try await home.run("replay", path, "--speed", "max")
        let second = try await home.run("replay", path, "--speed", "max")
        XCTAssertEqual(first.ending, .exited(0), "seed \(seed): \(first.error)")
        XCTAssertTrue(first.output == second.output, "seed \(seed): the replays differ")
        let lines = first.output.split(separator: "\n")
        XCTAssertGreaterThan(lines.count, 5_000, "seed \(seed)")
        // An id may occur only once, also after a step back of the clock.
        let ids = Set(lines.map(id))
        XCTAssertEqual(ids.count, lines.count, "seed \(seed)")
        let published = first.error.split(separator: "\n").contains {
            $0.contains("ledger") && $0.contains("published=\(lines.count)")
        }
        XCTAssertTrue(published, "seed \(seed): \(first.error.suffix(500))")
    }

    private func id(of line: Substring) -> Substring {
        let parts = line.split(
            separator: "\"id\":\"", maxSplits: 1, omittingEmptySubsequences: false)
        return parts.count > 1 ? parts[1].prefix(36) : ""
    }
}
