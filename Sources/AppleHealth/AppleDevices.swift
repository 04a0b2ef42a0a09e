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
        "UDIDeviceIdentifier", "creation date",
    ]

    /// Reads `, name:Apple Watch, …>`; a value may contain `, ` too.
    private static func device(ofFields text: String) -> Device? {
        var fields: [String: String] = [:]
        var current: String?
        for part in parts(of: text.hasSuffix(">") ? text.dropLast() : text[...]) {
            if let name = names.first(where: { part.hasPrefix("\($0):") }) {
                current = name
                fields[name] = String(part.dropFirst(name.count + 1))
            } else if let current {
                fields[current, default: ""] += ", \(part)"
            }
        }
        guard !fields.isEmpty else { return nil }
        return Device(
            name: fields["name"], manufacturer: fields["manufacturer"], model: fields["model"],
            hardwareVersion: fields["hardware"], firmwareVersion: fields["firmware"],
            softwareVersion: fields["software"], localIdentifier: fields["localIdentifier"])
    }

    /// The parts between `, `.
    private static func parts(of text: Substring) -> [Substring] {
        var parts: [Substring] = []
        for piece in text.split(separator: ",", omittingEmptySubsequences: false).dropFirst() {
            if piece.hasPrefix(" ") || parts.isEmpty {
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
