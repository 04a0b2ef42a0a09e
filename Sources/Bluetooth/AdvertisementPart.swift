package import DBus
public import Readings

/// A part of an advertisement that carries data (Core Specification Supplement 11, Part A, §1.4 and
/// §1.11).
public enum AdvertisementPart: Hashable, Sendable, CustomStringConvertible {
    /// The data of a service.
    case serviceData(BluetoothUUID)
    /// The data of a manufacturer, by its company identifier.
    case manufacturerData(UInt16)

    private static let serviceWord = "service"
    private static let manufacturerWord = "manufacturer"

    /// The part with this channel; nil if the channel is not that of a part.
    public init?(_ channel: Channel) {
        let words = channel.name.split(separator: " ")
        guard words.count == 2 else { return nil }
        switch words[0] {
        case Self.serviceWord[...]:
            guard let service = BluetoothUUID(String(words[1])) else { return nil }
            self = .serviceData(service)
        case Self.manufacturerWord[...]:
            guard let company = UInt16(words[1], radix: 16) else { return nil }
            self = .manufacturerData(company)
        default: return nil
        }
    }

    /// The channel of an adapter for this part: `service fcd2`, `manufacturer 6b`.
    public var channel: Channel { Channel(description) }

    /// The name of the part: `service fcd2`, `manufacturer 6b`.
    public var description: String {
        switch self {
        case .serviceData(let service): "\(Self.serviceWord) \(service.shortest)"
        case .manufacturerData(let company):
            "\(Self.manufacturerWord) \(String(company, radix: 16))"
        }
    }
}

extension AdvertisementPart {
    /// The names of the properties of a device with the data of its advertisements
    /// (`doc/org.bluez.Device.rst`).
    package static let propertyNames: Set<String> = ["ServiceData", "ManufacturerData"]

    /// The data of the advertisements in the properties of a device; malformed entries are left out.
    package static func data(
        in properties: [String: BusValue]
    ) -> [(part: AdvertisementPart, value: [UInt8])] {
        var data: [(part: AdvertisementPart, value: [UInt8])] = []
        for (key, value) in dictionary(properties["ServiceData"]) {
            guard let service = key.string.flatMap({ BluetoothUUID($0) }), let bytes = value.bytes
            else { continue }
            data.append((.serviceData(service), bytes))
        }
        for (key, value) in dictionary(properties["ManufacturerData"]) {
            guard let company = key.integer.flatMap({ UInt16(exactly: $0) }),
                let bytes = value.bytes
            else { continue }
            data.append((.manufacturerData(company), bytes))
        }
        return data
    }

    private static func dictionary(_ value: BusValue?) -> [BusValue: BusValue] {
        guard case .dictionary(let entries, _, _)? = value else { return [:] }
        return entries.mapValues { value in
            if case .variant(let inner) = value { inner } else { value }
        }
    }
}
