public import HealthModel
public import JSON
public import Platform
public import Readings

/// The raw traffic of a device, before its adapter.
public enum DeviceTraffic: Hashable, Sendable {
    /// The settings of the adapter of the link that is about to be reported as opened: its
    /// `protocol`, its `profiles` or its `formats`, as in a configuration.
    case adapter(JSONValue)
    /// Properties of the device that the transport has found since the link was opened.
    case device(Device)
    /// Bytes that are handed to the adapter.
    case received([UInt8], on: Channel, at: BootInstant)
}

/// The recorder of a capture.
package protocol TrafficRecorder: Sendable {
    /// Records a report of a source before the pipeline handles it.
    func record(_ report: DeviceReport, from source: String) async
}
