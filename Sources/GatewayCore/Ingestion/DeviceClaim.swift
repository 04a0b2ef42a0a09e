/// The devices that a source has to itself.
///
/// What two sources read is stored twice, so a configuration in which two claims meet is refused.
public struct DeviceClaim: Hashable, Sendable {
    /// How the devices are chosen.
    public enum Choice: Hashable, Sendable {
        /// These, by their local identifiers: the path of a port, the address of a radio device.
        case named(Set<String>)
        /// Whatever is around and fits, but not these.
        case any(except: Set<String>)
    }

    /// How the devices are chosen.
    public let choice: Choice
    /// The way to the devices, `bluetooth`: ``Choice/any(except:)`` means those on this way only.
    public let transport: String

    /// Makes a claim to the devices that are reached in one way.
    public init(_ choice: Choice, over transport: String) {
        self.choice = choice
        self.transport = transport
    }

    /// A claim to nothing: the source shares what it reads, or has no device.
    public static let nothing = DeviceClaim(.named([]), over: "")
}
