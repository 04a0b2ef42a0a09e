/// The state of the link to a device.
///
/// The raw value is shown in `status` and in the log.
public enum LinkState: String, Sendable, CaseIterable {
    /// The source is stopping and does not need the link.
    case idle
    /// The source is searching for the device; the reason tells what prevents a connection.
    case wanted
    /// The source is connecting.
    case connecting
    /// The link is open; services are being discovered.
    case resolving
    /// The source is subscribing to measurements.
    case subscribing
    /// Measurements arrive.
    case live
    /// The link is open, but no usable data was received for too long, or only unusable data.
    case stale
    /// The last attempt failed; the next one follows after a delay.
    case backOff
    /// The device is not read, because its data has crashed the gateway; the reason has the remedy.
    case quarantined
}
