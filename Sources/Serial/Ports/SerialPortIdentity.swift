/// What tells one serial port from the others, wherever the system's numbering puts it.
///
/// `/dev/ttyUSB0` is whatever was plugged in first; this is the device itself. What is `nil` does not
/// matter; at least one thing is said.
public struct SerialPortIdentity: Hashable, Sendable, CustomStringConvertible {
    /// The USB vendor: four hexadecimal digits in lower case.
    public var vendor: String?
    /// The USB product: four hexadecimal digits in lower case.
    public var product: String?
    /// The serial number of the USB device.
    ///
    /// Cheap adapters have none, or all the same.
    public var serial: String?
    /// The socket that it is plugged into: udev's `ID_PATH`.
    public var idPath: String?

    /// Makes an identity; `nil` matches everything.
    public init(
        vendor: String? = nil, product: String? = nil, serial: String? = nil,
        idPath: String? = nil
    ) {
        self.vendor = vendor
        self.product = product
        self.serial = serial
        self.idPath = idPath
    }

    /// The local identifier of the device on such a port: `usb:10c4:ea60:0001`.
    ///
    /// `usb`, vendor, product and serial number with colons between, `*` for a vendor or a product that
    /// does not matter; then `@` and the ID_PATH, where that matters.
    public var identifier: String {
        var text = ""
        if vendor != nil || product != nil || serial != nil {
            text = "usb:\(vendor ?? "*"):\(product ?? "*")"
            if let serial { text += ":\(serial)" }
        }
        if let idPath { text += "@\(idPath)" }
        return text
    }

    /// `vendor 10c4, product ea60`.
    public var description: String {
        Key.allCases.compactMap { key in self[key].map { "\(key.rawValue) \($0)" } }
            .joined(separator: ", ")
    }

    /// Whether a port is one of those that are meant.
    public func matches(_ port: SerialPortDescription) -> Bool {
        Key.allCases.allSatisfy { key in self[key].map { $0 == port[key] } ?? true }
    }

    /// What an identity may say, in the words of the configuration, the least particular first.
    enum Key: String, CaseIterable {
        case vendor, product, serial, idPath
    }

    subscript(key: Key) -> String? {
        get { self[keyPath: Self.place(of: key)] }
        set { self[keyPath: Self.place(of: key)] = newValue }
    }

    private static func place(of key: Key) -> WritableKeyPath<SerialPortIdentity, String?> {
        switch key {
        case .vendor: \.vendor
        case .product: \.product
        case .serial: \.serial
        case .idPath: \.idPath
        }
    }
}

extension SerialPortDescription {
    subscript(key: SerialPortIdentity.Key) -> String? {
        switch key {
        case .vendor: vendor
        case .product: product
        case .serial: serial
        case .idPath: idPath
        }
    }
}
