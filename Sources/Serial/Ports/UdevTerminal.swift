/// What udev and sysfs tell of one terminal device, before it is known whether it is a serial port.
struct UdevTerminal {
    /// Its name in the kernel: `ttyUSB0`.
    var name: String
    /// The path of its node.
    var node: String?
    /// Other paths of the node.
    var links: [String] = []
    /// udev's properties: `ID_VENDOR_ID` and others.
    var properties: [String: String] = [:]
    /// Whether a piece of hardware stands behind it.
    var hasHardware = false
    /// The driver of that piece of hardware.
    var driver: String?
    /// The kind of its UART as the kernel numbers them; `0` is one that was not found.
    var uartType: String?
    /// What the USB device says of itself, by the names in sysfs: `idVendor`.
    var usb: [String: String] = [:]

    /// Bluetooth ports have no hardware behind them before they are connected.
    private static let bluetoothPrefix = "rfcomm"

    /// Whether it is more than a console or a pseudo-terminal.
    var mayBePort: Bool { hasHardware || name.hasPrefix(Self.bluetoothPrefix) }
}

extension SerialPortDescription {
    /// The UART type of a port that is only reserved (serial(4), `PORT_UNKNOWN`).
    private static let noUART = "0"

    /// Describes a terminal when it is a serial port, not a console or a pseudo-terminal.
    init?(_ terminal: UdevTerminal, access: Access?) {
        guard terminal.mayBePort, terminal.uartType != Self.noUART, let node = terminal.node
        else { return nil }
        // udev's properties; where no udev runs, as in many a container, what sysfs says of itself.
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

    /// A device's own text in the characters that udev lets through, the others as `_`.
    private static func safe(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { scalar -> Character in
            let isSafe =
                scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                || "#+-.:=@_".unicodeScalars.contains(scalar)
            return isSafe ? Character(scalar) : "_"
        }
        return String(scalars)
    }

    /// `Silicon_Labs` as it is meant.
    private static func words(_ name: String?) -> String? {
        guard let name else { return nil }
        let words = name.split { $0 == "_" || $0 == " " }
        return words.isEmpty ? nil : words.joined(separator: " ")
    }
}
