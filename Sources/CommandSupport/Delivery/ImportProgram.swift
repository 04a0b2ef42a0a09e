import GatewayCore
import GatewayHost
import JSON
import Platform
import StoreRequests

/// Imports a file for a running gateway with `pulsegate import`, in a process of its own.
///
/// A client's file cannot harm the gateway there, whatever it has, and the memory is given back.
struct ImportProgram: Sendable {
    /// The time that an import may take, in seconds.
    private static let limitSeconds = 600.0
    /// The time between SIGTERM and SIGKILL, in seconds.
    private static let killSeconds = 5.0
    /// The maximum number of bytes of what it prints that are kept.
    private static let outputLimit = 65_536
    /// This program, also after its file was replaced.
    private static let ownProgram = "/proc/self/exe"

    private let program: String
    private let options: [String]
    private let variables: [String]
    private let clock: any GatewayClock

    /// Prepares imports with the configuration of a call.
    init(
        _ arguments: ParsedArguments, _ environment: Environment, clock: any GatewayClock,
        program: String = ImportProgram.ownProgram
    ) {
        self.program = program
        let name = CommandSyntax.configuration.name
        options = arguments.value(of: name).map { [name, $0] } ?? []
        // What systemd has told the gateway is not for another process.
        variables = environment.variables.filter { !ServiceEnvironment.names.contains($0.key) }
            .map { "\($0.key)=\($0.value)" }.sorted()
        self.clock = clock
    }

    /// Imports a file for a person.
    func run(_ path: String, _ person: String) async throws -> Uploads.Outcome {
        let child: ChildProcess
        do {
            child = try start(path, person)
        } catch {
            let cause = (error as? any CausedError)?.failureCause ?? .failure
            return .failed("the import cannot be started: \(error)", cause)
        }
        child.input.close()
        let deadline = clock.now().adding(seconds: Self.limitSeconds)
        async let output = Self.read(child.output)
        async let errors = Self.read(child.errors)
        guard let end = try await waitForEnd(of: child, until: deadline) else {
            _ = await child.end(graceSeconds: 0, killSeconds: Self.killSeconds, on: clock)
            return .failed(
                "the import did not end within \(Int(Self.limitSeconds)) s; send the file again, or "
                    + "parts of it", .busy)
        }
        return Self.outcome(end, output: await output, errors: await errors)
    }

    private func start(_ path: String, _ person: String) throws -> ChildProcess {
        try ChildProcess(
            ChildProcess.Options(
                arguments: [program, "import", "--json", "--person", person] + options + [path],
                environment: variables,
                directory: "."),
            poller: DescriptorPoller())
    }

    /// Waits for the end; nil when it does not come in time.
    private func waitForEnd(
        of child: ChildProcess, until deadline: BootInstant
    ) async throws -> ChildProcess.End? {
        try await withThrowingTaskGroup(of: ChildProcess.End?.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await child.waitForEnd() }
            group.addTask { [clock] in
                try await clock.sleep(until: deadline)
                return nil
            }
            return try await group.next() ?? nil
        }
    }

    /// Reads to the end; what is beyond the limit is dropped.
    private static func read(_ pipe: ChildPipe) async -> String {
        var bytes: [UInt8] = []
        while let more = try? await pipe.read() {
            bytes += more.prefix(max(outputLimit - bytes.count, 0))
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// What the command has printed: a line of JSON, notes, and an error.
    static func outcome(
        _ end: ChildProcess.End, output: String, errors: String
    ) -> Uploads.Outcome {
        let lines = errors.split(separator: "\n").map { line in
            line.hasPrefix(CommandNote.errorStart)
                ? line.dropFirst(CommandNote.errorStart.count) : line
        }
        let notes = lines.filter { $0.hasPrefix(CommandNote.noteStart) }
            .map { String($0.dropFirst(CommandNote.noteStart.count)) }
        let problems = lines.filter { !$0.hasPrefix(CommandNote.noteStart) }
        let result = try? JSONValue(json5: output)
        guard end == .exited(0) else {
            return .failed(
                problems.isEmpty ? "the import \(end)" : problems.joined(separator: "\n"),
                cause(of: result))
        }
        guard case .object(let result)? = result else {
            return .failed("the import has printed no result", .failure)
        }
        return .imported(result, notes: notes)
    }

    /// The cause in the object of a file; a command that ended without one was at fault itself.
    private static func cause(of result: JSONValue?) -> FailureCause {
        guard case .object(let fields)? = result, case .string(let word)? = fields["cause"] else {
            return .failure
        }
        return FailureCause(rawValue: word) ?? .failure
    }
}
