import GatewayTesting
import Glibc
import XCTest

/// The service `alerts` of a running gateway, with a simulated strap whose battery gets empty.
final class AlertsRunTests: XCTestCase {
    func testEmptyBattery_isInTheLog_andTheProgramGetsIt() async throws {
        let home = try Home()
        try home.configure(
            """
            { sources: { sim: { use: "simulator", devices: { heartRateStrap: 1 },
                                faults: { batteryEmpty: { at: ["1s"], for: "5m" } } } },
              services: { alerts: { use: "alerts", every: "1s",
                  command: ["/bin/sh", "-c", "cat > alert.tmp && mv alert.tmp alert.json"] } } }
            """)
        let check = try await home.run("check")
        XCTAssertEqual(check.ending, .exited(0), check.error)
        let gateway = try home.start("run")
        try await gateway.waitForLines(
            with: "alerts: alert: the battery of Simulated Strap (simulated-strap) is at 0 %",
            on: .error)
        let path = "\(home.dataDirectory)/alert.json"
        var looks = 0
        while access(path, F_OK) != 0, looks < 200 {
            await gateway.letRun(seconds: 0.1)
            looks += 1
        }
        let status = try await home.run("status", "--json")
        XCTAssertTrue(
            status.output.contains(#""services":[{"name":"alerts","healthy":true"#), status.output)
        await gateway.send(SIGTERM)
        let ending = try await gateway.waitForEnd(within: 10)
        XCTAssertEqual(ending, .exited(0))
        let line = try String(contentsOfFile: path, encoding: .utf8)
        XCTAssertEqual(
            line,
            #"{"id":"battery-low:simulated-strap","kind":"battery-low","subject":"simulated-strap","#
                + #""state":"raised","message":"the battery of Simulated Strap (simulated-strap) "#
                + #"is at 0 %"}"# + "\n")
    }
}
