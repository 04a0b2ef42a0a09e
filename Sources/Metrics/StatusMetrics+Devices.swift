import GatewayCore
import GatewayHost
import HealthModel

extension StatusMetrics {
    /// The time in seconds since 1970, to milliseconds.
    static func seconds(_ time: Instant) -> Double {
        Double(time.nanosecondsSince1970 / 1_000_000) / 1_000
    }

    /// The links of the devices, and what was discarded of their data.
    static func devices(_ devices: [StatusReport.Device]) -> [MetricFamily] {
        var info = MetricFamily(
            "pulsegate_device_info", "What is known of a device; the value is 1.")
        var link = MetricFamily(
            "pulsegate_device_link", "The state of the link; the value is 1 for the current one.")
        var battery = MetricFamily(
            "pulsegate_device_battery_ratio", "The charge of the battery, from 0 to 1.")
        var contact = MetricFamily(
            "pulsegate_device_contact", "Whether the sensor touches the skin: 1 or 0.")
        var lastSeen = MetricFamily(
            "pulsegate_device_last_seen_timestamp_seconds",
            "When data of the device arrived last, since 1970.")
        var records = MetricFamily(
            "pulsegate_device_records_total", "Records made of the readings of the device.")
        var discarded = MetricFamily(
            "pulsegate_device_discarded_total",
            "Data of the device that could not be used, by reason.")
        var faults = MetricFamily(
            "pulsegate_device_faults_total",
            "Readings of the device that became no record, by type and reason.")
        for device in devices {
            let labels = (
                MetricFamily.Label("device", device.identifier),
                MetricFamily.Label("source", device.source)
            )
            info.add(
                1, labels.0, labels.1, .init("name", device.name ?? ""),
                .init("manufacturer", device.manufacturer ?? ""),
                .init("model", device.model ?? ""))
            for state in LinkState.allCases {
                link.add(
                    device.link == state.rawValue, labels.0, labels.1,
                    .init("state", state.rawValue))
            }
            battery.add(device.battery, labels.0, labels.1)
            contact.add(device.contact, labels.0, labels.1)
            lastSeen.add(device.lastSeen.map(seconds), labels.0, labels.1)
            if let count = device.records { records.add(count, labels.0, labels.1) }
            for (reason, count) in device.discarded.sorted(by: { $0.key < $1.key }) {
                discarded.add(count, labels.0, labels.1, .init("reason", reason))
            }
            for fault in device.faults.sorted(by: { ($0.type, $0.reason) < ($1.type, $1.reason) }) {
                faults.add(
                    fault.count, labels.0, labels.1, .init("type", fault.type),
                    .init("reason", fault.reason))
            }
        }
        return [info, link, battery, contact, lastSeen, records, discarded, faults]
    }
}
