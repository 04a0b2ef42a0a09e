import Foundation
import GatewayTesting
import Glibc
import XCTest

/// Where `backup` writes: not over what it backs up, and to a pipe as long as nobody interrupts it.
final class BackupTargetTests: XCTestCase {
    func testWhatIsBackedUp_isNeverReplaced() async throws {
        let homes = try await BackupHomes(samples: 3)
        let store = "\(homes.old.dataDirectory)/health.sqlite"
        let link = homes.old.folder.path("link")
        XCTAssertEqual(symlink(store, link), 0)
        let paths = [
            store, link, "\(homes.old.dataDirectory)/people.json", homes.old.configurationPath,
            "\(homes.old.dataDirectory)/new.tar",
        ]
        let before = paths.map { FileManager.default.contents(atPath: $0) }
        for path in paths {
            for options in [["--force"], []] {
                let outcome = try await homes.old.run(["backup", path] + options)
                XCTAssertEqual(outcome.ending, .exited(1), outcome.error)
                XCTAssertTrue(
                    outcome.error.contains("\(path) is part of what is backed up"), outcome.error)
            }
        }
        XCTAssertEqual(paths.map { FileManager.default.contents(atPath: $0) }, before)
        XCTAssertEqual(homes.drafts, [])
    }

    func testPipeWithAReader_getsTheArchive() async throws {
        let homes = try await BackupHomes(samples: 3)
        let pipe = homes.old.folder.path("pipe")
        XCTAssertEqual(mkfifo(pipe, 0o600), 0)
        let outcome = try await homes.old.run(
            ["backup", pipe],
            prefix: [
                "/bin/sh", "-c", "cat '\(pipe)' > '\(homes.backup)' & \"$0\" \"$@\" && wait",
            ])
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        try await BackupHomes.succeed(homes.old, "restore", "--check", homes.backup)
        XCTAssertEqual(homes.drafts, [])
    }

    func testPipeWhoseReaderDoesNotRead_isEndedByTheFirstSignal() async throws {
        let homes = try await BackupHomes(samples: 2_000)
        let pipe = homes.old.folder.path("pipe")
        XCTAssertEqual(mkfifo(pipe, 0o600), 0)
        let reader = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        defer { close(reader) }
        let command = try homes.old.start("backup", pipe)
        let isWriting = await command.waits(within: RunningCommand.timeoutSeconds) { _ in
            var poll = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
            return Glibc.poll(&poll, 1, 0) == 1 && poll.revents & Int16(POLLIN) != 0
        }
        XCTAssertTrue(isWriting)
        await command.send(SIGTERM)
        let ending = try await command.waitForEnd()
        XCTAssertEqual(ending, .killed(bySignal: SIGTERM))
        XCTAssertEqual(homes.drafts, [])
    }

    func testPipeThatNobodyReads_isEndedByTheFirstSignal() async throws {
        let homes = try await BackupHomes(samples: 3)
        let pipe = homes.old.folder.path("pipe")
        XCTAssertEqual(mkfifo(pipe, 0o600), 0)
        let command = try homes.old.start("backup", pipe)
        // The delivery is over: the command has no other file open to wait for.
        let waits = await command.waits(within: RunningCommand.timeoutSeconds) { _ in
            Self.isInOpen(command.processID)
        }
        XCTAssertTrue(waits)
        await command.send(SIGTERM)
        let ending = try await command.waitForEnd()
        XCTAssertEqual(ending, .killed(bySignal: SIGTERM))
        XCTAssertEqual(homes.drafts, [])
    }

    /// The number of openat(2).
    #if arch(x86_64)
        private static let openCall = 257
    #else
        private static let openCall = 56
    #endif

    /// Whether a thread of a process waits in the kernel for the other end of a pipe.
    private static func isInOpen(_ process: pid_t) -> Bool {
        BackupHomes.names(in: "/proc/\(process)/task").contains { thread in
            let path = "/proc/\(process)/task/\(thread)/syscall"
            let text = FileManager.default.contents(atPath: path).map {
                String(decoding: $0, as: UTF8.self)
            }
            return text?.hasPrefix("\(openCall) ") ?? false
        }
    }
}
