import DBus
import GatewayCore
import GatewayTesting
import XCTest

@testable import Advertisements
@testable import Bluetooth

final class ScanMachineTests: XCTestCase {
    private func makeDriver(adapters: Int = 1) -> MachineDriver<ScanMachine> {
        let driver = MachineDriver(ScanMachine())
        for number in 0..<adapters { driver.feed { $0.addAdapter(number) } }
        driver.start()
        driver.clear()
        return driver
    }

    private func outputWords(_ driver: MachineDriver<ScanMachine>) -> [String] {
        driver.removeOutputs().map(\.words)
    }

    private func setStrength(
        _ driver: MachineDriver<ScanMachine>, _ number: UInt8, on adapter: Int, _ strength: Int16?
    ) {
        driver.feed {
            $0.set(
                Daemon.device(number, on: adapter), BlueZName.device,
                strength.map { ["RSSI": .int16($0)] } ?? [:], gone: strength == nil ? ["RSSI"] : [])
        }
    }

    func testStart_looksWithEveryAdapterForBothKindsAndReportsWhatIsThere() throws {
        let driver = MachineDriver(ScanMachine())
        driver.adaptersAnswer = false
        for number in 0..<2 { driver.feed { $0.addAdapter(number) } }
        driver.feed { $0.addDevice(2, strength: -60) }
        driver.feed { $0.addDevice(1) }

        driver.start()

        XCTAssertEqual(
            driver.takeAdapterCalls(), ["SetDiscoveryFilter hci0", "SetDiscoveryFilter hci1"])
        XCTAssertEqual(outputWords(driver), ["found 01 - hci0", "found 02 -60 hci0"])
        XCTAssertEqual(
            try XCTUnwrap(driver.open.first).call.body,
            [
                .properties([
                    "Transport": .string("auto"), "DuplicateData": .boolean(false),
                    "RSSI": .int16(-127),
                ])
            ])
    }

    func testChange_isReportedWhenItShows() {
        let driver = makeDriver()
        driver.feed { $0.addDevice(1, strength: -60) }
        XCTAssertEqual(outputWords(driver), ["found 01 -60 hci0"])

        setStrength(driver, 1, on: 0, -60)
        driver.feed { $0.set(Daemon.device(1), BlueZName.device, ["Trusted": .boolean(true)]) }
        XCTAssertEqual(outputWords(driver), [])

        setStrength(driver, 1, on: 0, -61)
        XCTAssertEqual(outputWords(driver), ["found 01 -61 hci0"])
        setStrength(driver, 1, on: 0, nil)
        XCTAssertEqual(outputWords(driver), ["found 01 - hci0"])
    }

    func testTwoAdapters_showTheOneThatReceivesBest() {
        let driver = makeDriver(adapters: 2)
        driver.feed { $0.addDevice(1, on: 0, strength: -60) }
        driver.feed { $0.addDevice(1, on: 1, strength: -80) }
        XCTAssertEqual(outputWords(driver), ["found 01 -60 hci0"])

        setStrength(driver, 1, on: 1, -50)
        XCTAssertEqual(outputWords(driver), ["found 01 -50 hci1"])
        setStrength(driver, 1, on: 1, nil)
        XCTAssertEqual(outputWords(driver), ["found 01 -60 hci0"])
    }

    func testRemoved_fromOneOfTwoAdapters_isStillThere() {
        let driver = makeDriver(adapters: 2)
        driver.feed { $0.addDevice(1, on: 0, strength: -60) }
        driver.feed { $0.addDevice(1, on: 1, strength: -50) }
        driver.clear()

        driver.feed { $0.remove(Daemon.device(1, on: 1), BlueZName.device) }
        XCTAssertEqual(outputWords(driver), ["found 01 -60 hci0"])
        driver.feed { $0.remove(Daemon.device(1, on: 0), BlueZName.device) }
        XCTAssertEqual(outputWords(driver), ["lost 01"])
        driver.feed { $0.remove(Daemon.device(1, on: 0), BlueZName.device) }
        XCTAssertEqual(outputWords(driver), [])
    }

    func testAddress_whenItChanges_isAnotherDevice() {
        let driver = makeDriver()
        driver.feed { $0.addDevice(1, strength: -60) }
        driver.clear()

        driver.feed {
            $0.set(
                Daemon.device(1), BlueZName.device,
                ["Address": .string("\(BluetoothAddress.ending(2))")])
        }

        XCTAssertEqual(outputWords(driver), ["lost 01", "found 02 -60 hci0"])
    }

    func testProblems_areReportedAndCleared() {
        let driver = makeDriver()
        driver.feed {
            $0.set(Daemon.adapter(0), BlueZName.adapter, ["Powered": .boolean(false)])
        }
        XCTAssertEqual(outputWords(driver), ["problem: Bluetooth adapter hci0 is powered off"])
        driver.feed { $0.set(Daemon.adapter(0), BlueZName.adapter, ["Powered": .boolean(true)]) }
        XCTAssertEqual(outputWords(driver), ["no problem"])
        driver.feed { $0.remove(Daemon.adapter(0), BlueZName.adapter) }
        XCTAssertEqual(outputWords(driver), ["problem: no Bluetooth adapter found"])
    }

    func testDaemonLost_losesEverythingUntilItIsBack() {
        let driver = makeDriver()
        driver.feed { $0.addDevice(2, strength: -60) }
        driver.feed { $0.addDevice(1, strength: -60) }
        driver.clear()

        driver.loseDaemon()
        XCTAssertEqual(
            outputWords(driver), ["problem: bluetoothd is not running", "lost 01", "lost 02"])

        driver.feed { $0.addAdapter(0) }
        driver.feed { $0.addDevice(1, strength: -70) }
        driver.start()
        XCTAssertEqual(outputWords(driver), ["no problem", "found 01 -70 hci0"])
        XCTAssertEqual(
            driver.takeAdapterCalls(), ["SetDiscoveryFilter hci0", "StartDiscovery hci0"])
    }

    func testStop_endsTheSearchAndStartsNone() {
        let driver = makeDriver()
        driver.feed { $0.addDevice(1, strength: -60) }
        driver.clear()

        driver.handle(.stop)

        XCTAssertEqual(driver.takeAdapterCalls(), ["StopDiscovery hci0"])
        setStrength(driver, 1, on: 0, nil)
        driver.pass(200)
        XCTAssertEqual(outputWords(driver), [])
        XCTAssertEqual(driver.takeAdapterCalls(), [])
    }

    /// A room full of phones: a change of one must not cost a check of all.
    func testManyDevices_costNoMoreThanTheirChanges() {
        let driver = makeDriver()
        let paths = (0..<2_000).map { "/org/bluez/hci0/dev_\($0)" }
        for (number, path) in paths.enumerated() {
            let (high, low) = (String(number / 256, radix: 16), String(number % 256, radix: 16))
            let address = "C0:00:00:00:0\(high):\(low.count < 2 ? "0" : "")\(low)"
            driver.feed {
                $0.add(
                    path, BlueZName.device,
                    ["Address": .string(address), "Adapter": .objectPath(Daemon.adapter(0))])
            }
        }
        let start = ContinuousClock.now
        for strength in Int16(-80)...(-76) {
            for path in paths {
                driver.feed { $0.set(path, BlueZName.device, ["RSSI": .int16(strength)]) }
            }
        }
        for path in paths { driver.feed { $0.remove(path, BlueZName.device) } }

        // Looking at all of them for each takes minutes.
        XCTAssertLessThan(ContinuousClock.now - start, .seconds(10))
        XCTAssertEqual(outputWords(driver).filter { $0.hasPrefix("lost") }.count, 2_000)
    }

    func testRandomSignals_neverTrapAndWhatIsLostWasFound() {
        for seed in 1...UInt64(40 * FuzzFactor.current) {
            let driver = MachineDriver(ScanMachine())
            var random = RandomBus(seed: seed)
            var shown: Set<BluetoothAddress> = []
            driver.feed { RandomBus.fill(&$0) }
            driver.start()
            for _ in 0..<200 {
                driver.shake(&random)
                for output in driver.removeOutputs() {
                    switch output {
                    case .found(let device): shown.insert(device.address)
                    case .lost(let address):
                        XCTAssertNotNil(shown.remove(address), "seed \(seed)")
                    case .problem: break
                    }
                }
                XCTAssertEqual(
                    shown, Set(driver.daemon.tree.devices.map(\.address)), "seed \(seed)")
            }
        }
    }
}
