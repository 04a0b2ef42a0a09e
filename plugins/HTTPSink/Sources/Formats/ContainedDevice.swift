import HealthModel
import JSON

/// A device as a FHIR R4 Device contained in its Observation.
enum ContainedDevice {
    /// The resource; empty when nothing is known about the device.
    static func json(_ device: Device) -> [UInt8] {
        var json: [UInt8] = []
        append(device.localIdentifier, to: &json) {
            ",\"identifier\":[{\"system\":\"\(FHIRSystem.device)\",\"value\":\($0)}]"
        }
        append(device.manufacturer, to: &json) { ",\"manufacturer\":\($0)" }
        append(device.serial, to: &json) { ",\"serialNumber\":\($0)" }
        append(device.name, to: &json) {
            ",\"deviceName\":[{\"name\":\($0),\"type\":\"user-friendly-name\"}]"
        }
        append(device.model, to: &json) { ",\"modelNumber\":\($0)" }
        let versions = versions(of: device)
        if !versions.isEmpty {
            json.append(contentsOf: ",\"version\":[\(versions.joined(separator: ","))]".utf8)
        }
        guard !json.isEmpty else { return [] }
        return Array("{\"resourceType\":\"Device\",\"id\":\"device\"".utf8) + json
            + Array("}".utf8)
    }

    private static func versions(of device: Device) -> [String] {
        [
            ("hardware", device.hardwareVersion), ("firmware", device.firmwareVersion),
            ("software", device.softwareVersion),
        ].compactMap { name, version in
            string(version).map { "{\"type\":{\"text\":\"\(name)\"},\"value\":\($0)}" }
        }
    }

    private static func append(
        _ text: String?, to json: inout [UInt8], as member: (String) -> String
    ) {
        guard let string = string(text) else { return }
        json.append(contentsOf: member(string).utf8)
    }

    /// A text as a valid FHIR JSON string; nil when only white space remains.
    ///
    /// A string has no control characters except tab and line ends, is not empty, and should not have
    /// leading or trailing white space (FHIR R4, datatypes.html, "string").
    private static func string(_ text: String?) -> String? {
        guard let text else { return nil }
        let scalars = text.unicodeScalars.map { isForbidden($0) ? " " : $0 }
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return nil }
        var result = String.UnicodeScalarView()
        result.append(contentsOf: scalars[first...last])
        var json: [UInt8] = []
        json.appendJSONString(String(result))
        return String(decoding: json, as: UTF8.self)
    }

    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 && !["\t", "\n", "\r"].contains(scalar)
    }
}
