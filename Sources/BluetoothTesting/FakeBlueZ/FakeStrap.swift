/// A simulated heart-rate strap (Heart Rate Service 1.0) for ``FakeBlueZ``.
public struct FakeStrap: Sendable {
    /// Its address.
    public var address: String
    /// The advertised name.
    public var name: String?
    /// The strings of its Device Information Service; an empty one is omitted.
    public var information: Information
    /// The body sensor location (Heart Rate Service 1.0, §3.2); nil to omit it.
    public var bodySensorLocation: UInt8?
    /// The battery level in percent; nil to omit the Battery Service.
    public var battery: UInt8?
    /// Whether it has a control point to reset the energy expended.
    public var hasControlPoint: Bool

    /// The strings of the Device Information Service of a ``FakeStrap``.
    public struct Information: Sendable {
        /// Manufacturer Name String.
        public var manufacturer = "Pulse Works"
        /// Model Number String.
        public var model = "Strap 1"
        /// Serial Number String.
        public var serial = "0001"
        /// Hardware Revision String.
        public var hardware = "A"
        /// Firmware Revision String.
        public var firmware = "1.2.3"
        /// Software Revision String.
        public var software = "4.5"

        /// Makes the strings of an ordinary strap.
        public init() {}
    }

    /// Makes a strap with all optional characteristics.
    public init(
        address: String = "D0:11:22:33:44:55", name: String? = "Strap 1",
        information: Information = Information(), bodySensorLocation: UInt8? = 1,
        battery: UInt8? = 80, hasControlPoint: Bool = true
    ) {
        self.address = address
        self.name = name
        self.information = information
        self.bodySensorLocation = bodySensorLocation
        self.battery = battery
        self.hasControlPoint = hasControlPoint
    }

    /// The strap as a device; it advertises only the Heart Rate Service.
    public var device: FakeDevice {
        let genericAttribute = FakeService("1801", [FakeCharacteristic("2a05", ["indicate"])])
        let services = [genericAttribute, heartRateService, informationService, batteryService]
        return FakeDevice(
            address: address, name: name, services: services.compactMap { $0 },
            advertisedUUIDs: ["180d"])
    }

    private var heartRateService: FakeService {
        var characteristics = [FakeCharacteristic("2a37", ["notify"])]
        if let bodySensorLocation {
            characteristics.append(
                FakeCharacteristic("2a38", ["read"], value: [bodySensorLocation]))
        }
        if hasControlPoint {
            // 1 resets the energy expended, anything else is error 0x80 (Heart Rate Service 1.0,
            // §3.3).
            characteristics.append(
                FakeCharacteristic("2a39", ["write"]) { $0 == [1] ? nil : 0x80 })
        }
        return FakeService("180d", characteristics)
    }

    private var informationService: FakeService? {
        let texts = [
            ("2a29", information.manufacturer), ("2a24", information.model),
            ("2a25", information.serial), ("2a27", information.hardware),
            ("2a26", information.firmware), ("2a28", information.software),
        ]
        let characteristics = texts.filter { !$0.1.isEmpty }.map {
            FakeCharacteristic($0.0, ["read"], value: Array($0.1.utf8))
        }
        return characteristics.isEmpty ? nil : FakeService("180a", characteristics)
    }

    private var batteryService: FakeService? {
        battery.map { level in
            FakeService("180f", [FakeCharacteristic("2a19", ["read", "notify"], value: [level])])
        }
    }
}
