import GatewayCore
import JSON
import Platform

/// The program that gets the alerts: it is run once for each, with the alert on its standard input.
struct AlertProgram: Sendable {
    /// How long it may run, in seconds.
    static let limitSeconds = 30.0
    /// The time that it has after SIGTERM, in seconds.
    private static let killSeconds = 1.0
    /// The variables of the gateway that it gets: the others may be secrets.
    private static let inherited = [
        "HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "TMPDIR", "TZ", "USER",
        "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR",
    ]
    private static let argumentLimit = 64
    private static let textLimit = 4_096

    private let arguments: [String]
    private let variables: [String: String]
    private let directory: String
    private let clock: any GatewayClock

    /// Reads the program and its arguments.
    init(_ node: ConfigurationNode, _ context: ComponentContext) throws(ConfigurationError) {
        var arguments: [String] = []
        for element in try node.array() {
            guard case .string(let text) = element.value, !text.utf8.contains(0),
                text.utf8.count <= Self.textLimit
            else {
                throw element.error(
                    "must be text of up to \(Self.textLimit) bytes without a null character")
            }
            arguments.append(text)
        }
        guard arguments.first?.isEmpty == false, arguments.count <= Self.argumentLimit else {
            throw node.error(
                "must be a list of 1 to \(Self.argumentLimit) strings, the program and its arguments"
            )
        }
        self.arguments = arguments
        directory = context.dataDirectory
        clock = context.clock
        var variables = context.environment.filter { Self.inherited.contains($0.key) }
        variables["PATH"] = variables["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        self.variables = variables
    }

    /// Runs the program for an alert.
    ///
    /// - Returns: Why it did not work; nil when it ended with status 0.
    func run(for alert: Alert) async throws -> String? {
        let environment = variables.merging(alert.variables) { $1 }
        let child: ChildProcess
        do throws(ChildProcessError) {
            child = try ChildProcess(
                ChildProcess.Options(
                    arguments: arguments,
                    environment: environment.map { "\($0.key)=\($0.value)" }.sorted(),
                    directory: directory),
                poller: DescriptorPoller())
        } catch {
            return "cannot start `\(arguments[0])`: \(error)"
        }
        guard case .ended(let end) = try await outcome(of: child, alert) else {
            _ = await child.end(graceSeconds: 0, killSeconds: Self.killSeconds, on: clock)
            return "`\(arguments[0])` did not end within \(Int(Self.limitSeconds)) s"
        }
        return end == .exited(0) ? nil : "`\(arguments[0])` \(end)"
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
