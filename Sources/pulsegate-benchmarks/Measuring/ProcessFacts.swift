import Foundation
import Glibc

/// What the kernel tells of a running process, this one or a child.
struct ProcessFacts {
    /// A folder of /proc.
    private let folder: String
    private let clock: clockid_t

    init(of process: pid_t) throws {
        folder = "/proc/\(process)"
        var clock = clockid_t()
        guard clock_getcpuclockid(process, &clock) == 0 else {
            throw BenchmarkError("there is no process \(process)")
        }
        self.clock = clock
    }

    /// What it has taken of all processors, in user mode and in the kernel.
    var cpuSeconds: Double { Meter.seconds(of: clock) }

    /// The memory that nobody else has and that only it could give back, in bytes: what it has written.
    ///
    /// Pages of its program file are not among it: the system drops and reads them again as it likes.
    func privateBytes() throws -> Int {
        try value(of: "Private_Dirty:", in: "smaps_rollup") * 1024
    }

    /// How often its threads have gone to sleep by themselves, which is how often they were woken.
    func wakeUps() throws -> Int {
        let threads = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/task")
        return try threads.reduce(0) { sum, thread in
            sum + (try value(of: "voluntary_ctxt_switches:", in: "task/\(thread)/status"))
        }
    }

    private func value(of key: String, in name: String) throws -> Int {
        let text = try Self.text(of: "\(folder)/\(name)")
        let line = text.split(separator: "\n").first { $0.hasPrefix(key) }
        let words = line?.split(whereSeparator: { $0 == " " || $0 == "\t" }) ?? []
        guard words.count > 1, let value = Int(words[1]) else {
            throw BenchmarkError("\(folder)/\(name) has no \(key)")
        }
        return value
    }

    /// The text of a file whose size the kernel does not tell.
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

/// Why something could not be measured.
struct BenchmarkError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
