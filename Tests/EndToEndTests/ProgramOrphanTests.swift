import Foundation
import GatewayTesting
import Glibc
import Platform
import XCTest

/// Programs end with the gateway, also when it is killed with `kill -9`.
final class ProgramOrphanTests: XCTestCase {
    /// Ignores every signal that it can ignore, reads nothing, and holds a FIFO open.
    private static let program = """
        trap '' PIPE TERM HUP INT QUIT
        exec 9> "$1"
        echo started >&2
        while :; do sleep 1; done
        """

    func testKill9_ofTheGateway_endsItsPrograms() async throws {
        let home = try Home()
        try home.folder.write(Array(Self.program.utf8), to: "program.sh")
        let fifo = home.folder.path("fifo")
        XCTAssertEqual(mkfifo(fifo, 0o600), 0)
        try home.configure(
            """
            { sources: { own: { use: "exec",
                command: ["sh", "\(home.folder.path("program.sh"))", "\(fifo)"] } },
              sinks: { store: "sqlite" } }
            """)
        // For both, so that opening does not wait for the program.
        let end = open(fifo, O_RDWR | O_CLOEXEC)
        XCTAssertGreaterThanOrEqual(end, 0)
        let gateway = try home.start("run")
        try await gateway.waitForLines(with: "text=started", on: .error)
        let reader = open(fifo, O_RDONLY | O_CLOEXEC)
        XCTAssertGreaterThanOrEqual(reader, 0)
        close(end)
        await gateway.send(SIGKILL)
        _ = try await gateway.waitForEnd()
        // The end of the file comes when the program and its `sleep` have ended.
        let (bytes, code) = try await Self.read(reader)
        XCTAssertEqual(bytes, 0)
        XCTAssertEqual(code, 0)
        close(reader)
    }

    /// Reads on a thread of its own; a program that goes on never lets it return.
    private static func read(_ descriptor: Int32) async throws -> (bytes: Int, code: Int32) {
        await withCheckedContinuation { continuation in
            SystemThread.start(name: "fifo") {
                var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                guard poll(&wait, 1, 30_000) == 1 else {
                    return continuation.resume(returning: (-1, ETIMEDOUT))
                }
                var byte: UInt8 = 0
                let count = Glibc.read(descriptor, &byte, 1)
                continuation.resume(returning: (count, count < 0 ? errno : 0))
            }
        }
    }
}
