import GatewayTesting
import Glibc
import Serial

/// A pedometer on a port whose path stays while the device behind it comes and goes.
struct SoakPort: Sendable {
    /// A piece is written at once.
    private static let pieceLength = 65_536

    let name: String
    let path: String
    private var terminal: PseudoTerminal
    /// What the pedometer has counted, which is how many lines it has printed.
    private(set) var steps = 0

    init(name: String, path: String) throws {
        self.name = name
        self.path = path
        terminal = try PseudoTerminal()
        try link()
    }

    /// How many samples come of its lines: the first one is where counting begins.
    var samples: Int { max(steps - 1, 0) }

    /// Its source in a configuration.
    var source: String {
        """
        \(name): { use: "serial", port: { path: "\(path)" }, protocol: { use: "lines", preset: "steps" } }
        """
    }

    /// Prints so many lines, and returns when the gateway has made room for them.
    mutating func print(_ count: Int) async throws {
        var piece: [UInt8] = []
        for _ in 0..<count {
            steps += 1
            piece += "Steps: \(steps)\n".utf8
            guard piece.count >= Self.pieceLength else { continue }
            try await terminal.send(piece)
            piece.removeAll(keepingCapacity: true)
        }
        try await terminal.send(piece)
    }

    func unplug() { terminal.close() }

    /// Another device is there, with the same total.
    mutating func plug() throws {
        terminal = try PseudoTerminal()
        try link()
    }

    private func link() throws {
        unlink(path)
        guard symlink(terminal.slavePath, path) == 0 else { throw SystemFailure("symlink") }
    }
}
