package import Platform
package import Readings

/// A program that decodes what a device sends, beside the link of the device.
///
/// The transport runs it while the link is open, sends it the events of the link, and hands the
/// lines that it prints to the adapter, as bytes received on the channel of the program.
package protocol DecoderProgram: Sendable {
    /// Runs the program until the task is cancelled; one that ends by itself is started again.
    ///
    /// The program waits until `deliver` returns.
    func run(
        delivering deliver: @escaping @Sendable ([DecoderOutput], BootInstant) async -> Void
    ) async

    /// Sends it an input without waiting.
    ///
    /// - Returns: False if the program has not read its earlier inputs; this one is lost then.
    func send(_ input: DecoderInput) -> Bool

    /// The number of inputs that the program has not read yet.
    var unreadCount: Int { get }
}

/// What a transport sends to a decoder.
package enum DecoderInput: Hashable, Sendable {
    /// An event of the link.
    case event(AdapterEvent)
    /// A line could not be used, for this reason.
    case rejected(reason: String)
}

/// What a transport gets from a decoder.
package enum DecoderOutput: Sendable {
    /// A line without its end.
    case line([UInt8])
    /// A line that was too long.
    case tooLong
    /// The program has failed; nil when it works again.
    case problem(LinkError?)
}

/// A serial protocol or GATT profile whose decoder is a program.
///
/// Its adapter gets the lines of the program. It sends the reason why a line cannot be used on the
/// channel of the program.
package protocol ProgramDecoded: Sendable {
    /// Makes the program for the link of a device, without starting it.
    func makeProgram(for device: String, _ context: ComponentContext) -> any DecoderProgram

    /// Checks that the program can be executed.
    func checkProgram(_ context: ComponentContext) throws(ConfigurationError)

    /// Makes the adapter of the lines for one link.
    func makeAdapter() -> any DeviceAdapter
}
