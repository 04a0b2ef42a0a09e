import DBus
import GatewayCore
import XCTest

@testable import Bluetooth

/// The gateway's agent, and what pairing changes.
final class CentralPairingTests: XCTestCase {
    private let needed = "needs pairing: pulsegate pair D0:11:22:33:44:01"

    private func makeDriver(
        _ devices: BluetoothSelection.Devices = .named([.ending(1)])
    ) -> MachineDriver<CentralMachine> {
        .central(BluetoothSelection(devices: devices))
    }

    private func ask(
        _ driver: MachineDriver<CentralMachine>, _ member: String = "RequestAuthorization",
        _ argument: BusValue? = nil, _ number: UInt8 = 1
    ) throws {
        let path = BusValue.objectPath(Daemon.device(number))
        let question = try XCTUnwrap(AgentQuestion(member, [path] + (argument.map { [$0] } ?? [])))
        driver.handle(.agent(.asked(question, number: Int(number))))
    }

    /// Brings a device to the subscription of its measurement, which is not answered.
    private func subscribe(_ driver: MachineDriver<CentralMachine>) {
        driver.advertise(1)
        driver.setConnected(1, to: true)
        driver.answer("Connect hci0/01")
        driver.resolve(1)
        while let read = driver.open.firstIndex(where: { $0.call.member == "ReadValue" }) {
            driver.answer(at: read, .success([.bytes([1])]))
        }
        XCTAssertEqual(driver.open.map(\.words), ["StartNotify hci0/01/service180d/c2"])
        driver.clear()
    }

    func testEveryBluetoothd_getsTheAgent_withoutATerminal() {
        let driver = makeDriver()
        driver.loseDaemon()
        driver.start()

        XCTAssertEqual(
            driver.agentCalls.map(\.call.member), ["RegisterAgent", "RegisterAgent"])
        XCTAssertEqual(
            driver.agentCalls.last?.call.body,
            [.objectPath("/org/pulsegate/agent"), .string("NoInputNoOutput")])
    }

    func testPairing_ofASelectedDevice_isAccepted() throws {
        let driver = makeDriver()
        subscribe(driver)
        try ask(driver)

        XCTAssertEqual(driver.answers, ["1 accept"])
        XCTAssertEqual(driver.state(1), .subscribing)
    }

    func testPairing_ofAnyOtherDevice_isRejected() throws {
        let driver = makeDriver()
        driver.feed { $0.addDevice(2, strength: -60) }
        try ask(driver, "RequestAuthorization", nil, 2)
        try ask(driver, "RequestAuthorization", nil, 3)

        XCTAssertEqual(driver.answers, ["2 reject", "3 reject"])
    }

    func testPairing_ofADeniedDevice_isRejected() throws {
        var selection = BluetoothSelection(devices: .named([.ending(1)]))
        selection.denied = [.ending(1)]
        let driver = MachineDriver.central(selection)
        driver.feed { $0.addDevice(1, strength: -60) }
        try ask(driver)

        XCTAssertEqual(driver.answers, ["1 reject"])
    }

    func testAnyOtherQuestion_isRejected() throws {
        let questions: [(String, BusValue?)] = [
            ("RequestPinCode", nil), ("RequestPasskey", nil), ("DisplayPasskey", .uint32(1)),
            ("DisplayPinCode", .string("1")), ("RequestConfirmation", .uint32(1)),
            ("AuthorizeService", .string("180d")),
        ]
        for (member, argument) in questions {
            let driver = makeDriver()
            driver.advertise(1)
            try ask(driver, member, argument)
            XCTAssertEqual(driver.answers, ["1 reject"], member)
        }
    }

    /// Anybody's device may match `any`; bluetoothd would not answer for 30 seconds.
    func testPairing_ofADeviceThatNobodyHasNamed_isRejected_andTheLinkEnds() throws {
        let driver = makeDriver(.any)
        subscribe(driver)
        try ask(driver)

        XCTAssertEqual(driver.answers, ["1 reject"])
        XCTAssertEqual(
            driver.outputWords(), ["01 closed: \(needed)", "01 backOff: \(needed)"])
        XCTAssertEqual(driver.removeCalls(), ["Disconnect hci0/01"])
    }

    func testPaired_withAnotherProgram_isReadAtOnce() throws {
        let driver = makeDriver(.any)
        subscribe(driver)
        try ask(driver)
        driver.answer("Disconnect hci0/01")
        driver.setConnected(1, to: false)
        driver.pass(5)
        driver.clear()

        driver.setConnected(1, to: true)
        XCTAssertEqual(driver.removeCalls(), [])
        driver.feed { $0.set(Daemon.device(1), BlueZName.device, ["Paired": .boolean(true)]) }

        XCTAssertEqual(driver.state(1), .subscribing)
        driver.answerSession()
        XCTAssertEqual(driver.state(1), .live)
    }
}
