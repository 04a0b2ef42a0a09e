import DBus
import GatewayCore
import XCTest

@testable import Bluetooth
@testable import BluetoothSetup

/// The machine of `inspect`, with a bluetoothd that a test plays.
class InspectMachineTestCase: XCTestCase {
    let address = BluetoothAddress.ending(1)
    let service = "\(Daemon.device(1))/service180d"

    func makeDriver(adapters: Int = 1) -> MachineDriver<InspectMachine> {
        let driver = MachineDriver(InspectMachine(address: .ending(1), policy: LinkPolicy()))
        for number in 0..<adapters { driver.feed { $0.addAdapter(number) } }
        driver.start()
        return driver
    }

    func outputWords(_ driver: MachineDriver<InspectMachine>) -> [String] {
        driver.removeOutputs().map(\.words)
    }

    func set(
        _ driver: MachineDriver<InspectMachine>, _ properties: [String: BusValue]
    ) {
        driver.feed { $0.set(Daemon.device(1), BlueZName.device, properties) }
    }

    /// A driver whose device is connected with resolved services.
    func connected(resolves: Bool = true) -> MachineDriver<InspectMachine> {
        let driver = makeDriver()
        driver.feed { $0.addDevice(1, strength: -60) }
        driver.answer("Connect hci0/01")
        set(driver, ["Connected": .boolean(true)])
        driver.feed { $0.addServices(of: 1) }
        driver.clear()
        if resolves { set(driver, ["ServicesResolved": .boolean(true)]) }
        return driver
    }

    func assertEnds(
        _ driver: MachineDriver<InspectMachine>, _ message: String, line: UInt = #line
    ) {
        XCTAssertEqual(driver.ends.map { "\($0)" }, [message], line: line)
        driver.clear()
        driver.advertiseAgain()
        driver.pass(1_000)
        XCTAssertEqual(driver.removeCalls(ofAdapters: true), [], line: line)
    }
}

extension MachineDriver<InspectMachine> {
    func advertiseAgain() {
        feed { $0.addDevice(1, strength: -60) }
    }
}
