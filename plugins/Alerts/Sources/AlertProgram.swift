import GatewayCore
import Platform
import Programs

/// The program that gets the alerts: it is run once for each, with the alert on its standard input.
struct AlertProgram: Sendable {
    /// How long it may run, in seconds.
    static let limitSeconds = 30.0
    /// The time that it has after SIGTERM, in seconds.
    private static let killSeconds = 1.0
    /// The variables of the gateway by which it finds the desktop.
    private static let desktopVariables = [
        "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR",
    ]

    private let program: Program
    private let clock: any GatewayClock
    private let poller: DescriptorPoller

    /// Reads the program and its arguments.
    init(_ node: ConfigurationNode, _ context: ComponentContext) throws(ConfigurationError) {
        program = Program(
            try ProgramSettings(command: node), context, inheriting: Self.desktopVariables)
        clock = context.clock
        poller = context.poller
    }

    /// Runs the program for an alert.
    ///
    /// - Returns: Why it did not work; nil when it ended with status 0.
    func run(for alert: Alert) async throws -> String? {
        let child: ChildProcess
        do throws(ChildProcessError) {
            child = try program.launch(poller, variables: alert.variables)
        } catch {
            return "cannot start `\(program.name)`: \(error)"
        }
        guard case .ended(let end) = try await outcome(of: child, alert) else {
            _ = await child.end(graceSeconds: 0, killSeconds: Self.killSeconds, on: clock)
            return "`\(program.name)` did not end within \(Int(Self.limitSeconds)) s"
        }
        return end == .exited(0) ? nil : "`\(program.name)` \(end)"
    }

    private enum Outcome: Sendable {
        case ended(ChildProcess.End)
        case tooLong
        /// The program has closed one of its outputs.
        case silent
    }

    /// Gives the program its input, and waits for its end.
    private func outcome(of child: ChildProcess, _ alert: Alert) async throws -> Outcome {
        let deadline = clock.now().adding(seconds: Self.limitSeconds)
        return try await withThrowingTaskGroup(of: Outcome.self) { group in
            defer { group.cancelAll() }
            // What it prints is read, so that it never waits for a full pipe, and is not kept.
            for pipe in [child.output, child.errors] {
                group.addTask {
                    while (try? await pipe.read()) != nil {}
                    return .silent
                }
            }
            group.addTask {
                // A program that does not read its input is no failure.
                _ = try? await child.input.write(alert.line[...], until: deadline, on: clock)
                child.input.close()
                return .ended(try await child.waitForEnd())
            }
            group.addTask {
                try await clock.sleep(until: deadline)
                return .tooLong
            }
            while let outcome = try await group.next() {
                if case .silent = outcome { continue }
                return outcome
            }
            return .tooLong
        }
    }
}
