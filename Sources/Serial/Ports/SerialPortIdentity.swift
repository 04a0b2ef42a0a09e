/// The properties that identify a serial port independently of its path.
///
/// The path `/dev/ttyUSB0` depends on the order of plugging in. A property that is `nil` matches any
/// value; at least one property is set.
public struct SerialPortIdentity: Hashable, Sendable, CustomStringConvertible {
    /// The USB vendor: four hexadecimal digits in lower case.
    public var vendor: String?
    /// The USB product: four hexadecimal digits in lower case.
    public var product: String?
    /// The serial number of the USB device.
    ///
    /// Some adapters have none, or a number that is not unique.
    public var serial: String?
    /// The physical connection: udev's `ID_PATH`.
    public var idPath: String?

    /// Makes an identity; `nil` matches any value.
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
    /// It consists of `usb`, vendor, product and serial number separated by colons, with `*` for any
    /// vendor or product, followed by `@` and the ID_PATH if set.
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

    /// Whether a port has all properties of the identity.
    public func matches(_ port: SerialPortDescription) -> Bool {
        Key.allCases.allSatisfy { key in self[key].map { $0 == port[key] } ?? true }
    }

    /// The keys of an identity as in the configuration, the least specific first.
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
