import GatewayCore
import GatewayTesting
import Glibc
import HTTPTesting
import Platform
import SQLite

/// A gateway that has much to do and much to put up with.
///
/// It works in rounds: in each one thing goes wrong while lines come in, and is put right.
final class Soak {
    /// What was seen of the process after a round.
    struct Sight {
        let privateBytes: Int
        let openFiles: Int
    }

    private static let samplesPerRound = 50_000
    private static let rounds = 10...200
    /// Longer than any round takes, also on a machine that does much else.
    private static let timeoutSeconds = 180.0
    private static let lookSeconds = 0.02

    let home: Home
    let gateway: RunningCommand
    let repository = FaultyRepository()
    let lines: LineReader
    private(set) var ports: [SoakPort]
    private(set) var faults: [SoakFault: Int] = [:]
    private(set) var sights: [Sight] = []
    private let server: ScriptedHTTPServer
    private let linesInARound: Int
    private let plan: [SoakFault]
    private var random: SeededGenerator
    private let clock = SystemClock()
    private var reloads = 0
    private var replugs: [String: Int] = [:]

    /// Starts the gateway.
    init(samples: Int, seed: UInt64) async throws {
        random = SeededGenerator(seed: seed)
        let rounds = min(
            max(samples / Self.samplesPerRound, Self.rounds.lowerBound), Self.rounds.upperBound)
        plan = SoakFault.plan(rounds, &random)
        home = try Home()
        let folder = home.folder
        ports = try ["left", "right"].map {
            try SoakPort(name: $0, path: folder.path("tty-\($0)"))
        }
        // The first line of each port is no sample.
        linesInARound = (samples / ports.count + 1 + rounds - 1) / rounds
        server = try repository.makeServer()
        try home.configure(Self.configuration(ports, server, lag: 1_000))
        let output = try Descriptor.makePipe()
        lines = try LineReader(output.read)
        gateway = try home.start("run", output: .descriptor(output.write))
        for port in ports {
            try await gateway.waitForLines(with: "\(port.name): connected", on: .error)
        }
    }

    /// How many samples must have come of what was sent.
    var samples: Int { ports.reduce(0) { $0 + $1.samples } }

    /// Does all rounds, and waits until every sink has everything.
    func run() async throws {
        for fault in plan {
            try await round(with: fault)
            sights.append(
                Sight(
                    privateBytes: try gateway.privateBytes(),
                    openFiles: try gateway.openFileCount()))
        }
        try await catchUp(to: 0)
    }

    /// Ends the gateway as an operator would.
    func stop() async throws -> RunningCommand.Ending {
        await gateway.send(SIGTERM)
        let ending = try await gateway.waitForEnd(within: Self.timeoutSeconds)
        lines.waitForEnd()
        return ending
    }

    private func round(with fault: SoakFault) async throws {
        faults[fault, default: 0] += 1
        switch fault {
        case .repository(let fault):
            repository.fail(fault)
            try await send()
        case .lockedStore: try await sendWithLockedStore()
        case .stuckReader:
            lines.pause()
            try await send()
            await gateway.letRun(seconds: pauseSeconds())
            lines.resume()
        case .reload:
            reloads += 1
            try home.configure(Self.configuration(ports, server, lag: 1_000 + reloads % 3))
            await gateway.send(SIGHUP)
            try await send()
            try await gateway.waitForLines(reloads, with: "reloaded", on: .error)
        case .replug:
            try await replug()
            try await send()
        }
        try await catchUp(to: 2 * linesInARound)
    }

    private func send() async throws {
        let count = linesInARound
        ports = try await withThrowingTaskGroup(of: (Int, SoakPort).self) { group in
            for (index, port) in ports.enumerated() {
                group.addTask {
                    var port = port
                    try await port.print(count)
                    return (index, port)
                }
            }
            var sent = ports
            for try await (index, port) in group { sent[index] = port }
            return sent
        }
    }

    private func sendWithLockedStore() async throws {
        try await catchUp(to: linesInARound)
        let store = try SQLiteConnection(
            path: "\(home.dataDirectory)/health.sqlite", access: .readWrite,
            busyTimeoutMilliseconds: Int32(Self.timeoutSeconds * 1000))
        try store.execute("BEGIN IMMEDIATE")
        try await send()
        await gateway.letRun(seconds: pauseSeconds())
        try store.execute("ROLLBACK")
    }

    /// Sometimes as short as can be, sometimes longer than the store waits for a lock.
    private func pauseSeconds() -> Double {
        plan.count > Self.rounds.lowerBound
            ? Double.random(in: 0.1...6, using: &random) : 0.1
    }

    /// Everything that it has printed must be read before a device goes: a port keeps nothing.
    private func replug() async throws {
        try await catchUp(to: 0)
        let index = ports.indices.randomElement(using: &random) ?? 0
        let name = ports[index].name
        ports[index].unplug()
        replugs[name, default: 0] += 1
        let count = replugs[name, default: 0]
        try await gateway.waitForLines(count, with: "\(name): disconnected", on: .error)
        try ports[index].plug()
        try await gateway.waitForLines(count + 1, with: "\(name): connected", on: .error)
    }

    /// Waits until no sink has more than so many samples before it.
    private func catchUp(to limit: Int) async throws {
        let end = clock.now().adding(seconds: Self.timeoutSeconds)
        let planned = faults.reduce(0) { sum, entry in
            if case .repository = entry.key { sum + entry.value } else { sum }
        }
        while true {
            let stored = try storedSamples()
            let (sent, printed) = (repository.sums.samples, lines.sums.samples)
            let failed = repository.failures.values.reduce(0, +)
            if samples - min(stored, sent, printed) <= limit, failed == planned { return }
            guard clock.now() < end else {
                throw RunningCommand.Failure(
                    description: "of \(samples) samples \(stored) are stored, \(sent) sent, "
                        + "\(printed) printed, \(failed) of \(planned) requests failed; "
                        + (await gateway.text(of: .error).suffix(2_000)))
            }
            await gateway.letRun(seconds: Self.lookSeconds)
        }
    }

    private func storedSamples() throws -> Int {
        let path = "\(home.dataDirectory)/health.sqlite"
        // It is made with the first record.
        guard access(path, F_OK) == 0 else { return 0 }
        let store = try SQLiteConnection(path: path, access: .readOnly)
        // The file is there a moment before its tables are.
        guard try store.pragma("user_version") != "0" else { return 0 }
        var count: Int64 = 0
        try store.prepare("SELECT max(sequence) FROM sample").forEachRow {
            count = $0.integer(at: 0)
        }
        return Int(count)
    }

    private static func configuration(
        _ ports: [SoakPort], _ server: ScriptedHTTPServer, lag: Int
    ) -> String {
        """
        { sources: { \(ports.map(\.source).joined(separator: ", ")) },
          sinks: { store: "sqlite", lines: "stdout",
            repository: { use: "http", url: "\(server.url("/v1/samples"))",
                          buffer: { maxSize: "\(lag) MiB", whenFull: "dropOldest" } } } }
        """
    }
}
