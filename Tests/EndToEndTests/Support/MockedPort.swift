import Foundation
import GatewayTesting
import XCTest

/// A USB serial adapter as umockdev plays one: its place in sysfs, and what udev says of it.
struct MockedPort: Sendable {
    var node = "ttyUSB0"
    /// The socket, which is also the USB device's name in sysfs.
    var socket = "2-1"
    var vendor = "10c4"
    var product = "ea60"
    var serial: String? = "0001"
    /// Whether udev has described it already.
    var isKnownToUdev = true

    /// Where the terminal is in sysfs.
    var path: String { "\(interface)/\(node)/tty/\(node)" }
    /// What udev calls the socket.
    var idPath: String { "pci-0000:00:14.0-usb-0:\(socket.dropFirst(2)):1.0" }

    private static let controller = "/devices/pci0000:00/0000:00:14.0"
    private var usbDevice: String { "\(Self.controller)/usb2/\(socket)" }
    private var interface: String { "\(usbDevice)/\(socket):1.0" }

    /// Descriptions of ports in umockdev's format, with what they are plugged into.
    static func description(of ports: [MockedPort]) -> String {
        let root = [
            block("/devices/pci0000:00", ["E: SUBSYSTEM=pci"]),
            block(controller, ["E: SUBSYSTEM=pci", "E: DRIVER=xhci_hcd"]),
            block(
                "\(controller)/usb2",
                ["E: SUBSYSTEM=usb", "E: DEVTYPE=usb_device", "E: DRIVER=usb"]),
        ]
        return (root + ports.flatMap(\.blocks)).joined(separator: "\n")
    }

    private var blocks: [String] {
        let attributes = [
            "A: idVendor=\(vendor)\\n", "A: idProduct=\(product)\\n", "A: manufacturer=Acme\\n",
            "A: product=Bridge\\n",
        ]
        let serialAttribute = serial.map { ["A: serial=\($0)\\n"] } ?? []
        return [
            Self.block(
                usbDevice,
                ["E: SUBSYSTEM=usb", "E: DEVTYPE=usb_device", "E: DRIVER=usb"] + attributes
                    + serialAttribute),
            Self.block(
                interface,
                [
                    "E: SUBSYSTEM=usb", "E: DEVTYPE=usb_interface", "E: DRIVER=cp210x",
                    "E: INTERFACE=255/0/0", "A: bInterfaceNumber=00\\n",
                    "A: bInterfaceClass=ff\\n", "A: bInterfaceSubClass=00\\n",
                    "A: bInterfaceProtocol=00\\n",
                ]),
            Self.block(
                "\(interface)/\(node)", ["E: SUBSYSTEM=usb-serial", "E: DRIVER=cp210x"]),
            Self.block(
                path,
                [
                    "N: \(node)", "E: SUBSYSTEM=tty", "E: DEVNAME=/dev/\(node)", "E: MAJOR=188",
                    "E: MINOR=\(node.suffix(1))",
                ] + properties),
        ]
    }

    private var properties: [String] {
        guard isKnownToUdev else { return [] }
        return [
            "E: ID_BUS=usb", "E: ID_VENDOR_ID=\(vendor)", "E: ID_MODEL_ID=\(product)",
            "E: ID_VENDOR=Acme", "E: ID_MODEL=Bridge", "E: ID_PATH=\(idPath)",
        ] + (serial.map { ["E: ID_SERIAL_SHORT=\($0)"] } ?? [])
    }

    private static func block(_ path: String, _ lines: [String]) -> String {
        (["P: \(path)"] + lines).joined(separator: "\n") + "\n"
    }

    /// The words before a command that show it these ports.
    ///
    /// - Throws: `XCTSkip` when umockdev is not installed.
    static func words(_ ports: [MockedPort], in home: Home) throws -> [String] {
        let program = "/usr/bin/umockdev-run"
        guard FileManager.default.isExecutableFile(atPath: program) else {
            throw XCTSkip("needs umockdev-run: apt-get install umockdev")
        }
        let file = try home.folder.write(Array(description(of: ports).utf8), to: "ports.umockdev")
        return [program, "--device", file, "--"]
    }
}
