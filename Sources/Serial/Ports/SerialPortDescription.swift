/// What the system knows of one serial port.
public struct SerialPortDescription: Hashable, Sendable {
    /// Who may open a port.
    public struct Access: Hashable, Sendable {
        /// The user that owns the node.
        public var owner: String
        /// The group of the node, by its name or else its number.
        public var group: String
        /// The node's permission bits: `0o660`.
        public var mode: UInt32
        /// Whether this process may read and write it.
        public var isGranted: Bool

        /// Makes what is known of a node.
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
    /// Where it is plugged in: udev's `ID_PATH`, which names the socket.
    public var idPath: String?
    /// The kernel's driver.
    public var driver: String?
    /// Other paths of the node, which udev gives it: `/dev/serial/by-id/…`.
    public var links: [String]
    /// Who may open it.
    ///
    /// `nil` when the node cannot be looked at, or was not.
    public var access: Access?

    /// Makes a description; only the path is always known.
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

    /// The shortest identity that no other of these ports has, to be written into a configuration.
    ///
    /// `nil` when nothing but its path tells it from the others, as with ports that are not USB.
    public func identity(among ports: [SerialPortDescription]) -> SerialPortIdentity? {
        let candidates: [[SerialPortIdentity.Key]] = [
            [.vendor, .product, .serial], [.vendor, .product], [.vendor, .product, .idPath],
            [.idPath],
        ]
        return candidates.lazy.compactMap(identity).first { identity in
            !ports.contains { $0.path != path && identity.matches($0) }
        }
    }

    /// An identity of just these keys, when all of them are known.
    private func identity(_ keys: [SerialPortIdentity.Key]) -> SerialPortIdentity? {
        var identity = SerialPortIdentity()
        for key in keys {
            guard let value = self[key] else { return nil }
            identity[key] = value
        }
        return identity
    }
}
