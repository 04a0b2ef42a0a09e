import Platform

/// The adopted devices, and when they were last seen.
package struct DeviceFacts: Area {
    /// A device that is adopted for longer than ``silentDays``.
    package struct Device: Sendable {
        package var identifier: String
        package var name: String?
        /// Whether anything of it was stored or received in this time.
        package var isSeen: Bool
    }

    /// The days after which a device should have been seen.
    package static let silentDays = 7

    package var devices: [Device] = []

    private var silent: [Device] { devices.filter { !$0.isSeen } }

    var findings: [Finding] {
        // When it is all of them, nothing is stored at all.
        let severity: Finding.Severity = silent.count == devices.count ? .problem : .advice
        return silent.map { device in
            let name = device.name.map { " (\($0))" } ?? ""
            return Finding(
                .deviceNotSeen,
                "\(device.identifier)\(name) is adopted, but was not seen for \(Self.silentDays) days",
                subject: device.identifier, severity: severity,
                fix: Fix(
                    command: "pulsegate devices",
                    note: "while it is worn or switched on; change its battery, or "
                        + "pulsegate forget \(ShellWord.quoted(device.identifier))"))
        }
    }

    var well: [String] {
        let seen = devices.count - silent.count
        return seen > 0
            ? ["devices: \(seen) of \(devices.count) seen in the last \(Self.silentDays) days"] : []
    }
}
