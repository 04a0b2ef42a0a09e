import Foundation
import GatewayCore
import Platform

/// The kernel's thread names of this process (proc(5)).
package enum ThreadNames {
    /// A timeout, with the last thread names.
    package struct Failure: Error {
        package let names: [String]
    }

    /// The name of the current thread.
    package static var current: String { name(at: "/proc/thread-self/comm") ?? "" }

    /// Waits until the names meet a condition; polls, because only the kernel knows when a thread
    /// ends.
    package static func wait(until isWanted: ([String]) -> Bool) async throws -> [String] {
        let clock = SystemClock()
        let end = clock.now().adding(nanoseconds: 30_000_000_000)
        while true {
            let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
                .compactMap { name(at: "/proc/self/task/\($0)/comm") }
            if isWanted(names) { return names }
            guard clock.now() < end else { throw Failure(names: names) }
            try await clock.sleep(seconds: 0.002)
        }
    }

    private static func name(at path: String) -> String? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        return text.trimmingCharacters(in: .newlines)
    }
}
