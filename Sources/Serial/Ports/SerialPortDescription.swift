/// The description of a serial port from udev and sysfs.
public struct SerialPortDescription: Hashable, Sendable {
    /// The access rights of a port.
    public struct Access: Hashable, Sendable {
        /// The user that owns the node.
        public var owner: String
        /// The group of the node, as a name or a number.
        public var group: String
        /// The node's permission bits: `0o660`.
        public var mode: UInt32
        /// Whether this process has read and write access.
        public var isGranted: Bool

        /// Makes the access rights of a node.
        public init(owner: String, group: String, mode: UInt32, isGranted: Bool) {
            self.owner = owner
            self.group = group
            self.mode = mode
            self.isGranted = isGranted
        }
    }

    /// The path of the node: `/dev/ttyUSB0`.
    public var path: String
    /// The USB vendor: four hexadecimal digits in lower case.
    public var vendor: String?
    /// The USB product: four hexadecimal digits in lower case.
    public var product: String?
    /// The serial number of the USB device.
    public var serial: String?
    /// The vendor's name.
    public var vendorName: String?
    /// The product's name.
    public var productName: String?
    /// The physical connection: udev's `ID_PATH`.
    public var idPath: String?
    /// The kernel's driver.
    public var driver: String?
    /// The symbolic links made by udev: `/dev/serial/by-id/…`.
    public var links: [String]
    /// The access rights; `nil` if unknown.
    public var access: Access?

    /// Makes a description; only the path is required.
    public init(
        path: String, vendor: String? = nil, product: String? = nil, serial: String? = nil,
        vendorName: String? = nil, productName: String? = nil, idPath: String? = nil,
        driver: String? = nil, links: [String] = [], access: Access? = nil
    ) {
        self.path = path
        self.vendor = vendor
        self.product = product
        self.serial = serial
        self.vendorName = vendorName
        self.productName = productName
        self.idPath = idPath
        self.driver = driver
        self.links = links
        self.access = access
    }

    /// The shortest identity that is unique among these ports, for use in a configuration.
    ///
    /// `nil` when only the path is unique, as for ports that are not USB.
    public func identity(among ports: [SerialPortDescription]) -> SerialPortIdentity? {
        let candidates: [[SerialPortIdentity.Key]] = [
            [.vendor, .product, .serial], [.vendor, .product], [.vendor, .product, .idPath],
            [.idPath],
        ]
        return candidates.lazy.compactMap(identity).first { identity in
            !ports.contains { $0.path != path && identity.matches($0) }
        }
    }

    /// An identity of these keys, if all of them are known.
    private func identity(_ keys: [SerialPortIdentity.Key]) -> SerialPortIdentity? {
        var identity = SerialPortIdentity()
        for key in keys {
            guard let value = self[key] else { return nil }
            identity[key] = value
        }
        return identity
    }
}
