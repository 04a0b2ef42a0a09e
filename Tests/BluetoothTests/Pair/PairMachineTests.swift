import DBus
import GatewayCore
import XCTest

@testable import Bluetooth
@testable import BluetoothSetup

/// The machine of `pulsegate pair`, with a bluetoothd that a test plays.
final class PairMachineTests: XCTestCase {
    private let address = "D0:11:22:33:44:01"
    private let device = Daemon.device(1)

    private func makeDriver(
        _ capability: BlueZAgent.Capability = .terminal, isPowered: Bool = true
    ) -> MachineDriver<PairMachine> {
        let machine = PairMachine(address: .ending(1), seconds: 60, capability: capability)
        let driver = MachineDriver(machine)
        driver.feed { $0.addAdapter(0, isPowered: isPowered) }
        driver.start()
        return driver
    }

    /// A driver whose agent is registered.
    private func scanning(
        _ capability: BlueZAgent.Capability = .terminal
    ) -> MachineDriver<PairMachine> {
        let driver = makeDriver(capability)
        driver.handle(.finished(.registerAgent, .success([])))
        return driver
    }

    /// A driver whose device is being paired.
    private func pairing(
        _ capability: BlueZAgent.Capability = .terminal
    ) -> MachineDriver<PairMachine> {
        let driver = scanning(capability)
        driver.feed { $0.addDevice(1, strength: -60) }
        driver.clear()
        return driver
    }

    private func words(_ driver: MachineDriver<PairMachine>) -> [String] {
        driver.removeOutputs().map(\.words)
    }

    private func ask(
        _ driver: MachineDriver<PairMachine>, _ member: String, _ argument: BusValue? = nil,
        of path: String? = nil, number: Int = 7
    ) throws {
        let body = [BusValue.objectPath(path ?? device)] + (argument.map { [$0] } ?? [])
        let question = try XCTUnwrap(AgentQuestion(member, body))
        driver.handle(.agent(.asked(question, number: number)))
    }

    private func assertEnds(_ driver: MachineDriver<PairMachine>, _ message: String) {
        XCTAssertEqual(driver.ends.map { "\($0)" }, [message])
        XCTAssertNil(driver.machine.wakeTime)
    }

    func testBond_ofAnotherAdapterThatDoesNotReceiveTheDevice_doesNotCount() {
        let driver = makeDriver()
        driver.feed { $0.addAdapter(1) }
        driver.feed { $0.addDevice(1, on: 1, isPaired: true) }
        driver.handle(.finished(.registerAgent, .success([])))
        driver.clear()

        driver.feed { $0.addDevice(1, on: 0, strength: -60) }

        XCTAssertEqual(driver.removeCalls(), ["Pair hci0/01"])
    }

    func testBond_ofAnotherAdapterThatReceivesTheDevice_counts() {
        let driver = makeDriver()
        driver.feed { $0.addAdapter(1) }
        driver.feed { $0.addDevice(1, on: 0, strength: -60) }
        driver.feed { $0.addDevice(1, on: 1, strength: -60, isPaired: true) }

        driver.handle(.finished(.registerAgent, .success([])))

        XCTAssertEqual(words(driver).last, "was paired Strap")
        XCTAssertEqual(driver.removeCalls(), [])
    }

    func testBond_ofAnAdapterThatIsOff_doesNotCount() {
        let driver = makeDriver()
        driver.feed { $0.addAdapter(1, isPowered: false) }
        driver.feed { $0.addDevice(1, on: 1, isPaired: true) }
        driver.feed { $0.addDevice(1, on: 0, strength: -60) }

        driver.handle(.finished(.registerAgent, .success([])))

        XCTAssertEqual(driver.removeCalls(), ["Pair hci0/01"])
    }

    func testBond_ofADeviceThatNoAdapterReceives_isReportedAtTheEnd() {
        let driver = makeDriver()
        driver.feed { $0.addAdapter(1) }
        driver.feed { $0.addDevice(1, on: 1, isPaired: true) }
        driver.handle(.finished(.registerAgent, .success([])))
        driver.clear()

        driver.pass(60)

        XCTAssertEqual(words(driver).last, "was paired Strap")
        XCTAssertEqual(driver.ends.count, 0)
    }

    func testStart_registersAnAgentWithTheAbilityOfTheTerminal_andScans() {
        for (capability, name) in [
            (BlueZAgent.Capability.terminal, "KeyboardDisplay"), (.nothing, "NoInputNoOutput"),
        ] {
            let driver = makeDriver(capability)
            XCTAssertEqual(driver.agentCalls.map(\.call.member), ["RegisterAgent"])
            XCTAssertEqual(driver.agentCalls.first?.call.body.last, .string(name))
            XCTAssertEqual(driver.takeAdapterCalls(), [])

            driver.handle(.finished(.registerAgent, .success([])))

            XCTAssertEqual(words(driver), ["scanning"])
            XCTAssertEqual(
                driver.takeAdapterCalls(), ["SetDiscoveryFilter hci0", "StartDiscovery hci0"])
        }
    }

    func testAgentThatIsRefused_endsWithTheReason() {
        let driver = makeDriver()
        driver.handle(.finished(.registerAgent, .failure(.bluez("NotPermitted", "no"))))

        assertEnds(
            driver, "cannot register a pairing agent: no (org.bluez.Error.NotPermitted)")
    }

    func testWithoutAPoweredAdapter_endsWithTheRemedy() {
        assertEnds(
            makeDriver(isPowered: false),
            "Bluetooth adapter hci0 is powered off; turn it on: bluetoothctl power on")
    }

    func testSeen_isPaired_andDisconnectedInTheEnd() {
        let driver = scanning()
        driver.feed { $0.addDevice(1) }
        XCTAssertEqual(driver.removeCalls(), [], "a memory of bluetoothd is not in range")

        driver.feed { $0.set(device, BlueZName.device, ["RSSI": .int16(-60)]) }
        XCTAssertEqual(words(driver), ["scanning", "pairing Strap"])
        driver.answer("Pair hci0/01")
        XCTAssertEqual(words(driver), ["withdrawn", "paired Strap"])
        driver.feed { $0.set(device, BlueZName.device, ["Connected": .boolean(true)]) }

        driver.handle(.stop)
        XCTAssertEqual(driver.removeCalls(), ["Pair hci0/01", "Disconnect hci0/01"])
        XCTAssertEqual(driver.ends, [])
    }

    /// The gateway may have subscribed as soon as the device was paired.
    func testStop_whenAnotherProgramUsesTheLink_keepsIt() {
        let driver = pairing()
        driver.answer("Pair hci0/01")
        driver.feed { $0.set(device, BlueZName.device, ["Connected": .boolean(true)]) }
        driver.feed { $0.addServices(of: 1) }
        driver.feed {
            $0.set(
                "\(device)/service180d/c2", BlueZName.gattCharacteristic,
                ["Notifying": .boolean(true)])
        }

        driver.handle(.stop)

        XCTAssertEqual(driver.removeCalls(), [])
    }

    func testConnectedByAnotherProgram_isPaired_andKept() {
        let driver = scanning()
        driver.feed { $0.addDevice(1, isConnected: true) }
        driver.answer("Pair hci0/01")

        driver.handle(.stop)

        XCTAssertEqual(driver.removeCalls(), ["Pair hci0/01"])
    }

    func testPairedBefore_isReportedWithoutACall_alsoOutOfRange() {
        let driver = scanning()
        driver.feed { $0.addDevice(1, isPaired: true) }

        XCTAssertEqual(words(driver), ["scanning", "was paired Strap"])
        XCTAssertEqual(driver.removeCalls(), [])
    }

    func testAlreadyExists_isPairedBefore() {
        let driver = pairing()
        driver.answer("Pair hci0/01", .bluez("AlreadyExists", "Already Exists"))

        XCTAssertEqual(words(driver), ["withdrawn", "was paired Strap"])
    }

    func testFailure_endsWithTheReason_andWhatToDo() {
        let driver = pairing(.nothing)
        driver.answer("Pair hci0/01", .bluez("AuthenticationFailed", "Authentication Failed"))

        assertEnds(
            driver,
            "\(address) was not paired: authentication failed; put the device into its "
                + "pairing mode, or pair it at a terminal if it has a passkey")
    }

    /// The gateway may be connecting the device at the same time.
    func testInProgress_isTriedAgainEverySecond_untilTheTimeIsOver() {
        let driver = pairing()
        for _ in 0..<3 {
            driver.answer("Pair hci0/01", .bluez("InProgress", "In Progress"))
            driver.pass(0.9)
            XCTAssertEqual(driver.open.map(\.words), [])
            driver.pass(0.1)
        }
        XCTAssertEqual(driver.open.map(\.words), ["Pair hci0/01"])
        driver.pass(57)

        XCTAssertEqual(driver.ends.count, 1)
    }

    func testNotSeen_endsAfterTheTime() {
        let driver = scanning()
        driver.pass(59)
        XCTAssertEqual(driver.ends, [])
        driver.pass(1)

        assertEnds(
            driver, "\(address) was not seen within 60 seconds; \(BluetoothInspector.notSeenRemedy)"
        )
    }

    func testNotPairedInTime_cancelsThePairing_andEndsTheLink() {
        let driver = pairing()
        driver.pass(60)

        XCTAssertEqual(driver.removeCalls(), ["CancelPairing hci0/01", "Disconnect hci0/01"])
        assertEnds(
            driver,
            "\(address) was seen, but not paired within 60 seconds; "
                + "put the device into its pairing mode, or increase --timeout")
    }

    func testStop_duringThePairing_cancelsIt() {
        let driver = pairing()
        driver.handle(.stop)

        XCTAssertEqual(driver.removeCalls(), ["CancelPairing hci0/01", "Disconnect hci0/01"])
    }

    func testDaemonGone_endsWithTheReason() {
        let driver = pairing()
        driver.loseDaemon()

        XCTAssertEqual(driver.ends.map(\.problem), ["bluetoothd is not running"])
    }

    func testQuestions_areAskedAtTheTerminal() throws {
        let questions: [(String, BusValue?, String)] = [
            ("RequestPasskey", nil, "asked 7 passkey"), ("RequestPinCode", nil, "asked 7 pinCode"),
            ("RequestConfirmation", .uint32(42), "asked 7 comparison(42)"),
        ]
        for (member, argument, expected) in questions {
            let driver = pairing()
            try ask(driver, member, argument)
            XCTAssertEqual(words(driver), [expected])
            XCTAssertEqual(driver.answers, [])

            driver.apply(.answer(7, .passkey(123)))
            XCTAssertEqual(driver.answers, ["7 passkey(123)"])
        }
    }

    func testQuestions_withoutATerminal_areRejected() throws {
        for (member, argument) in [
            ("RequestPasskey", BusValue?.none), ("RequestPinCode", nil),
            ("RequestConfirmation", .uint32(42)),
        ] {
            let driver = pairing(.nothing)
            try ask(driver, member, argument)
            XCTAssertEqual(words(driver), [])
            XCTAssertEqual(driver.answers, ["7 reject"])
        }
    }

    func testPasskeyForTheDevice_isShownWithAllDigits() throws {
        let driver = pairing()
        try ask(driver, "DisplayPasskey", .uint32(42))
        try ask(driver, "DisplayPinCode", .string("12\u{1b}34"), number: 8)

        XCTAssertEqual(
            words(driver),
            ["enter the passkey 000042 on the device", "enter the PIN 1234 on the device"])
        XCTAssertEqual(driver.answers, ["7 accept", "8 accept"])
    }

    func testAuthorization_ofTheDevice_isAccepted_andOfAnyOtherRejected() throws {
        let driver = pairing(.nothing)
        driver.feed { $0.addDevice(2, strength: -60) }
        try ask(driver, "RequestAuthorization")
        try ask(driver, "RequestAuthorization", of: Daemon.device(2), number: 8)
        try ask(driver, "AuthorizeService", .string("180d"), number: 9)

        XCTAssertEqual(driver.answers, ["7 accept", "8 reject", "9 reject"])
    }

    func testCanceled_withdrawsTheQuestion() throws {
        let driver = pairing()
        try ask(driver, "RequestPasskey")
        driver.handle(.agent(.canceled))

        XCTAssertEqual(words(driver), ["asked 7 passkey", "withdrawn"])
    }
}

extension PairMachine.Output {
    fileprivate var words: String {
        switch self {
        case .asked(let question): "asked \(question.number) \(question.text)"
        case .event(.scanning): "scanning"
        case .event(.pairing(let name)): "pairing \(name ?? "-")"
        case .event(.instruction(let text)): text
        case .event(.questionWithdrawn): "withdrawn"
        case .event(.paired(let name, let isNew)):
            "\(isNew ? "" : "was ")paired \(name ?? "-")"
        }
    }
}
