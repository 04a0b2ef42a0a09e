package import GatewayCore
import Glibc
package import HealthModel
package import Platform

/// The machine that is examined; injected, so that tests can examine another one.
package struct DoctorSystem: Sendable {
    /// Runs a program and returns what it prints; nil when it cannot be run or does not end in time.
    package typealias Runner = @Sendable (_ words: [String]) async -> String?

    /// The environment of the command.
    package var environment: Environment
    /// The clock of the waits.
    package var clock: any GatewayClock
    /// The folder that stands for `/`: of `/sys`, `/proc`, `/etc`, `/run` and `/usr`.
    package var root = ""
    /// The time of day.
    package var now: @Sendable () -> Instant = {
        Instant(nanosecondsSince1970: SystemTime.wall())
    }
    /// Whether a service keeps the clock right; nil when that is not known.
    package var isSynchronized: @Sendable () -> Bool? = { SystemTime.isSynchronized() }
    package var run: Runner

    /// Makes the machine that this process runs on.
    package init(environment: Environment, clock: any GatewayClock) {
        self.environment = environment
        self.clock = clock
        let programs = ProgramOutput(environment: environment, clock: clock)
        run = { await programs.text(of: $0) }
    }

    /// A path of the machine.
    func path(_ path: String) -> String { "\(root)\(path)" }

    /// Whether there is a file or folder of the machine.
    func has(_ path: String) -> Bool { access(self.path(path), F_OK) == 0 }
}

/// Runs short programs.
struct ProgramOutput: Sendable {
    /// The time, in seconds, that a program may take.
    static let limitSeconds = 4.0
    /// The maximum length of what is read, in bytes.
    private static let sizeLimit = 65_536

    let environment: Environment
    let clock: any GatewayClock

    /// What a program prints, if it ends with status 0.
    func text(of words: [String]) async -> String? {
        let output = await Deadline(seconds: Self.limitSeconds, clock: clock).value {
            await run(words)
        }
        return output ?? nil
    }

    private func run(_ words: [String]) async -> String? {
        let variables = environment.variables.merging(["LC_ALL": "C"]) { $1 }
        let options = ChildProcess.Options(
            arguments: words, environment: variables.map { "\($0)=\($1)" }, directory: "/")
        guard let child = try? ChildProcess(options, poller: DescriptorPoller()) else { return nil }
        child.input.close()
        var bytes: [UInt8] = []
        while bytes.count < Self.sizeLimit, let part = try? await child.output.read() {
            bytes += part
        }
        guard let end = try? await child.waitForEnd(), end == .exited(0) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
