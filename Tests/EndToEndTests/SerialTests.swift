import Foundation
import GatewayCore
import GatewayTesting
import Glibc
import HealthModel
import Readings
import Serial
import XCTest

/// Devices on serial ports, here pseudo-terminals, all the way into the store.
final class SerialTests: XCTestCase {
    func testLines_becomeSamplesOfTheDeviceAndItsPerson() async throws {
        let home = try Home()
        let port = try PseudoTerminal()
        try home.configure(
            """
            { sources: { foot: \(Self.lines(at: port.slavePath)) }, \(Self.sinks),
              people: { ada: {}, bob: {} },
              devices: { "\(port.slavePath)": { person: "bob", name: "Bob's shoe" } } }
            """)
        let gateway = try home.start("run")
        try await gateway.waitForLines(with: "foot: connected", on: .error)
        for line in Self.walk { try port.write(Array("\(line)\r\n".utf8)) }
        try await gateway.waitForLines(2, with: "stepCount", on: .output)
        try await assertEndsWell(gateway, on: SIGTERM)

        let steps = try await home.samples(of: .stepCount)
        XCTAssertEqual(steps.map(\.quantity.value), [7, 8])
        XCTAssertEqual(Set(steps.map(\.quantity.unit.string)), ["count"])
        XCTAssertEqual(Set(steps.map(\.person)), ["bob"])
        XCTAssertEqual(Set(steps.map(\.device?.localIdentifier)), [port.slavePath])
        XCTAssertEqual(Set(steps.map(\.device?.name)), ["Bob's shoe"])
        XCTAssertEqual(Set(steps.map(\.source?.name)), ["foot"])
        let distances = try await home.samples(of: .distanceWalkingRunning)
        XCTAssertEqual(distances.map(\.quantity.value), [4.5, 6])
        XCTAssertEqual(Set(distances.map(\.quantity.unit.string)), ["m"])
        let connections = try await home.events().map(\.state.connection)
        XCTAssertEqual(connections, [.connected, .disconnected])
        let drops = await gateway.lines(of: .error, with: "input discarded").joined()
        XCTAssertTrue(drops.contains("reason=unknown count=1"), drops)
    }

    func testRecordedHxM_isStoredOnceAndWhole() async throws {
        let home = try Home()
        let port = try PseudoTerminal()
        try home.configure(
            """
            { sources: { strap: { use: "serial", port: { path: "\(port.slavePath)" },
              protocol: "hxm" } }, \(Self.sinks) }
            """)
        let gateway = try home.start("run")
        try await gateway.waitForLines(with: "strap: connected", on: .error)
        let stream = try Self.recordedHxM()
        for start in stride(from: 0, to: stream.count, by: 60) {
            try await port.send(Array(stream[start..<min(start + 60, stream.count)]))
        }
        try await gateway.waitForLines(40, with: #""type":"heartRate""#, on: .output)
        try await assertEndsWell(gateway, on: SIGINT)

        let rates = try await home.samples(of: .heartRate)
        XCTAssertEqual(rates.count, 40)
        XCTAssertEqual(Set(rates.map(\.device?.manufacturer)), ["Zephyr"])
        let steps = try await home.samples(of: .stepCount)
        XCTAssertEqual(steps.reduce(0) { $0 + $1.quantity.value }, 8)
        let distances = try await home.samples(of: .distanceWalkingRunning)
        XCTAssertEqual(distances.reduce(0) { $0 + $1.quantity.value }, 8.6875)
        let intervals = try await home.samples(of: .rrInterval)
        XCTAssertEqual(intervals.count, 50)
        XCTAssertEqual(intervals.reduce(0) { $0 + $1.quantity.value }, 39_422)
        XCTAssertEqual(Set(intervals.map(\.quantity.unit.string)), ["ms"])
        let ledger = try home.ledger()
        XCTAssertEqual(ledger.imbalances, [])
        XCTAssertEqual(ledger.ingest[.duplicate], 0)
        XCTAssertEqual(ledger.pending(for: "store"), 0)
    }

    func testPortThatComesAndGoes_isReportedAndTheOtherContinues() async throws {
        let home = try Home()
        let late = try PseudoTerminal()
        let steady = try PseudoTerminal()
        let path = home.folder.path("ttyLate")
        try home.configure(
            """
            { sources: { late: \(Self.lines(at: path)),
              steady: \(Self.lines(at: steady.slavePath)) }, \(Self.sinks) }
            """)
        let gateway = try home.start("run")
        try await gateway.waitForLines(
            with: "late: failed; retrying reason=\"\(path): no such port; plug", on: .error)
        try await assertCounts(steady, gateway, from: 100, total: 2)

        symlink(late.slavePath, path)
        try await gateway.waitForLines(with: "late: connected", on: .error)
        try await assertCounts(late, gateway, from: 500, total: 4)

        late.close()
        try await gateway.waitForLines(with: "unplugged", on: .error)
        try await gateway.waitForLines(with: #""connection":"disconnected""#, on: .output)
        try await assertCounts(steady, gateway, from: 200, total: 7)
        try await assertEndsWell(gateway, on: SIGTERM)

        let missing = await gateway.lines(
            of: .error, with: "warning: late: failed; retrying reason=\"\(path): no such port")
        XCTAssertLessThanOrEqual(missing.count, 2, "\(missing)")
        let unplugged = await gateway.lines(
            of: .error, with: "late: disconnected device=\(path) reason=unplugged")
        XCTAssertEqual(unplugged.count, 1, "\(unplugged)")
        let devices = try await home.samples(of: .stepCount).map(\.device?.localIdentifier)
        XCTAssertEqual(devices.filter { $0 == path }.count, 2)
        XCTAssertEqual(devices.filter { $0 == steady.slavePath }.count, 5)
    }

    func testPortOfSomebodyElse_namesTheGroupToJoin() async throws {
        let nobody = try Home.wordsForNobody()
        let home = try Home()
        let port = try PseudoTerminal()
        // Group tty has the number 5 wherever there is devpts.
        chown(port.slavePath, 0, 5)
        chmod(port.slavePath, 0o660)
        chown(try home.folder.makeFolder("data"), Home.nobody, Home.nobody)
        try home.configure("{ sources: { foot: \(Self.lines(at: port.slavePath)) } }")
        let gateway = try home.start("run", prefix: nobody)
        try await gateway.waitForLines(with: "permission denied", on: .error)
        try await assertEndsWell(gateway, on: SIGTERM)
        let told = await gateway.lines(of: .error, with: "permission denied")
        XCTAssertEqual(told.count, 1, "\(told)")
        XCTAssertTrue(told.joined().contains("sudo usermod -aG tty nobody"), "\(told)")
    }

    func testPortOfAnotherGateway_isBusyAndContinuesLater() async throws {
        let (home, other) = (try Home(), try Home())
        let port = try PseudoTerminal()
        let configuration =
            "{ sources: { foot: \(Self.lines(at: port.slavePath)) }, \(Self.sinks) }"
        try home.configure(configuration)
        try other.configure(configuration)
        let first = try home.start("run")
        try await first.waitForLines(with: "foot: connected", on: .error)
        let second = try other.start("run")
        try await second.waitForLines(with: "another program is using the port", on: .error)
        try await assertEndsWell(first, on: SIGTERM)
        try await second.waitForLines(with: "foot: connected", on: .error)
        try await assertCounts(port, second, from: 0, total: 2)
        try await assertEndsWell(second, on: SIGTERM)
    }

    // MARK: -

    private static let walk = [
        "Steps: 10, Distance: 7.5 meters", "Pedometer v1", "Steps: 17, Distance: 12.0 meters",
        "Steps: 25, Distance: 18.0 meters",
    ]

    private static let sinks = #"sinks: { store: "sqlite", lines: "stdout" }"#

    private static func lines(at path: String) -> String {
        """
        { use: "serial", port: { path: "\(path)" }, protocol: { use: "lines", preset: "steps" } }
        """
    }

    static func recordedHxM() throws -> [UInt8] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let fixture = root.appendingPathComponent("plugins/HxM/Fixtures/hxm-40-packets.dat")
        return Array(try Data(contentsOf: fixture))
    }

    /// Prints three lines, which are two samples after a baseline, or three when there is one already.
    private func assertCounts(
        _ port: PseudoTerminal, _ gateway: RunningCommand, from start: Int, total: Int
    ) async throws {
        for steps in [start, start + 1, start + 3] {
            try port.write(Array("Steps: \(steps)\n".utf8))
        }
        try await gateway.waitForLines(total, with: "stepCount", on: .output)
    }

    private func assertEndsWell(
        _ gateway: RunningCommand, on signal: Int32, file: StaticString = #filePath,
        line: UInt = #line
    ) async throws {
        await gateway.send(signal)
        let ending = try await gateway.waitForEnd(within: 10)
        XCTAssertEqual(ending, .exited(0), file: file, line: line)
    }
}
