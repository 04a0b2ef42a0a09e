import GatewayTesting
import Glibc
import Synchronization
import XCTest

@testable import Serial

final class SerialPortsTests: XCTestCase {
    private let adapter = UdevTerminal(
        name: "ttyUSB0", node: "/dev/ttyUSB0",
        links: ["/dev/serial/by-path/b", "/dev/serial/by-id/a"],
        properties: [
            "ID_VENDOR_ID": "10c4", "ID_MODEL_ID": "ea60", "ID_SERIAL_SHORT": "0001",
            "ID_VENDOR": "Silicon_Labs", "ID_MODEL": "CP2102_USB_to_UART",
            "ID_VENDOR_FROM_DATABASE": "Silicon Laboratories", "ID_PATH": "pci-0-usb-0:1:1.0",
            "ID_USB_DRIVER": "cp210x",
        ],
        hasHardware: true, driver: "usb-serial")

    func testDescription_takesWhatUdevKnows() {
        let access = SerialPortDescription.Access(
            owner: "root", group: "dialout", mode: 0o660, isGranted: false)
        XCTAssertEqual(
            SerialPortDescription(adapter, access: access),
            SerialPortDescription(
                path: "/dev/ttyUSB0", vendor: "10c4", product: "ea60", serial: "0001",
                vendorName: "Silicon Labs", productName: "CP2102 USB to UART",
                idPath: "pci-0-usb-0:1:1.0", driver: "cp210x",
                links: ["/dev/serial/by-id/a", "/dev/serial/by-path/b"], access: access))
    }

    func testDescription_whereNoUdevRuns_takesWhatTheDeviceSays() {
        var terminal = adapter
        terminal.properties = [:]
        terminal.usb = [
            "idVendor": "10c4", "idProduct": "ea60", "serial": "a b\u{1B}[0m",
            "manufacturer": "Silicon Labs", "product": "",
        ]
        let port = SerialPortDescription(terminal, access: nil)
        XCTAssertEqual(port?.vendor, "10c4")
        XCTAssertEqual(port?.product, "ea60")
        XCTAssertEqual(port?.serial, "a_b__0m")
        XCTAssertEqual(port?.vendorName, "Silicon Labs")
        XCTAssertNil(port?.productName)
        XCTAssertNil(port?.idPath)
        XCTAssertEqual(port?.driver, "usb-serial")
    }

    func testDescription_leavesOutWhatIsNoPort() {
        let others = [
            UdevTerminal(name: "tty1", node: "/dev/tty1"),
            UdevTerminal(name: "ptmx", node: "/dev/ptmx"),
            UdevTerminal(name: "ttyS3", node: "/dev/ttyS3", hasHardware: true, uartType: "0"),
            UdevTerminal(name: "ttyUSB1", hasHardware: true),
        ]
        for terminal in others {
            XCTAssertNil(SerialPortDescription(terminal, access: nil), terminal.name)
        }
    }

    func testDescription_keepsPortsThatAreNotUSB() {
        let ports = [
            UdevTerminal(name: "ttyS0", node: "/dev/ttyS0", hasHardware: true, uartType: "4"),
            UdevTerminal(name: "ttyAMA0", node: "/dev/ttyAMA0", hasHardware: true),
            UdevTerminal(name: "rfcomm0", node: "/dev/rfcomm0"),
        ]
        for terminal in ports {
            XCTAssertEqual(SerialPortDescription(terminal, access: nil)?.path, terminal.node)
        }
    }

    func testList_ofThisMachine_hasNoConsoleAndNoPseudoTerminal() throws {
        let ports = try SerialPorts.list().map(\.path)
        XCTAssertEqual(ports, ports.sorted())
        for path in ports {
            XCTAssertFalse(path.hasPrefix("/dev/pts"), path)
            XCTAssertNil(path.wholeMatch(of: /\/dev\/(tty[0-9]*|console|ptmx)/), path)
        }
    }

    func testOpen_byIdentity_findsThePortAgainUnderAnotherName() async throws {
        let (before, after) = (try PseudoTerminal(), try PseudoTerminal())
        let path = Mutex(before.slavePath)
        let opener = SerialPort(
            selector: .identity(SerialPortIdentity(vendor: "10c4")),
            settings: LineSettings(baud: .baud9600)
        ) { () throws(SerialError) in
            [SerialPortDescription(path: path.withLock { $0 }, vendor: "10c4")]
        }
        for terminal in [before, after] {
            path.withLock { $0 = terminal.slavePath }
            let link = makeLink(opener)
            let name = try await link.open()
            XCTAssertEqual(name, terminal.slavePath)
            try terminal.write([7])
            let bytes = try await link.read(count: 1)
            XCTAssertEqual(bytes, [7])
            await link.close()
        }
    }

    func testList_withoutAccess_asksForNoNames() throws {
        let ports = try SerialPorts.list(lookingUpAccess: false)
        XCTAssertEqual(ports.compactMap(\.access), [])
        let paths = try SerialPorts.list().map(\.path)
        XCTAssertEqual(ports.map(\.path), paths)
    }
}
