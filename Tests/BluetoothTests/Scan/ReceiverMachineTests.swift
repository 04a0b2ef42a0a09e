import DBus
import GatewayCore
import Platform
import XCTest

@testable import Advertisements
@testable import Bluetooth

final class ReceiverMachineTests: XCTestCase {
    /// Reports every value with its part; it has room for one device.
    private struct Echo: AdvertisementListener {
        static let deviceLimit = 1

        private var known: Set<BluetoothAddress> = []
        private(set) var excessCount = 0
        /// The value 99 takes the place of a device.
        private(set) var replacedCount = 0
        var wakeTime: BootInstant?

        mutating func received(
            _ advertisement: Advertisement, at now: BootInstant
        ) -> [DeviceReport] {
            let address = advertisement.address
            guard known.contains(address) || known.count < Self.deviceLimit else {
                excessCount = 1
                return []
            }
            known.insert(address)
            if advertisement.value == [99] { replacedCount += 1 }
            wakeTime = now.adding(seconds: 30)
            return [report("\(advertisement.part) \(advertisement.value)", of: address)]
        }

        mutating func wake(at now: BootInstant) -> [DeviceReport] {
            wakeTime = nil
            return known.map { report("silent", of: $0) }
        }

        mutating func interrupt(_ reason: String, at now: BootInstant) -> [DeviceReport] {
            known.map { report(reason, of: $0) }
        }

        mutating func resume(at now: BootInstant) -> [DeviceReport] {
            known.map { report("resumed", of: $0) }
        }

        private func report(_ text: String, of address: BluetoothAddress) -> DeviceReport {
            DeviceReport(device: "\(address)", .link(.wanted, reason: text))
        }
    }

    private typealias Machine = ReceiverMachine<Echo>

    private func makeDriver(
        _ selection: BluetoothSelection = BluetoothSelection(devices: .any), adapters: Int = 1
    ) -> MachineDriver<Machine> {
        let machine = Machine(
            Echo(), selection: selection,
            parts: [.manufacturerData(0x6B), .serviceData(BluetoothUUID(0xFCD2))])
        let driver = MachineDriver(machine)
        for number in 0..<adapters { driver.feed { $0.addAdapter(number) } }
        driver.start()
        return driver
    }

    private func words(_ driver: MachineDriver<Machine>) -> [String] {
        driver.removeOutputs().map { output in
            switch output {
            case .report(let report): "\(report.device.suffix(2)) \(report.content.words)"
            case .replaced(let count): "replaced \(count)"
            case .problem(let problem): problem.map { "problem \($0.problem)" } ?? "solved"
            case .filterRefused(let adapter, _, let count): "refused \(adapter) \(count)"
            }
        }
    }

    func testReplacedDevices_areReportedAtPowersOfTen() {
        let driver = makeDriver()
        for round in 0..<12 {
            send(99, driver)
            driver.feed {
                $0.set(
                    Daemon.device(1), BlueZName.device, manufacturerData(0x6B, [UInt8(round)]))
            }
        }
        let replaced = words(driver).filter { $0.hasPrefix("replaced") }
        XCTAssertEqual(replaced, ["replaced 1", "replaced 10"])
    }

    private func manufacturerData(_ company: UInt16, _ value: [UInt8]) -> [String: BusValue] {
        [
            "ManufacturerData": .dictionary(
                [.uint16(company): .variant(.bytes(value))], key: "q", value: "v")
        ]
    }

    private func send(
        _ value: UInt8, company: UInt16 = 0x6B, from number: UInt8 = 1, on adapter: Int = 0,
        _ driver: MachineDriver<Machine>
    ) {
        let path = Daemon.device(number, on: adapter)
        if driver.daemon.tree.device(at: path) == nil {
            driver.feed { $0.addDevice(number, on: adapter, strength: -60) }
        }
        driver.feed { $0.set(path, BlueZName.device, manufacturerData(company, [value])) }
    }

    func testStart_scansWithEveryAdapterForRepetitions() throws {
        let driver = makeDriver(adapters: 2)
        XCTAssertEqual(
            driver.takeAdapterCalls().filter { $0.hasPrefix("StartDiscovery") }.sorted(),
            ["StartDiscovery hci0", "StartDiscovery hci1"])
        let silent = MachineDriver(
            Machine(Echo(), selection: BluetoothSelection(devices: .any), parts: []))
        silent.adaptersAnswer = false
        silent.feed { $0.addAdapter(0) }
        silent.start()
        XCTAssertEqual(
            try XCTUnwrap(silent.open.first).call.body,
            [.properties(["Transport": .string("le"), "DuplicateData": .boolean(true)])])
    }

    func testParts_ofTheFormats_areHandedOver_everyTime() {
        let driver = makeDriver()
        send(80, driver)
        send(80, driver)
        send(81, company: 0x4C, driver)
        XCTAssertEqual(
            words(driver),
            ["01 wanted: manufacturer 6b [80]", "01 wanted: manufacturer 6b [80]"])
        driver.feed { $0.set(Daemon.device(1), BlueZName.device, ["RSSI": .int16(-70)]) }
        XCTAssertEqual(words(driver), [])
    }

    func testSelection_isKept() {
        let named = makeDriver(BluetoothSelection(devices: .named([.ending(2)])))
        send(80, named)
        send(81, from: 2, named)
        XCTAssertEqual(words(named), ["02 wanted: manufacturer 6b [81]"])
        let denying = makeDriver(BluetoothSelection(devices: .any, denied: [.ending(1)]))
        send(80, denying)
        XCTAssertEqual(words(denying), [])
        let second = makeDriver(
            BluetoothSelection(devices: .any, adapter: "hci1"), adapters: 2)
        send(80, second)
        send(81, on: 1, second)
        XCTAssertEqual(words(second), ["01 wanted: manufacturer 6b [81]"])
    }

    func testTooManyDevices_areAProblem() {
        let driver = makeDriver()
        send(80, driver)
        _ = words(driver)
        send(81, from: 2, driver)
        let problems = words(driver)
        XCTAssertEqual(problems.count, 1)
        XCTAssertTrue(problems[0].hasPrefix("problem "), problems[0])
        send(82, from: 2, driver)
        XCTAssertEqual(words(driver), [])
    }

    func testMoreObjectsThanAreUsed_areAProblem() {
        let driver = makeDriver()
        driver.feed { daemon in
            for number in 0...ManagedObjects.objectLimit {
                _ = daemon.add("/org/bluez/hci0/dev_\(number)", BlueZName.device, [:])
            }
            return daemon.set(
                Daemon.adapter(0), BlueZName.adapter, ["Alias": .string("another")])
        }
        let problems = words(driver)
        XCTAssertEqual(problems.count, 1)
        XCTAssertTrue(problems.first?.contains("bluetoothd has more objects") == true)
    }

    func testAdapterThatIsOff_endsTheDevices() {
        let driver = makeDriver()
        send(80, driver)
        _ = words(driver)
        driver.feed { $0.set(Daemon.adapter(0), BlueZName.adapter, ["Powered": .boolean(false)]) }
        let off = words(driver)
        XCTAssertEqual(off.count, 2)
        XCTAssertTrue(off[0].hasPrefix("01 wanted: ") && off[1].hasPrefix("problem "), "\(off)")
        driver.feed { $0.set(Daemon.adapter(0), BlueZName.adapter, ["Powered": .boolean(true)]) }
        XCTAssertEqual(words(driver), ["01 wanted: resumed", "solved"])
    }

    func testSilence_isTheListeners_andTheStopEndsTheScan() {
        let driver = makeDriver()
        send(80, driver)
        driver.clear()
        driver.pass(31)
        XCTAssertEqual(words(driver), ["01 wanted: silent"])
        driver.clear()
        driver.handle(.stop)
        XCTAssertEqual(words(driver), ["01 wanted: stopped"])
        XCTAssertEqual(driver.takeAdapterCalls(), ["StopDiscovery hci0"])
        send(81, driver)
        XCTAssertEqual(words(driver), [])
    }

    func testRefusedFilter_isReported_andAShorterOneUsed() {
        let driver = MachineDriver(
            Machine(Echo(), selection: BluetoothSelection(devices: .any), parts: []))
        driver.adaptersAnswer = false
        driver.feed { $0.addAdapter(0) }
        driver.start()
        let refusal = BusError.remote(name: "org.bluez.Error.InvalidArguments", message: "no")
        driver.answer("SetDiscoveryFilter hci0", refusal)
        XCTAssertEqual(words(driver), ["refused hci0 1"])
        XCTAssertEqual(
            driver.open.map(\.call.body), [[.properties(["Transport": .string("le")])]])
        driver.answer("SetDiscoveryFilter hci0", refusal)
        XCTAssertEqual(driver.open.map(\.words), ["StartDiscovery hci0"])
    }
}
