import HealthModel

/// The devices of an export, by their texts.
///
/// A text is `<<HKDevice: 0x281e4f2a0>, name:Apple Watch, manufacturer:Apple Inc., model:Watch>`.
struct AppleDevices {
    private var known: [String: Device] = [:]

    /// The device of a text; nil when the text names none of its fields.
    mutating func device(_ text: String) -> Device? {
        guard let end = text.utf8.firstIndex(of: UInt8(ascii: ",")) else { return nil }
        // The address before it differs from record to record.
        let key = String(text[end...])
        if let device = known[key] { return device }
        let device = Self.device(ofFields: key)
        if known.count >= AppleRecordMaker.cacheLimit { known.removeAll() }
        known[key] = device
        return device
    }

    private static let names = [
        "name", "manufacturer", "model", "hardware", "firmware", "software", "localIdentifier",
        "serial", "UDIDeviceIdentifier", "creation date",
    ]

    /// The text of a device.
    static func text(_ device: Device) -> String {
        let fields = [
            ("name", device.name), ("manufacturer", device.manufacturer), ("model", device.model),
            ("hardware", device.hardwareVersion), ("firmware", device.firmwareVersion),
            ("software", device.softwareVersion), ("localIdentifier", device.localIdentifier),
            ("serial", device.serial),
        ]
        let texts = fields.compactMap { name, value in value.map { "\(name):\($0)" } }
        return "<\((["<HKDevice: 0x0>"] + texts).joined(separator: ", "))>"
    }

    /// Reads `, name:Apple Watch, …>`; a value may contain `, ` too.
    ///
    /// By scalars: a delimiter and a combining mark after it are one character.
    private static func device(ofFields text: String) -> Device? {
        var fields: [String: String] = [:]
        var current: String?
        let scalars = text.unicodeScalars
        for part in parts(of: scalars.last == ">" ? scalars.dropLast() : scalars[...]) {
            if let name = names.first(where: { part.starts(with: "\($0):".unicodeScalars) }) {
                current = name
                fields[name] = String(part.dropFirst(name.count + 1))
            } else if let current {
                fields[current, default: ""] += ", " + String(part)
            }
        }
        guard !fields.isEmpty else { return nil }
        return Device(
            name: fields["name"], manufacturer: fields["manufacturer"], model: fields["model"],
            hardwareVersion: fields["hardware"], firmwareVersion: fields["firmware"],
            softwareVersion: fields["software"], localIdentifier: fields["localIdentifier"],
            serial: fields["serial"])
    }

    /// The parts between `, `.
    private static func parts(
        of text: Substring.UnicodeScalarView
    ) -> [Substring.UnicodeScalarView] {
        var parts: [Substring.UnicodeScalarView] = []
        for piece in text.split(separator: ",", omittingEmptySubsequences: false).dropFirst() {
            if piece.first == " " || parts.isEmpty {
                parts.append(piece.drop { $0 == " " })
            } else {
                // The comma of `Watch6,2`.
                let last = parts.removeLast()
                parts.append(text[last.startIndex..<piece.endIndex])
            }
        }
        return parts
    }
}
