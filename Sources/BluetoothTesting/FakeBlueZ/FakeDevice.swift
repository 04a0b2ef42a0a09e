/// A simulated Bluetooth LE device of ``FakeBlueZ``.
public struct FakeDevice: Sendable {
    /// Its address, in capital letters: `D0:11:22:33:44:55`.
    public var address: String
    /// `public` or `random`.
    public var addressType = "random"
    /// The advertised name; nil for a device without a name.
    public var name: String?
    /// The signal strength in dBm.
    public var rssi: Int16 = -60
    /// The advertised services, which may differ from its real ones.
    public var advertisedUUIDs: [String]
    /// The advertised manufacturer data, by company identifier.
    public var manufacturerData: [UInt16: [UInt8]] = [:]
    /// The advertised service data, by service UUID.
    public var serviceData: [String: [UInt8]] = [:]
    /// The advertised appearance (Bluetooth Assigned Numbers, 2.6).
    public var appearance: UInt16?
    /// The services found after connecting.
    public var services: [FakeService]
    /// The behaviour of connections to it.
    public var behaviour = FakeBehaviour()

    /// Makes a device; by default it advertises all its services.
    public init(
        address: String, name: String? = nil, services: [FakeService] = [],
        advertisedUUIDs: [String]? = nil
    ) {
        self.address = address
        self.name = name
        self.services = services
        self.advertisedUUIDs = advertisedUUIDs ?? services.map(\.uuid)
    }
}

/// A service of a ``FakeDevice``.
public struct FakeService: Sendable {
    /// Its UUID, with 4 digits for an assigned number.
    public var uuid: String
    /// The characteristics of the service.
    public var characteristics: [FakeCharacteristic]

    /// Makes a primary service.
    public init(_ uuid: String, _ characteristics: [FakeCharacteristic] = []) {
        self.uuid = uuid
        self.characteristics = characteristics
    }
}

/// A characteristic of a ``FakeService``.
public struct FakeCharacteristic: Sendable {
    /// The result of a write; nil is success, otherwise an ATT error code.
    public typealias WriteRule = @Sendable (_ value: [UInt8]) -> UInt8?

    /// Its UUID, with 4 digits for an assigned number.
    public var uuid: String
    /// The flags: `read`, `write`, `write-without-response`, `notify`, `indicate`.
    public var flags: [String]
    /// The value that a read returns.
    public var value: [UInt8]
    /// Descriptors in addition to the client configuration of a notifying characteristic.
    public var descriptors: [FakeDescriptor]
    /// The result of writes.
    public var writeRule: WriteRule

    /// Makes a characteristic.
    public init(
        _ uuid: String, _ flags: [String], value: [UInt8] = [],
        descriptors: [FakeDescriptor] = [], writeRule: @escaping WriteRule = { _ in nil }
    ) {
        self.uuid = uuid
        self.flags = flags
        self.value = value
        self.descriptors = descriptors
        self.writeRule = writeRule
    }

    var canNotify: Bool { flags.contains("notify") || flags.contains("indicate") }
}

/// A descriptor of a ``FakeCharacteristic``.
public struct FakeDescriptor: Sendable {
    /// Its UUID, with 4 digits for an assigned number.
    public var uuid: String
    /// The value that a read returns.
    public var value: [UInt8]

    /// Makes a descriptor.
    public init(_ uuid: String, value: [UInt8] = []) {
        self.uuid = uuid
        self.value = value
    }
}

/// The connection behaviour of a ``FakeDevice``; a test can change it at any time.
public struct FakeBehaviour: Sendable {
    /// The errors of the next `Connect` calls, such as `le-connection-abort-by-local`.
    public var connectFailures: [String] = []
    /// Whether `Connect` is answered.
    public var answersConnect = true
    /// The duration of connecting.
    public var connectSeconds = 0.0
    /// The duration of service discovery after connecting.
    public var resolveSeconds = 0.0
    /// Whether the services are ever resolved.
    public var resolvesServices = true
    /// Services that are missing when the others are resolved.
    public var hiddenServices: Set<String> = []
    /// The duration of a read.
    public var readSeconds = 0.0
    /// The duration of `Disconnect`; bluetoothd waits for two seconds.
    public var disconnectSeconds = 0.0
    /// The encryption that it requires; nil for none.
    public var security: FakeSecurity?
    /// Whether `AcquireNotify` is supported.
    public var offersSockets = true
    /// Whether the link exists but delivers no values and no answers to reads.
    public var isSilent = false

    /// Makes the behaviour of a device where everything succeeds immediately.
    public init() {}
}

/// A Bluetooth adapter of ``FakeBlueZ``.
public struct FakeAdapter: Sendable {
    /// The kernel name, which is also the last component of its path.
    public var name: String
    /// Its address.
    public var address: String
    /// Whether it is switched on when it appears.
    public var isPowered: Bool
    /// The supported roles: `central`, `peripheral`.
    public var roles: [String]
    /// The maximum number of simultaneous connections.
    public var linkLimit: Int

    /// Makes an adapter.
    public init(
        name: String = "hci0", address: String = "00:1A:7D:DA:71:13", isPowered: Bool = true,
        roles: [String] = ["central", "peripheral"], linkLimit: Int = .max
    ) {
        self.name = name
        self.address = address
        self.isPowered = isPowered
        self.roles = roles
        self.linkLimit = linkLimit
    }

    var path: String { "/org/bluez/\(name)" }
}

/// UUIDs in the format of bluetoothd.
enum FakeUUID {
    static let batteryService = full("180f")
    static let batteryLevel = full("2a19")
    static let clientConfiguration = full("2902")

    /// The 36-character lowercase form; an assigned number is expanded.
    static func full(_ uuid: String) -> String {
        let small = uuid.lowercased()
        return small.utf8.count == 4 ? "0000\(small)-0000-1000-8000-00805f9b34fb" : small
    }
}
