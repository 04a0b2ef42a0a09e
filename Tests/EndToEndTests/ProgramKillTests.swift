import Foundation
import GatewayCore
import GatewayTesting
import Glibc
import HealthModel
import Platform
import XCTest

/// Every line of a program that was acknowledged is stored once, whoever is killed with `kill -9`.
final class ProgramKillTests: XCTestCase {
    private static let kills = 50
    /// The longest run before a kill, in seconds.
    private static let longestRun = 0.3

    /// Sends numbered lines, readings with and without a time and records, until each is acknowledged.
    ///
    /// It has the numbers that were acknowledged in a file, and begins after them when it starts.
    private static let program = """
        import datetime, json, os, select, sys
        folder = sys.argv[1]
        with open(folder + "/pid", "w") as file: file.write(str(os.getpid()))
        acked = open(folder + "/acked", "a+")
        acked.seek(0)
        done = [int(line) for line in acked.read().split("\\n")[:-1] if line]
        last = max(done, default=0)
        sent = last
        waiting = b""
        def line(number):
            value = 60 + number / 1000
            kind = number % 3
            time = datetime.datetime.fromtimestamp(float(sys.argv[2]) + number, datetime.timezone.utc).isoformat()
            text = {"seq": number, "session": "s", "type": "heartRate", "value": value, "unit": "count/min"}
            if kind < 2: text["reading"] = "instant"
            if kind == 1: text["time"] = time
            if kind == 2: text["start"] = text["end"] = time
            return (json.dumps(text) + "\\n").encode()
        while True:
            while sent < last + 100:
                sent += 1
                os.write(1, line(sent))
            select.select([0], [], [])
            data = os.read(0, 65536)
            if not data: break
            lines = (waiting + data).split(b"\\n")
            waiting = lines.pop()
            for answer in map(json.loads, lines):
                if "ack" not in answer: raise SystemExit(answer)
                last = answer["ack"]
                acked.write(f"{last}\\n")
            acked.flush()
        """

    func testEveryAcknowledgedLine_isStoredOnce_whoeverIsKilled() async throws {
        let home = try Home()
        try home.folder.write(Array(Self.program.utf8), to: "program.py")
        try home.configure(
            """
            { sources: { own: { use: "exec",
                command: ["python3", "\(home.folder.path("program.py"))", "\(home.folder.path)",
                    "\(Date.now.timeIntervalSince1970.rounded() - 1_000_000)"] } },
              sinks: { store: "sqlite" } }
            """)
        let seed = UInt64.random(in: 0...UInt64.max)
        print("kill -9, \(Self.kills) times, with seed \(seed)")
        var random = SeededGenerator(seed: seed)
        var gateway = try home.start("run")
        for _ in 0..<Self.kills {
            await gateway.letRun(seconds: Double.random(in: 0...Self.longestRun, using: &random))
            if Bool.random(using: &random) {
                if let program = pid_t(text("pid", in: home)) { kill(program, SIGKILL) }
            } else {
                await gateway.send(SIGKILL)
                _ = try await gateway.waitForEnd()
                gateway = try home.start("run")
            }
        }
        let before = acknowledged(in: home).count
        let clock = SystemClock()
        let end = clock.now().adding(seconds: 30)
        while acknowledged(in: home).count < before + 1_000, clock.now() < end {
            await gateway.letRun(seconds: 0.1)
        }
        await gateway.send(SIGTERM)
        let ending = try await gateway.waitForEnd()
        XCTAssertEqual(ending, .exited(0), "seed \(seed)")
        let numbers = try await home.samples(of: .heartRate).map {
            Int((($0.quantity.value - 60) * 1000).rounded())
        }
        let acked = acknowledged(in: home)
        XCTAssertGreaterThanOrEqual(acked.count, before + 1_000, "seed \(seed)")
        XCTAssertEqual(numbers.count, Set(numbers).count, "seed \(seed): stored twice")
        XCTAssertEqual(acked.subtracting(numbers), [], "seed \(seed): acknowledged, not stored")
        XCTAssertEqual(try home.ledger().imbalances, [])
        print("\(acked.count) lines acknowledged, \(numbers.count) stored")
    }

    private func text(_ name: String, in home: Home) -> String {
        (try? String(contentsOfFile: home.folder.path(name), encoding: .utf8)) ?? ""
    }

    private func acknowledged(in home: Home) -> Set<Int> {
        Set(text("acked", in: home).split(separator: "\n").compactMap { Int($0) })
    }
}
