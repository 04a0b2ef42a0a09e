import DBus
import GatewayCore
import XCTest

@testable import Bluetooth

final class LinkBackOffTests: XCTestCase {
    private let policy = LinkPolicy()
    private let refused = "cannot connect: refused (org.bluez.Error.Failed)"

    private func waits(_ kind: Link.Ending.Kind, _ count: Int) -> [Double] {
        var failures = LinkFailures(policy)
        return (0..<count).map { _ in failures.wait(after: kind, policy: policy) }
    }

    private func assertGrows(_ waits: ArraySlice<Double>, line: UInt = #line) {
        let steps = [1.0, 2, 4, 8, 16, 32, 60, 60, 60]
        for (wait, step) in zip(waits, steps) {
            XCTAssertLessThanOrEqual(wait, step, line: line)
            XCTAssertGreaterThanOrEqual(wait, step * 0.75, line: line)
        }
    }

    func testTransientFailures_areFewUpToNine() {
        let waits = waits(.transient, 18)

        XCTAssertEqual(waits.prefix(9), ArraySlice(repeating: 0.25, count: 9))
        assertGrows(waits.dropFirst(9))
    }

    func testOtherFailures_areFewUpToFour() {
        for kind in [Link.Ending.Kind.failure, .missingService, .refused] {
            let waits = waits(kind, 13)
            XCTAssertEqual(waits.prefix(4), ArraySlice(repeating: 0.25, count: 4))
            assertGrows(waits.dropFirst(4))
        }
    }

    /// The log says it after some failures, then at powers of ten.
    func testFailures_thatRepeat_areReportedWithTheirCount() {
        let driver = LinkDriver()
        var reports: [String] = []
        for _ in 0..<120 {
            _ = driver.seen()
            _ = driver.turn()
            reports += driver.connectAnswered(.failed("refused")).filter { $0.hasPrefix("failed") }
            _ = driver.pass(60)
        }
        XCTAssertEqual(reports, [3, 10, 100].map { "failed \($0) times: \(refused)" })
    }

    func testUnavailable_alwaysWaitsTheSame() {
        XCTAssertEqual(waits(.unavailable, 100), Array(repeating: 4, count: 100))
        XCTAssertEqual(waits(.adapterFull, 100), Array(repeating: 0.25, count: 100))
    }

    func testWaits_areNotTheSameForAll() {
        let many = Set((0..<20).map { _ in waits(.failure, 8).last ?? 0 })

        XCTAssertGreaterThan(many.count, 1, "devices that fail together must not retry together")
    }

    func testReset_forgetsEveryFailure() {
        var failures = LinkFailures(policy)
        for _ in 0..<20 { _ = failures.wait(after: .missingService, policy: policy) }

        failures.reset()

        XCTAssertEqual(failures.missingServices, 0)
        XCTAssertEqual(failures.wait(after: .failure, policy: policy), 0.25)
        for _ in 0..<3 { _ = failures.wait(after: .failure, policy: policy) }
        XCTAssertLessThanOrEqual(failures.wait(after: .failure, policy: policy), 1)
    }

    /// A link that has failed so often that the next wait is one of the long ones.
    private func failingDriver() -> LinkDriver {
        let driver = LinkDriver()
        for _ in 0..<5 {
            _ = driver.seen()
            _ = driver.turn()
            _ = driver.connectAnswered(.failed("refused"))
            _ = driver.pass(60)
        }
        return driver
    }

    private func live(_ driver: LinkDriver, seconds: Double) {
        _ = driver.seen()
        _ = driver.turn(isConnected: true)
        _ = driver.resolved()
        _ = driver.answerAll()
        for _ in 0..<Int(seconds / 5) {
            _ = driver.pass(5)
            _ = driver.notify()
        }
    }

    private func nextWait(_ driver: LinkDriver) -> Double? {
        _ = driver.seen()
        _ = driver.turn()
        _ = driver.connectAnswered(.failed("refused"))
        return driver.wait
    }

    func testFailures_afterAMinuteLive_areForgotten() {
        let ends: [(LinkDriver) -> [String]] = [
            { $0.connected(false) }, { $0.interrupt("adapter is powered off") },
            { $0.deviceRemoved() },
        ]
        for end in ends {
            let driver = failingDriver()
            live(driver, seconds: 60)
            _ = end(driver)
            XCTAssertEqual(nextWait(driver), 0.25)
        }
    }

    func testFailures_afterLessThanAMinuteLive_areRemembered() {
        let driver = failingDriver()
        live(driver, seconds: 55)
        _ = driver.connected(false)

        XCTAssertGreaterThanOrEqual(nextWait(driver) ?? 0, 1.5)
    }

    func testSilence_afterAMinuteLive_isTheFirstFailure() {
        let driver = failingDriver()
        live(driver, seconds: 60)
        _ = driver.pass(10)
        _ = driver.refuse(.timedOut)
        _ = driver.disconnectAnswered()

        XCTAssertEqual(driver.wait, 0.25)
    }

    func testSeen_endsALongWait() {
        let driver = failingDriver()
        _ = nextWait(driver)
        _ = driver.pass(1)
        XCTAssertGreaterThan(driver.wait ?? 0, 0.1)

        XCTAssertEqual(driver.seen(), [])

        XCTAssertEqual(driver.wait, 0)
        XCTAssertEqual(driver.pass(0), ["wanted: \(refused)"])
        XCTAssertTrue(driver.link.isReadyToConnect)
    }

    func testSeen_endsALongWaitNotSoonerThanASecondAfterTheLastAttempt() {
        let driver = failingDriver()
        _ = nextWait(driver)
        _ = driver.pass(0.4)

        _ = driver.seen()

        XCTAssertEqual(driver.wait ?? 0, 0.6, accuracy: 0.001)
        _ = driver.seen()
        XCTAssertEqual(driver.wait ?? 0, 0.6, accuracy: 0.001)
    }

    func testSeen_doesNotMakeAShortWaitLonger() {
        let driver = LinkDriver.at(.backOff)

        _ = driver.seen()

        XCTAssertEqual(driver.wait, 0.25)
        XCTAssertEqual(driver.pass(0.25), ["wanted: \(refused)"])
        XCTAssertTrue(driver.link.isReadyToConnect)
    }

    /// A device object that comes and goes must not make attempts more frequent.
    func testSeen_rightAfterAnAttemptThatWasLost_waitsForTheSecondToPass() {
        let driver = LinkDriver.at(.connecting)
        _ = driver.pass(0.3)
        _ = driver.interrupt("adapter is powered off")

        XCTAssertEqual(driver.seen(), [])

        XCTAssertFalse(driver.link.isReadyToConnect)
        XCTAssertEqual(driver.wait ?? 0, 0.7, accuracy: 0.001)
        XCTAssertEqual(driver.pass(0.7), ["wanted: not seen yet"])
        XCTAssertTrue(driver.link.isReadyToConnect)
    }

    func testWait_whenNotSeen_leadsBackToTheSearch() {
        let driver = LinkDriver.at(.backOff)

        XCTAssertEqual(driver.pass(0.25), ["wanted: \(refused)"])

        XCTAssertFalse(driver.link.isReadyToConnect)
        XCTAssertNil(driver.wait)
    }
}
