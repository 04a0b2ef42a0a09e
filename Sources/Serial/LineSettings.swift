/// The settings of a serial line: baud rate, character format, flow control.
public struct LineSettings: Hashable, Sendable {
    /// The data bits, parity and stop bits of a character.
    public enum CharacterFormat: Hashable, Sendable, CaseIterable {
        /// Eight data bits, no parity, one stop bit: 8N1, which nearly all devices use.
        case eightNoneOne
        /// Eight data bits, even parity, one stop bit: 8E1.
        case eightEvenOne
        /// Seven data bits, even parity, one stop bit: 7E1.
        case sevenEvenOne
    }

    /// The baud rate.
    public var baud: BaudRate
    /// The character format.
    public var format: CharacterFormat
    /// Whether RTS and CTS pause the sender (hardware flow control).
    public var usesHardwareFlowControl: Bool

    /// Makes line settings; the defaults suit most devices.
    public init(
        baud: BaudRate, format: CharacterFormat = .eightNoneOne,
        usesHardwareFlowControl: Bool = false
    ) {
        self.baud = baud
        self.format = format
        self.usesHardwareFlowControl = usesHardwareFlowControl
    }
}
