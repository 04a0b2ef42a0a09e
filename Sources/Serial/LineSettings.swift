/// How a serial line is set: its rate, the shape of a character, flow control.
public struct LineSettings: Hashable, Sendable {
    /// How many bits a character has, and what follows them.
    public enum CharacterFormat: Hashable, Sendable, CaseIterable {
        /// Eight data bits, no parity, one stop bit: 8N1, what nearly every device speaks.
        case eightNoneOne
        /// Eight data bits, even parity, one stop bit: 8E1.
        case eightEvenOne
        /// Seven data bits, even parity, one stop bit: 7E1.
        case sevenEvenOne
    }

    /// The rate of the line.
    public var baud: BaudRate
    /// The shape of a character.
    public var format: CharacterFormat
    /// Whether RTS and CTS pause the sender (hardware flow control).
    public var usesHardwareFlowControl: Bool

    /// Makes line settings; everything but the rate is what most devices want.
    public init(
        baud: BaudRate, format: CharacterFormat = .eightNoneOne,
        usesHardwareFlowControl: Bool = false
    ) {
        self.baud = baud
        self.format = format
        self.usesHardwareFlowControl = usesHardwareFlowControl
    }
}
