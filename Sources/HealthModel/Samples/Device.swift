import JSON

/// The device that recorded a sample, with the information it has reported.
///
/// Devices are equal when all their fields are equal. A copy costs a reference.
public struct Device: Hashable, Sendable {
    /// The maximum length of a field in bytes of UTF-8; longer ones are truncated.
    ///
    /// A GATT characteristic has at most 512 bytes (Bluetooth Core 5.4, Vol 3 Part F 3.2.9).
    public static let maximumTextLength = 512

    private let storage: Storage

    private final class Storage: Sendable {
        let fields: [Field: String]
        let json: [UInt8]

        init(_ fields: [Field: String]) {
            self.fields = fields
            json = Device.json(of: fields)
        }
    }

    /// The fields of a device, in the order of its JSON.
    enum Field: String, CaseIterable {
        case name, manufacturer, model, hardwareVersion, firmwareVersion, softwareVersion
        case localIdentifier, serial
    }

    /// Makes a device.
    public init(
        name: String? = nil, manufacturer: String? = nil, model: String? = nil,
        hardwareVersion: String? = nil, firmwareVersion: String? = nil,
        softwareVersion: String? = nil, localIdentifier: String? = nil, serial: String? = nil
    ) {
        var fields: [Field: String] = [:]
        fields[.name] = name
        fields[.manufacturer] = manufacturer
        fields[.model] = model
        fields[.hardwareVersion] = hardwareVersion
        fields[.firmwareVersion] = firmwareVersion
        fields[.softwareVersion] = softwareVersion
        fields[.localIdentifier] = localIdentifier
        fields[.serial] = serial
        self.init(fields: fields)
    }

    /// Makes a device from its fields.
    init(fields: [Field: String]) {
        storage = Storage(fields.mapValues { $0.cut(toBytes: Self.maximumTextLength) })
    }

    /// The name of the device.
    public var name: String? { self[.name] }
    /// The manufacturer.
    public var manufacturer: String? { self[.manufacturer] }
    /// The model, as the manufacturer calls it.
    public var model: String? { self[.model] }
    /// The hardware version.
    public var hardwareVersion: String? { self[.hardwareVersion] }
    /// The firmware version.
    public var firmwareVersion: String? { self[.firmwareVersion] }
    /// The software version.
    public var softwareVersion: String? { self[.softwareVersion] }
    /// The identifier on this machine, such as a Bluetooth address or the path of a port.
    public var localIdentifier: String? { self[.localIdentifier] }
    /// The serial number.
    public var serial: String? { self[.serial] }

    /// Returns this device with the fields of another one, which take precedence.
    public func merging(_ other: Device) -> Device {
        Device(fields: storage.fields.merging(other.storage.fields) { $1 })
    }

    /// Whether two devices have the same fields.
    public static func == (left: Device, right: Device) -> Bool {
        // The JSON contains all fields in a fixed order.
        left.storage === right.storage || left.json == right.json
    }

    /// Hashes all fields.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(json)
    }

    private subscript(field: Field) -> String? { storage.fields[field] }
}

extension Device {
    /// The device as a JSON object, encoded once because every sample of a stream contains it.
    var json: [UInt8] { storage.json }

    private static func json(of fields: [Field: String]) -> [UInt8] {
        var buffer: [UInt8] = [UInt8(ascii: "{")]
        for field in Field.allCases {
            guard let value = fields[field] else { continue }
            if buffer.count > 1 { buffer.append(UInt8(ascii: ",")) }
            buffer.appendJSONString(field.rawValue)
            buffer.append(UInt8(ascii: ":"))
            buffer.appendJSONString(value)
        }
        buffer.append(UInt8(ascii: "}"))
        return buffer
    }
}

extension String {
    /// Returns the longest prefix of whole characters with at most `limit` bytes of UTF-8.
    func cut(toBytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: limit)
        while String.Index(end, within: self) == nil { end = utf8.index(before: end) }
        return String(self[..<end])
    }
}
