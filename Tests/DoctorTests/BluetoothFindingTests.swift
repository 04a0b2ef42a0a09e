import BluetoothTesting
import Foundation
import GatewayCore
import GatewayTesting
import Glibc
import Platform
import XCTest

@testable import Doctor

/// Findings about bluetoothd and the adapters, with a bluetoothd on a bus of the test.
final class BluetoothFindingTests: XCTestCase {
    /// A machine with an adopted strap, and its bluetoothd.
    private func makePatient(
        adapters: [FakeAdapter] = [FakeAdapter()], isInstalled: Bool = true
    ) async throws -> (Patient, PrivateBus, FakeBlueZ) {
        let bus: PrivateBus
        do { bus = try PrivateBus() } catch { throw XCTSkip("\(error)") }
        let bluez = try FakeBlueZ(address: bus.address, adapters: adapters)
        let patient = try Patient(busAddress: bus.address)
        try patient.adopt()
        try patient.folder.makeFolder("root/sys/class/bluetooth/hci0")
        if isInstalled { try patient.write("", to: "/usr/libexec/bluetooth/bluetoothd") }
        return (patient, bus, bluez)
    }

    private func bluetoothKinds(_ patient: Patient) async throws -> [Finding.Kind] {
        let all: Set<Finding.Kind> = [
            .systemBusMissing, .systemBusSilent, .busAccessDenied, .bluetoothdNotInstalled,
            .bluetoothdNotRunning,
            .bluetoothdFailing, .bluetoothdOld, .adapterMissing, .adapterSwitchedOff,
            .adapterBlocked, .adapterOff,
        ]
        return try await patient.kinds().filter(all.contains)
    }

    func testBluetoothd_isFoundNotRunning_untilItRuns() async throws {
        let (patient, bus, bluez) = try await makePatient()
        let finding = try await patient.finding(.bluetoothdNotRunning)
        XCTAssertEqual(finding?.fix.command, "sudo systemctl start bluetooth")
        XCTAssertEqual(finding?.severity, .problem)
        try await bluez.start()
        let kinds = try await bluetoothKinds(patient)
        XCTAssertEqual(kinds, [])
        let well = try await patient.report().well
        XCTAssertTrue(well.contains("Bluetooth: bluetoothd runs, hci0 is on"), "\(well)")
        withExtendedLifetime(bus) {}
    }

    func testBluetoothd_thatIsNotInstalled_isFound() async throws {
        let (patient, bus, _) = try await makePatient(isInstalled: false)
        let finding = try await patient.finding(.bluetoothdNotInstalled)
        XCTAssertEqual(finding?.fix.command, "sudo apt-get install bluez")
        withExtendedLifetime(bus) {}
    }

    func testSystemBus_thatIsNotThere_isFound() async throws {
        let patient = try Patient()
        try patient.adopt()
        try patient.folder.makeFolder("root/sys/class/bluetooth/hci0")
        try patient.write("", to: "/usr/libexec/bluetooth/bluetoothd")
        let finding = try await patient.finding(.systemBusMissing)
        XCTAssertEqual(finding?.fix.command, "sudo systemctl start dbus")
        let kinds = try await bluetoothKinds(patient)
        XCTAssertEqual(kinds, [.systemBusMissing])
    }

    func testAccessThatTheBusDenies_isFound_untilItIsGranted() async throws {
        let (patient, bus, bluez) = try await makePatient()
        try await bluez.start()
        await bluez.fail(
            next: "GetManagedObjects",
            with: FakeFault(
                name: "org.freedesktop.DBus.Error.AccessDenied", message: "Rejected send"))
        let finding = try await patient.finding(.busAccessDenied)
        let user = AccountNames.user(geteuid())
        XCTAssertEqual(
            finding?.fix.text, "sudo usermod -aG bluetooth \(user)  # then log in again")
        let kinds = try await bluetoothKinds(patient)
        XCTAssertEqual(kinds, [])
        withExtendedLifetime(bus) {}
    }

    func testBluetoothd_thatDoesNotAnswer_isFoundInTime() async throws {
        let (patient, bus, bluez) = try await makePatient()
        try await bluez.start()
        await bluez.hold("GetManagedObjects")
        let start = SystemClock().now()
        let finding = try await patient.finding(.bluetoothdFailing)
        XCTAssertEqual(finding?.text, "bluetoothd does not respond")
        XCTAssertEqual(finding?.fix.command, "sudo systemctl restart bluetooth")
        XCTAssertLessThan(SystemClock().now().seconds(since: start), 20)
        withExtendedLifetime(bus) {}
    }

    /// The restart of bluetoothd would not help.
    func testBus_thatTakesAConnectionAndDoesNotAnswer_isToldFromBluetoothd() async throws {
        let folder = try TemporaryFolder()
        let socket = try ListeningSocket.unix(path: folder.path("bus"))
        defer { close(socket.descriptor) }
        let patient = try Patient(busAddress: "unix:path=\(folder.path("bus"))")
        try patient.adopt()
        try patient.folder.makeFolder("root/sys/class/bluetooth/hci0")
        try patient.write("", to: "/usr/libexec/bluetooth/bluetoothd")
        let report = try await patient.report()
        let finding = report.findings.first { $0.kind == .systemBusSilent }
        XCTAssertEqual(finding?.text, "the system bus does not answer")
        XCTAssertEqual(finding?.severity, .problem)
        XCTAssertFalse(report.findings.contains { $0.kind == .bluetoothdFailing })
    }

    func testAdapter_thatIsOff_orBlocked_orSwitchedOff_isFound_untilItIsOn() async throws {
        let (patient, bus, bluez) = try await makePatient(
            adapters: [FakeAdapter(isPowered: false)])
        try await bluez.start()
        var finding = try await patient.finding(.adapterOff)
        XCTAssertEqual(finding?.text, "Bluetooth adapter hci0 is powered off")
        XCTAssertEqual(finding?.fix.command, "bluetoothctl power on")

        let radio = "/sys/class/rfkill/rfkill0"
        try patient.write("bluetooth\n", to: "\(radio)/type")
        try patient.write("0\n", to: "\(radio)/hard")
        try patient.write("1\n", to: "\(radio)/soft")
        finding = try await patient.finding(.adapterBlocked)
        XCTAssertEqual(
            finding?.fix.command, "rfkill unblock bluetooth && bluetoothctl power on")
        try patient.write("1\n", to: "\(radio)/hard")
        finding = try await patient.finding(.adapterSwitchedOff)
        XCTAssertEqual(finding?.fix.text, "turn on the wireless switch of the computer")

        await bluez.setPowered(true)
        let kinds = try await bluetoothKinds(patient)
        XCTAssertEqual(kinds, [])
        withExtendedLifetime(bus) {}
    }

    func testAdapter_thatIsMissing_isFound_alsoTheOneThatIsConfigured() async throws {
        let (patient, bus, bluez) = try await makePatient(adapters: [])
        try await bluez.start()
        var finding = try await patient.finding(.adapterMissing)
        XCTAssertEqual(finding?.text, "no Bluetooth adapter found")
        XCTAssertNil(finding?.fix.command)

        try patient.configure(#"{ sources: { s: { use: "bluetooth", adapter: "hci7" } } }"#)
        finding = try await patient.finding(.adapterMissing)
        XCTAssertEqual(finding?.text, "Bluetooth adapter hci7 not found")
        XCTAssertEqual(finding?.subject, "hci7")
        withExtendedLifetime(bus) {}
    }

    func testWithoutBluetoothd_theKernelTellsWhetherThereIsAnAdapter() async throws {
        let patient = try Patient()
        try patient.adopt()
        let finding = try await patient.finding(.adapterMissing)
        XCTAssertEqual(finding?.severity, .problem)
    }

    func testBluetoothd_withoutAnAdapter_doesNotStart_andTheFixSaysSo() async throws {
        let (patient, bus, _) = try await makePatient()
        var finding = try await patient.finding(.bluetoothdNotRunning)
        XCTAssertNil(finding?.fix.note)
        try FileManager.default.removeItem(
            atPath: patient.folder.path("root/sys/class/bluetooth/hci0"))
        finding = try await patient.finding(.bluetoothdNotRunning)
        XCTAssertEqual(finding?.fix.command, "sudo systemctl start bluetooth")
        XCTAssertEqual(finding?.fix.note, "has no effect without an adapter")
        withExtendedLifetime(bus) {}
    }

    func testBluetooth_thatNoSourceNeeds_isNotLookedAt() async throws {
        let patient = try Patient()
        try patient.configure(
            """
            { sources: { foot: { use: "serial", port: { path: "/dev/null" }, protocol: "hxm" } } }
            """)
        let kinds = try await bluetoothKinds(patient)
        XCTAssertEqual(kinds, [])
    }

    func testBluetooth_withoutAnySource_isAdvice() async throws {
        let patient = try Patient()
        let finding = try await patient.finding(.adapterMissing)
        XCTAssertEqual(finding?.severity, .advice)
    }

    func testOldBluetoothd_isFound_andANewOneIsNot() async throws {
        var (patient, bus, bluez) = try await makePatient()
        try await bluez.start()
        for (version, isOld) in [("5.50", true), ("5.66", false), ("5.7", true), ("6.0", false)] {
            patient.system.run = { words in
                words.last == "--version" ? "\(version)\n" : nil
            }
            let finding = try await patient.finding(.bluetoothdOld)
            XCTAssertEqual(finding != nil, isOld, version)
        }
        withExtendedLifetime(bus) {}
    }
}
