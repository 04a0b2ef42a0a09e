import GatewayCore
import GatewayHost
import Platform
import Synchronization
import Terminal

/// `pulsegate check --exec`: runs a program for some seconds, and shows what the gateway makes of it.
struct ProgramCheck {
    private static let defaultSeconds = 5.0
    private static let inputLimit = 1 << 20

    let call: Subcommand.Call
    let command: String

    func run() async throws(HostError) -> ExitStatus {
        let seconds = try call.arguments.seconds(of: "--for") ?? Self.defaultSeconds
        let input = try call.arguments.value(of: "--input").map { path throws(HostError) in
            try BinaryFile.read(path, limit: Self.inputLimit)
        }
        let role = try ProgramRole(call.arguments.value(of: "--as"), hasInput: input != nil)
        let words = [command] + call.arguments.operands
        let stop = StopSignal()
        stop.listen()
        let queue = LogOutput.queue(screen: nil)
        let warnings = Warnings()
        let log = LogOutput.logger(environment: call.environment, queue: queue)
        let clock = SystemClock()
        let host = GatewayHost(
            plugins: call.plugins, environment: call.environment, clock: clock,
            log: warnings.following(log), executor: call.executor)
        let device = try input.map { bytes throws(HostError) in try TrialDevice(bytes) }
        let configuration = try role.configuration(
            words, port: device?.portPath, types: call.files().types)
        let sending = OwnedTask(on: call.executor) { await device?.send() }
        let trial = try await host.tryOut(
            configuration, in: DataDirectory(relativePath: "."), seconds: seconds, until: stop)
        sending.cancel()
        device?.close()
        await queue.drain(seconds: LogOutput.drainSeconds, clock: clock)
        let report = ProgramReport(trial, of: role, warnings: warnings.count)
        try StandardStream.output.writeResult(report.text)
        return report.findings.isEmpty ? .success : .failure
    }

    /// Counts the warnings and errors of a log.
    private final class Warnings: Sendable {
        private let state = Mutex(0)

        var count: Int { state.withLock { $0 } }

        func following(_ log: Logger) -> Logger {
            Logger(component: "check") { record in
                if record.level >= .warning { self.state.withLock { $0 += 1 } }
                log.write(record)
            }
        }
    }
}

extension ProgramRole {
    /// Reads the role from the option `--as`; a decoder needs the bytes of a device.
    fileprivate init(_ word: String?, hasInput: Bool) throws(HostError) {
        guard let role = word.map(Self.init(rawValue:)) ?? (hasInput ? .decoder : .source) else {
            throw HostError(
                .usage,
                "--as: `\(LogFormat.escaped(word ?? ""))` must be source, decoder or sink")
        }
        guard (role == .decoder) == hasInput else {
            throw HostError(
                .usage,
                hasInput
                    ? "--input is for `--as decoder`"
                    : "a decoder needs the bytes of its device; add --input FILE")
        }
        self = role
    }
}
