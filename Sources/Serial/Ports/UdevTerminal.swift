/// The properties of a terminal device in udev and sysfs, which may be a serial port.
struct UdevTerminal {
    /// Its name in the kernel: `ttyUSB0`.
    var name: String
    /// The path of its node.
    var node: String?
    /// Other paths of the node.
    var links: [String] = []
    /// udev's properties: `ID_VENDOR_ID` and others.
    var properties: [String: String] = [:]
    /// Whether it has a parent device.
    var hasHardware = false
    /// The driver of the parent device.
    var driver: String?
    /// The UART type as numbered by the kernel; `0` is unknown hardware.
    var uartType: String?
    /// The attributes of the USB device in sysfs: `idVendor` and others.
    var usb: [String: String] = [:]

    /// RFCOMM ports have no parent device until they are connected.
    private static let bluetoothPrefix = "rfcomm"

    /// Whether it is not a console or a pseudo-terminal.
    var mayBePort: Bool { hasHardware || name.hasPrefix(Self.bluetoothPrefix) }
}

extension SerialPortDescription {
    /// The UART type of a port without hardware (serial(4), `PORT_UNKNOWN`).
    private static let noUART = "0"

    /// Describes a terminal when it is a serial port, not a console or a pseudo-terminal.
    init?(_ terminal: UdevTerminal, access: Access?) {
        guard terminal.mayBePort, terminal.uartType != Self.noUART, let node = terminal.node
        else { return nil }
        // The properties of udev; without udev, as in many containers, those of sysfs.
        let properties = terminal.properties
        let usb = terminal.usb.mapValues(Self.safe)
        self.init(
            path: node,
            vendor: properties["ID_VENDOR_ID"] ?? usb["idVendor"],
            product: properties["ID_MODEL_ID"] ?? usb["idProduct"],
            serial: properties["ID_SERIAL_SHORT"] ?? usb["serial"],
            vendorName: Self.words(
                properties["ID_VENDOR"] ?? usb["manufacturer"]
                    ?? properties["ID_VENDOR_FROM_DATABASE"]),
            productName: Self.words(
                properties["ID_MODEL"] ?? usb["product"] ?? properties["ID_MODEL_FROM_DATABASE"]),
            idPath: properties["ID_PATH"],
            driver: properties["ID_USB_DRIVER"] ?? terminal.driver,
            links: terminal.links.sorted(), access: access)
    }

    /// A text with the characters that udev does not allow replaced by `_`.
    private static func safe(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { scalar -> Character in
            let isSafe =
                scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                || "#+-.:=@_".unicodeScalars.contains(scalar)
            return isSafe ? Character(scalar) : "_"
        }
        return String(scalars)
    }

    /// Replaces the underscores of udev with spaces: `Silicon_Labs`.
    private static func words(_ name: String?) -> String? {
        guard let name else { return nil }
        let words = name.split { $0 == "_" || $0 == " " }
        return words.isEmpty ? nil : words.joined(separator: " ")
    }
}
