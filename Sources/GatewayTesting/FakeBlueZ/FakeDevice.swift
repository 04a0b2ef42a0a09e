/// A Bluetooth LE device that ``FakeBlueZ`` puts on the air, as data.
public struct FakeDevice: Sendable {
    /// Its address, in capital letters: `D0:11:22:33:44:55`.
    public var address: String
    /// `public` or `random`.
    public var addressType = "random"
    /// What it calls itself; nil for one without a name.
    public var name: String?
    /// How strongly it is heard, in dBm.
    public var rssi: Int16 = -60
    /// The services that it advertises, which need not be those it has.
    public var advertisedUUIDs: [String]
    /// Data of its maker, by the company's number.
    public var manufacturerData: [UInt16: [UInt8]] = [:]
    /// Data of services in its advertisement, by their UUID.
    public var serviceData: [String: [UInt8]] = [:]
    /// The appearance in its advertisement (Bluetooth Assigned Numbers, 2.6).
    public var appearance: UInt16?
    /// What is found on it when it is connected.
    public var services: [FakeService]
    /// How it takes being connected.
    public var behaviour = FakeBehaviour()

    /// Makes a device; it advertises all its services unless told otherwise.
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
    /// What it has.
    public var characteristics: [FakeCharacteristic]

    /// Makes a primary service.
    public init(_ uuid: String, _ characteristics: [FakeCharacteristic] = []) {
        self.uuid = uuid
        self.characteristics = characteristics
    }
}

/// A characteristic of a ``FakeService``.
public struct FakeCharacteristic: Sendable {
    /// Decides what a write does; nil is success, else the ATT error to answer with.
    public typealias WriteRule = @Sendable (_ value: [UInt8]) -> UInt8?

    /// Its UUID, with 4 digits for an assigned number.
    public var uuid: String
    /// What can be done with it: `read`, `write`, `write-without-response`, `notify`, `indicate`.
    public var flags: [String]
    /// What a read answers.
    public var value: [UInt8]
    /// Descriptors beside the one that every notifying characteristic has.
    public var descriptors: [FakeDescriptor]
    /// What a write does.
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
    /// What a read answers.
    public var value: [UInt8]

    /// Makes a descriptor.
    public init(_ uuid: String, value: [UInt8] = []) {
        self.uuid = uuid
        self.value = value
    }
}

/// How a ``FakeDevice`` takes being connected; a test changes it while it goes on.
public struct FakeBehaviour: Sendable {
    /// What the next calls of `Connect` fail with, such as `le-connection-abort-by-local`.
    public var connectFailures: [String] = []
    /// Whether `Connect` is ever answered.
    public var answersConnect = true
    /// How long connecting takes.
    public var connectSeconds = 0.0
    /// How long its services take to be found after that.
    public var resolveSeconds = 0.0
    /// Whether they are found at all.
    public var resolvesServices = true
    /// Services that are missing when the others are there.
    public var hiddenServices: Set<String> = []
    /// How long a read takes.
    public var readSeconds = 0.0
    /// How long `Disconnect` takes; bluetoothd waits for two seconds.
    public var disconnectSeconds = 0.0
    /// Whether the link stands with nothing coming over it, and no read being answered.
    public var isSilent = false

    /// Makes the behaviour of a device with which all goes well and at once.
    public init() {}
}

/// A Bluetooth adapter of ``FakeBlueZ``.
public struct FakeAdapter: Sendable {
    /// Its name in the kernel, and the end of its path.
    public var name: String
    /// Its address.
    public var address: String
    /// Whether it is switched on when it appears.
    public var isPowered: Bool
    /// What it can be: a `central`, a `peripheral`.
    public var roles: [String]
    /// How many devices it can be connected to at once.
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

/// UUIDs as bluetoothd writes them.
enum FakeUUID {
    static let batteryService = full("180f")
    static let batteryLevel = full("2a19")
    static let clientConfiguration = full("2902")

    /// All 36 letters, small; an assigned number is completed.
    static func full(_ uuid: String) -> String {
        let small = uuid.lowercased()
        return small.utf8.count == 4 ? "0000\(small)-0000-1000-8000-00805f9b34fb" : small
    }
}
