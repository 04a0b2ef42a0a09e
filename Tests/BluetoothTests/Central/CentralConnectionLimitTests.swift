import DBus
import GatewayCore
import Platform
import XCTest

@testable import Bluetooth

/// Adapters that can have no more links.
final class CentralConnectionLimitTests: XCTestCase {
    private static let refusal = BusError.failed("le-connection-concurrent-connection-limit")
    private static let full = "seen; the adapter has no free connection"

    private func problem(_ adapters: String, links: Int, waiting: Int) -> String {
        "problem: Bluetooth \(adapters) full with \(links) links; devices that wait: \(waiting)"
    }

    /// A machine with two live straps and a third one that the adapter has refused.
    private func refused(_ numbers: UInt8..., others: Int = 0) -> MachineDriver<CentralMachine> {
        let named = Set(([1, 2, 3] + numbers).map { BluetoothAddress.ending($0) })
        let driver = MachineDriver.central(
            BluetoothSelection(devices: .named(named)), adapters: 1 + others)
        driver.makeLive(1)
        driver.makeLive(2)
        driver.advertise(3)
        driver.clear()
        driver.answer("Connect hci0/03", Self.refusal)
        return driver
    }

    /// The refused strap is seen again and waits.
    private func wait(_ driver: MachineDriver<CentralMachine>) {
        driver.advertise(3)
        driver.pass(1)
        XCTAssertEqual(driver.state(3), .wanted(isSeen: true))
    }

    /// Lets time pass while both straps measure.
    private func pass(_ seconds: Int, _ driver: MachineDriver<CentralMachine>) {
        for _ in 0..<seconds {
            driver.pass(1)
            for number in UInt8(1)...2 { driver.notify(number, [60]) }
        }
    }

    func testRefusal_leavesTheAdapterAlone_andSaysWho() {
        let driver = refused(4)
        wait(driver)
        driver.advertise(4)

        XCTAssertEqual(driver.removeCalls(), [])
        let words = driver.outputWords()
        XCTAssertTrue(words.contains("03 backOff: adapter connection limit reached"), "\(words)")
        XCTAssertTrue(words.contains("03 wanted: \(Self.full)"), "\(words)")
        XCTAssertTrue(words.contains("04 wanted: \(Self.full)"), "\(words)")
        XCTAssertEqual(
            words.filter { $0.hasPrefix("problem") },
            [
                problem("adapter hci0 is", links: 2, waiting: 1),
                problem("adapter hci0 is", links: 2, waiting: 2),
            ])
    }

    func testLinkLost_itsPlaceIsTaken() {
        let driver = refused()
        wait(driver)
        driver.clear()

        driver.setConnected(1, to: false)

        XCTAssertEqual(driver.removeCalls(), ["Connect hci0/03"])
        driver.setConnected(3, to: true)
        XCTAssertTrue(driver.outputWords().contains("no problem"))
    }

    func testLinkOfAnotherProgramLost_isTriedAtOnce() {
        let driver = refused()
        driver.feed { $0.addDevice(9, isConnected: true, services: []) }
        wait(driver)
        XCTAssertEqual(driver.removeCalls(), [])

        driver.setConnected(9, to: false)
        driver.advertise(3, strength: -61)

        XCTAssertEqual(driver.removeCalls(), ["Connect hci0/03"])
    }

    func testPauseOver_isTriedAgain_moreAndMoreSeldom() {
        let driver = refused()
        var attempts: [Double] = []
        let start = driver.now
        for _ in 0..<1_200 {
            pass(1, driver)
            driver.advertise(3)
            for call in driver.removeCalls() {
                XCTAssertEqual(call, "Connect hci0/03")
                attempts.append(driver.now.seconds(since: start))
                driver.answer(call, Self.refusal)
            }
        }

        // 10, 20, 40, 80, 160, 300, 300 s, each with 20 % of jitter.
        XCTAssertTrue((5...9).contains(attempts.count), "\(attempts)")
        XCTAssertTrue((8...14).contains(attempts.first ?? 0), "\(attempts)")
        let problems = driver.outputWords().filter { $0.contains("problem") }
        XCTAssertEqual(problems, [problem("adapter hci0 is", links: 2, waiting: 1)])
    }

    func testAcceptedAgain_theLimitIsForgotten() {
        let driver = refused(4)
        wait(driver)
        driver.advertise(4)
        pass(13, driver)
        // It was never tried, so it is the first.
        XCTAssertEqual(driver.removeCalls(), ["Connect hci0/04"])

        driver.setConnected(4, to: true)
        driver.answer("Connect hci0/04")

        XCTAssertEqual(driver.removeCalls(), ["Connect hci0/03"])
        driver.setConnected(3, to: true)
        XCTAssertEqual(driver.outputWords().last { $0.contains("problem") }, "no problem")
        XCTAssertNil(driver.machine.limits.wakeTime)
    }

    func testFull_anotherAdapterConnects_howeverBadItsSignal() {
        let driver = refused(others: 1)
        driver.advertise(3, on: 1, strength: -95)
        driver.pass(4)

        XCTAssertEqual(driver.removeCalls(), ["Connect hci1/03"])
    }

    func testPowerCycle_forgetsTheLimit() {
        let driver = refused()
        for isPowered in [false, true] {
            driver.feed {
                $0.set(Daemon.adapter(0), BlueZName.adapter, ["Powered": .boolean(isPowered)])
            }
        }
        driver.advertise(3)
        driver.pass(1)

        XCTAssertEqual(driver.removeCalls(), ["Connect hci0/03"])
    }

    func testConfigured_noMoreThanThatConnect_andAdaptersShare() {
        let numbers = UInt8(1)...6
        var policy = LinkPolicy()
        policy.linksPerAdapter = 2
        let driver = MachineDriver.central(
            BluetoothSelection(devices: .named(Set(numbers.map { .ending($0) }))), adapters: 2,
            policy: policy, devices: { _ in [] })
        for number in numbers {
            for adapter in 0...1 { driver.advertise(number, on: adapter) }
        }
        while let call = driver.open.first {
            let adapter = call.words.hasPrefix("Connect hci0") ? 0 : 1
            guard let number = call.words.last?.wholeNumberValue.flatMap(UInt8.init) else { break }
            driver.setConnected(number, on: adapter, to: true)
            if driver.open.contains(where: { $0.words == call.words }) { driver.answer(call.words) }
        }

        XCTAssertEqual(driver.machine.links.linkCount(of: Daemon.adapter(0)), 2)
        XCTAssertEqual(driver.machine.links.linkCount(of: Daemon.adapter(1)), 2)
        XCTAssertEqual(
            driver.outputWords().last { $0.hasPrefix("problem") },
            problem("adapters hci0, hci1 are", links: 4, waiting: 2))
        XCTAssertNil(driver.wakeTime.flatMap { $0 < driver.now ? $0 : nil })
    }

    func testStop_wantsNoTimerForTheLimit() {
        let driver = refused()

        driver.handle(.stop)

        XCTAssertNil(driver.machine.limits.wakeTime)
    }
}
