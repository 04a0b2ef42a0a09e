import Foundation
import GatewayCore
import Glibc
import Platform

/// What the kernel shows of the process (proc(5)).
extension RunningCommand {
    /// Waits until the process catches SIGTERM and SIGINT, which is the first thing that it does.
    public nonisolated func waitUntilSignalsAreCaught() throws {
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
    public nonisolated func openFile(_ number: Int) throws -> String {
        try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(processID)/fd/\(number)")
    }

    /// Waits until it has a file open no more.
    public func waitUntilClosed(_ path: String, within seconds: Double = timeoutSeconds) throws {
        let end = clock.now().adding(seconds: seconds)
        while try openFiles().contains(path) {
            guard clock.now() < end else {
                throw Failure(description: "\(path) is still open")
            }
            sched_yield()
        }
    }

    /// What it has open.
    private nonisolated func openFiles() throws -> [String] {
        let folder = "/proc/\(processID)/fd"
        // One that is closed meanwhile leads nowhere.
        return try FileManager.default.contentsOfDirectory(atPath: folder).compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
        }
    }

    /// How often each of its threads has gone to sleep, which is as often as it woke up.
    public nonisolated func sleepsOfThreads() throws -> [String: Int] {
        try threadFields("voluntary_ctxt_switches:").mapValues { text in
            guard let count = Int(text) else { throw Failure(description: "no count: \(text)") }
            return count
        }
    }

    /// The memory that nobody else has, in bytes.
    public nonisolated func privateBytes() throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(processID)/smaps_rollup", encoding: .utf8)
        let kilobytes = text.split(separator: "\n").filter { $0.hasPrefix("Private_") }
            .compactMap { line in Int(line.filter(\.isNumber)) }
        guard !kilobytes.isEmpty else { throw Failure(description: "no memory: \(text)") }
        return kilobytes.reduce(0, +) * 1024
    }

    /// How many descriptors it has open.
    public nonisolated func openFileCount() throws -> Int {
        try openFiles().count
    }

    /// The names of its threads.
    public nonisolated func threadNames() throws -> [String] {
        try Array(threadFields("Name:").values)
    }

    /// What the kernel says under a name of each thread; of one that has just ended it says nothing.
    private nonisolated func threadFields(_ name: String) throws -> [String: String] {
        let folder = "/proc/\(processID)/task"
        var fields: [String: String] = [:]
        for thread in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let path = "\(folder)/\(thread)/status"
            let status = try? String(contentsOfFile: path, encoding: .utf8)
            let line = status?.split(separator: "\n").first { $0.hasPrefix(name) }
            fields[thread] = line?.dropFirst(name.count).trimmingCharacters(in: .whitespaces)
        }
        return fields
    }
}
