import Foundation
import Glibc

/// What the kernel shows of the process (proc(5)).
extension RunningCommand {
    /// Waits until the process catches SIGTERM and SIGINT, which is the first thing that it does.
    nonisolated func waitUntilSignalsAreCaught() throws {
        let wanted: UInt64 = 1 << (SIGTERM - 1) | 1 << (SIGINT - 1)
        while true {
            let status = try String(contentsOfFile: "/proc/\(processID)/status", encoding: .utf8)
            let line = status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }
            guard let mask = line.flatMap({ UInt64($0.dropFirst(8), radix: 16) }) else {
                throw Failure(description: "the process is gone: \(status)")
            }
            if mask & wanted == wanted { return }
            sched_yield()
        }
    }

    /// What is open under a number.
    nonisolated func openFile(_ number: Int) throws -> String {
        try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(processID)/fd/\(number)")
    }
}
