package import HealthModel
package import JSON
package import Platform
package import Readings

/// An event of a capture: a line of the file after its header.
///
/// A device has a number, so that its name and its identifier are only in its `device` lines.
package enum CaptureEvent: Hashable, Sendable {
    /// The difference between UTC and boot time in nanoseconds after a step of the clock.
    case clock(offset: Int64)
    /// The properties of a device; a later line with the same number replaces them.
    case device(Int, source: String, Device)
    /// The link was opened; the adapter has these settings.
    case opened(Int, at: BootInstant, adapter: JSONValue)
    /// Bytes arrived on a channel.
    case received(Int, at: BootInstant, [UInt8], on: Channel)
    /// No data was received for too long.
    case stale(Int, at: BootInstant, reason: String)
    /// The link was closed.
    case closed(Int, at: BootInstant, reason: String)
    /// The source no longer handles the device.
    case forgotten(Int, at: BootInstant)
}

/// An event with the number of its line, from 1.
package struct CaptureLine: Hashable, Sendable {
    /// The number of the line.
    package let number: Int
    /// The event.
    package let event: CaptureEvent
}

/// The first line of a capture.
package struct CaptureHeader: Hashable, Sendable {
    /// The version of the gateway, which the records of a replay carry.
    package let version: String
    /// A clock that shows an earlier time was not set.
    package let earliest: Instant
    /// The offset of the local time from UTC, in seconds, for devices with local time.
    package let utcOffsetSeconds: Int

    /// The time since boot at the start.
    package let start: BootInstant
    /// The difference between UTC and boot time at the start, in nanoseconds.
    package let clockOffset: Int64

    /// Creates a header.
    package init(
        version: String, earliest: Instant, utcOffsetSeconds: Int, start: BootInstant,
        clockOffset: Int64
    ) {
        self.start = start
        self.clockOffset = clockOffset
        self.version = version
        self.earliest = earliest
        self.utcOffsetSeconds = utcOffsetSeconds
    }
}

/// The limits of a capture, format 1.
package enum CaptureFormat {
    /// The number of the format.
    package static let version = 1
    /// The maximum length of a line in bytes.
    package static let maximumLineLength = 64 << 10
    /// The maximum number of devices.
    package static let maximumDevices = 1_000
    /// The maximum number of bytes in a `received` line, as two hexadecimal digits each.
    static let maximumReceived = 16 << 10
    /// The maximum time since boot in nanoseconds: about 100 years.
    static let maximumTime: Int64 = 3_200_000_000_000_000_000
}

/// The error of a capture file.
package enum CaptureError: Error, Hashable, CustomStringConvertible {
    /// A system call failed.
    case system(String, path: String, code: Int32)
    /// The file exists already.
    case exists(path: String)
    /// The file does not start with the header of a capture.
    case notACapture(path: String, problem: String)
    /// A line is invalid.
    case invalid(path: String, line: Int, problem: String)

    /// The message with its remedy.
    package var description: String {
        switch self {
        case .system(let operation, let path, let code):
            "cannot \(operation) \(path): \(SystemCall.message(of: code))"
        case .exists(let path):
            "\(path) exists already; choose another name, or add --force to replace it"
        case .notACapture(let path, let problem):
            "\(path): cannot replay: \(problem); record a capture with `pulsegate capture FILE`"
        case .invalid(let path, let line, let problem): "\(path): line \(line): \(problem)"
        }
    }
}
