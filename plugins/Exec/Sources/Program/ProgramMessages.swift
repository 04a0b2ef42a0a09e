import ByteDecoding
import GatewayCore
import Platform

/// The lines of a program's standard error for the log, limited in length and number.
struct ProgramMessages {
    /// The maximum length of a message in bytes; the rest of a line is left out.
    static let lengthLimit = 400
    /// The number of messages at once.
    static let burst = 20.0
    /// The number of messages per second for longer.
    static let perSecond = 2.0

    private let log: Logger
    private var splitter = DelimitedSplitter.lines(lengthLimit: 65_536)
    private var allowance = RateAllowance(burst: burst, perSecond: perSecond)
    private var suppressed = 0

    init(log: Logger) {
        self.log = log
    }

    /// Logs the lines that these bytes complete.
    mutating func handle(_ bytes: [UInt8], at now: BootInstant) {
        var lines: [ArraySlice<UInt8>] = []
        splitter.split(bytes) { piece in
            if case .bytes(let line) = piece { lines.append(line) }
        }
        for line in lines { write(line, at: now) }
    }

    /// Logs how many messages were left out.
    mutating func finish() {
        guard suppressed > 0 else { return }
        log.warning("messages of the program suppressed", ["count": "\(suppressed)"])
        suppressed = 0
    }

    /// Logs the standard error of a program until its end.
    static func log(_ errors: ChildPipe, to context: ComponentContext) async {
        var messages = ProgramMessages(log: context.log)
        while let bytes = try? await errors.read() {
            messages.handle(bytes, at: context.clock.now())
        }
        messages.handle([UInt8(ascii: "\n")], at: context.clock.now())
        messages.finish()
    }

    private mutating func write(_ line: ArraySlice<UInt8>, at now: BootInstant) {
        guard allowance.admits(at: now) else {
            suppressed += 1
            return
        }
        finish()
        // The log escapes control characters and what is not UTF-8.
        let text = String(decoding: line.prefix(Self.lengthLimit), as: UTF8.self)
        log.info("message of the program", ["text": text])
    }
}
