import DBus
import XCTest

@testable import Bluetooth

final class CentralDiscoveryTests: XCTestCase {
    private let start = ["SetDiscoveryFilter hci0", "StartDiscovery hci0"]

    private func filter(_ selection: BluetoothSelection) -> [String: BusValue]? {
        let driver = MachineDriver(
            CentralMachine(
                selection: selection, profiles: [PulseProfile()], policy: LinkPolicy()))
        driver.adaptersAnswer = false
        driver.feed { $0.addAdapter(0) }
        driver.start()
        return driver.open.first?.call.body.first?.entries
    }

    func testFilter_isLowEnergyAndForAnyTheServices() {
        let common: [String: BusValue] = [
            "Transport": .string("le"), "DuplicateData": .boolean(false),
        ]

        XCTAssertEqual(filter(BluetoothSelection(devices: .named([.ending(1)]))), common)
        XCTAssertEqual(
            filter(BluetoothSelection(devices: .any)),
            common.merging([
                "UUIDs": .array([.string("0000180d-0000-1000-8000-00805f9b34fb")], of: "s")
            ]) { $1 })
    }

    func testSearch_whileOneIsMissing_continuesOnEveryAdapter() {
        let driver = MachineDriver(
            CentralMachine(
                selection: BluetoothSelection(devices: .named([.ending(1)])),
                profiles: [PulseProfile()], policy: LinkPolicy()))
        for number in 0..<2 { driver.feed { $0.addAdapter(number) } }
        driver.feed { $0.addAdapter(2, isPowered: false) }

        driver.start()

        XCTAssertEqual(
            Set(driver.takeAdapterCalls()),
            Set(start + ["SetDiscoveryFilter hci1", "StartDiscovery hci1"]))
    }

    func testSearch_withoutNamedDevices_isNotStarted() {
        let driver = MachineDriver.central()
        driver.pass(1_000)

        XCTAssertEqual(driver.removeCalls(ofAdapters: true), [])
    }

    func testSearch_whenAllAreConnected_ends() {
        let driver = MachineDriver.central(1, 2)
        driver.makeLive(1)
        driver.pass(5)
        XCTAssertEqual(driver.takeAdapterCalls(), [])

        driver.makeLive(2)

        XCTAssertEqual(driver.takeAdapterCalls(), ["StopDiscovery hci0"])
    }

    /// A device that was only seen is removed with the end of discovery, unless it is being connected.
    func testSearch_endsOnlyAfterConnectWasCalled() {
        let driver = MachineDriver.central(1)

        driver.advertise(1)

        XCTAssertEqual(
            driver.removeCalls(ofAdapters: true), ["Connect hci0/01", "StopDiscovery hci0"])
    }

    func testSearch_forAny_neverEnds() {
        let driver = MachineDriver.central(BluetoothSelection(devices: .any))
        driver.makeLive(1)
        driver.pass(5)

        XCTAssertFalse(driver.takeAdapterCalls().contains("StopDiscovery hci0"))
    }

    func testSearch_afterALoss_isStarted() {
        let driver = MachineDriver.central(1)
        driver.makeLive(1)
        driver.pass(5)
        driver.clear()

        driver.setConnected(1, to: false)

        XCTAssertEqual(driver.takeAdapterCalls(), start)
    }

    /// BlueZ does not report a device again in the same session.
    func testSearch_afterALossWhileAnotherIsMissing_isRestarted() {
        let driver = MachineDriver.central(1, 2)
        driver.makeLive(1)
        driver.pass(5)
        driver.clear()

        driver.setConnected(1, to: false)

        XCTAssertEqual(driver.takeAdapterCalls(), ["StopDiscovery hci0"] + start)
    }

    func testSearch_afterManyLosses_isRestartedNotMoreThanOnceASecond() {
        let driver = MachineDriver.central(1, 2, 3)
        driver.makeLive(1)
        driver.makeLive(2)
        driver.pass(5)
        driver.clear()
        for _ in 0..<10 {
            driver.setConnected(1, to: true)
            driver.pass(0.05)
            driver.setConnected(1, to: false)
            driver.pass(0.05)
        }

        XCTAssertLessThanOrEqual(
            driver.takeAdapterCalls().filter { $0.hasPrefix("Start") }.count, 2)
    }

    func testStart_whenAnotherSessionIsThere_isTakenAsOn() {
        let driver = MachineDriver.central(BluetoothSelection(devices: .any), adapters: 0)
        driver.adaptersAnswer = false
        driver.feed { $0.addAdapter(0) }
        driver.answer("SetDiscoveryFilter hci0")
        driver.answer("StartDiscovery hci0", .bluez("InProgress"))
        driver.pass(60)

        XCTAssertEqual(driver.takeAdapterCalls(), start)
    }

    func testStart_whenItIsRefused_isTriedAgainLater() {
        let driver = MachineDriver.central(BluetoothSelection(devices: .any), adapters: 0)
        driver.adaptersAnswer = false
        driver.feed { $0.addAdapter(0) }
        driver.answer("SetDiscoveryFilter hci0")
        driver.answer("StartDiscovery hci0", .bluez("NotReady"))
        driver.clear()
        driver.pass(0.18)
        XCTAssertEqual(driver.takeAdapterCalls(), [])

        driver.pass(0.07)

        XCTAssertEqual(driver.takeAdapterCalls(), ["SetDiscoveryFilter hci0"])
    }

    func testFilterRefusedForEver_isReportedOnceAndDiscoveryStarts() {
        let driver = MachineDriver.central(BluetoothSelection(devices: .any), adapters: 0)
        driver.adaptersAnswer = false
        driver.feed { $0.addAdapter(0) }
        driver.clear()
        let refusal = BusError.bluez("InvalidArguments", "Invalid arguments")

        driver.answer("SetDiscoveryFilter hci0", refusal)
        driver.answer("SetDiscoveryFilter hci0", refusal)
        driver.answer("StartDiscovery hci0")

        XCTAssertEqual(
            driver.takeAdapterCalls(), ["SetDiscoveryFilter hci0", "StartDiscovery hci0"])
        XCTAssertEqual(driver.outputWords(), ["filter refused by hci0: \(refusal), 1"])
    }

    func testStartRefusedForEver_isAProblemOfTheSourceUntilItWorks() {
        let driver = MachineDriver.central(BluetoothSelection(devices: .any), adapters: 0)
        driver.adaptersAnswer = false
        driver.feed { $0.addAdapter(0) }
        driver.clear()
        let refusal = BusError.failed("refused")
        var words: [String] = []
        for _ in 0..<7 {
            driver.answer("SetDiscoveryFilter hci0")
            driver.answer("StartDiscovery hci0", refusal)
            words += driver.outputWords()
            driver.pass(4)
        }
        let problem = "problem: Bluetooth adapter hci0 does not discover devices: \(refusal)"
        XCTAssertEqual(words, ["\(problem), 6 attempts", "\(problem), 7 attempts"])

        driver.answer("SetDiscoveryFilter hci0")
        driver.answer("StartDiscovery hci0")

        XCTAssertEqual(driver.outputWords(), ["no problem"])
    }

    func testStop_whenBlueZIsBusy_isRepeatedAsARound() {
        let driver = MachineDriver.central(1)
        driver.adaptersAnswer = false
        driver.advertise(1)
        driver.clear()

        driver.answer("StopDiscovery hci0", .bluez("InProgress"))
        driver.answer("StartDiscovery hci0")
        driver.answer("StopDiscovery hci0")

        XCTAssertEqual(driver.takeAdapterCalls(), ["StartDiscovery hci0", "StopDiscovery hci0"])
        XCTAssertEqual(driver.open.map(\.words), ["Connect hci0/01"])
    }

    func testSearch_thatFindsNothingForLong_isRestarted() {
        let driver = MachineDriver.central(1)
        driver.clear()
        driver.pass(119)
        XCTAssertEqual(driver.takeAdapterCalls(), [])

        driver.pass(2)

        XCTAssertEqual(driver.takeAdapterCalls(), ["StopDiscovery hci0"] + start)
    }
}
