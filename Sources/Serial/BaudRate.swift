public import GatewayCore
public import JSON

/// A baud rate supported by Linux, in bits per second.
///
/// These are the rates from 300 with a constant in termios(3).
public enum BaudRate: Int, Hashable, Sendable, CaseIterable {
    /// 300 bits per second.
    case baud300 = 300
    /// 600 bits per second.
    case baud600 = 600
    /// 1200 bits per second.
    case baud1200 = 1200
    /// 1800 bits per second.
    case baud1800 = 1800
    /// 2400 bits per second.
    case baud2400 = 2400
    /// 4800 bits per second.
    case baud4800 = 4800
    /// 9600 bits per second.
    case baud9600 = 9600
    /// 19200 bits per second.
    case baud19200 = 19200
    /// 38400 bits per second.
    case baud38400 = 38400
    /// 57600 bits per second.
    case baud57600 = 57600
    /// 115200 bits per second.
    case baud115200 = 115_200
    /// 230400 bits per second.
    case baud230400 = 230_400
    /// 460800 bits per second.
    case baud460800 = 460_800
    /// 500000 bits per second.
    case baud500000 = 500_000
    /// 576000 bits per second.
    case baud576000 = 576_000
    /// 921600 bits per second.
    case baud921600 = 921_600
    /// 1000000 bits per second.
    case baud1000000 = 1_000_000
    /// 1152000 bits per second.
    case baud1152000 = 1_152_000
    /// 1500000 bits per second.
    case baud1500000 = 1_500_000
    /// 2000000 bits per second.
    case baud2000000 = 2_000_000
    /// 2500000 bits per second.
    case baud2500000 = 2_500_000
    /// 3000000 bits per second.
    case baud3000000 = 3_000_000
    /// 3500000 bits per second.
    case baud3500000 = 3_500_000
    /// 4000000 bits per second.
    case baud4000000 = 4_000_000

    /// Parses a rate from the configuration.
    ///
    /// - Throws: ``ConfigurationError`` with the nearest rate when this one is not supported.
    public init(_ node: ConfigurationNode) throws(ConfigurationError) {
        let wanted = try node.integer(in: 1...Self.baud4000000.rawValue)
        guard let rate = Self(rawValue: wanted) else {
            throw node.error(
                "\(wanted) is not a supported baud rate; the nearest is "
                    + "\(Self.nearest(to: wanted).rawValue)")
        }
        self = rate
    }

    /// The nearest rate to a number; the lower one of two.
    static func nearest(to wanted: Int) -> BaudRate {
        allCases.reduce(.baud300) { best, rate in
            let isNearer =
                (rate.rawValue - wanted).magnitude < (best.rawValue - wanted).magnitude
            return isNearer ? rate : best
        }
    }
}
