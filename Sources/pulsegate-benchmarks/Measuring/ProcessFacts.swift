import Foundation
import Glibc

/// Resource usage of a running process, as reported by the kernel.
struct ProcessFacts {
    /// A folder of /proc.
    private let folder: String
    private let clock: clockid_t

    init(of process: pid_t) throws {
        folder = "/proc/\(process)"
        var clock = clockid_t()
        guard clock_getcpuclockid(process, &clock) == 0 else {
            throw BenchmarkError("process \(process) is not running")
        }
        self.clock = clock
    }

    /// The CPU time in user and kernel mode.
    var cpuSeconds: Double { Meter.seconds(of: clock) }

    /// The private dirty memory in bytes.
    ///
    /// Pages of the executable are not included: the kernel can drop and reread them.
    func privateBytes() throws -> Int {
        try value(of: "Private_Dirty:", in: "smaps_rollup") * 1024
    }

    /// The resident memory in bytes, shared pages of the executable included.
    func residentBytes() throws -> Int {
        try value(of: "VmRSS:", in: "status") * 1024
    }

    /// The largest resident memory so far in bytes.
    func largestResidentBytes() throws -> Int {
        try value(of: "VmHWM:", in: "status") * 1024
    }

    /// The number of voluntary context switches of all threads, which equals the number of
    /// wake-ups.
    func wakeUps() throws -> Int {
        let threads = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/task")
        return try threads.reduce(0) { sum, thread in
            sum + (try value(of: "voluntary_ctxt_switches:", in: "task/\(thread)/status"))
        }
    }

    /// The bytes of pages that were made dirty, which the kernel writes to the disk.
    func writtenBytes() throws -> Int { try value(of: "write_bytes:", in: "io") }

    /// The wake-ups and the written bytes of the thread that calls.
    static func ofThisThread() throws -> (wakeUps: Int, writtenBytes: Int) {
        let folder = "/proc/thread-self"
        return (
            try value(of: "voluntary_ctxt_switches:", in: "\(folder)/status"),
            try value(of: "write_bytes:", in: "\(folder)/io")
        )
    }

    private func value(of key: String, in name: String) throws -> Int {
        try Self.value(of: key, in: "\(folder)/\(name)")
    }

    private static func value(of key: String, in path: String) throws -> Int {
        let text = try Self.text(of: path)
        let line = text.split(separator: "\n").first { $0.hasPrefix(key) }
        let words = line?.split(whereSeparator: { $0 == " " || $0 == "\t" }) ?? []
        guard words.count > 1, let value = Int(words[1]) else {
            throw BenchmarkError("\(path): the key \(key) is missing")
        }
        return value
    }

    /// Reads a file in /proc, which has no size.
    static func text(of path: String) throws -> String {
        guard let file = fopen(path, "re") else {
            throw BenchmarkError("cannot read \(path): \(String(cString: strerror(errno)))")
        }
        defer { fclose(file) }
        var text: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while case let count = fread(&piece, 1, piece.count, file), count > 0 {
            text += piece.prefix(count)
        }
        return String(decoding: text, as: UTF8.self)
    }
}

/// The error of a failed benchmark.
struct BenchmarkError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
