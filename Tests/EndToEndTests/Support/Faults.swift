import Foundation
import GatewayTesting
import Glibc

/// Which system calls of a command fail: what the preloaded library CFaults is told.
struct Faults: Sendable {
    enum Call: String, Sendable {
        case write, sync, truncate, rename, read, send, receive, clock
    }

    enum Failure: Sendable {
        case error(Int32)
        /// Half of a write is done; a receive finds the end.
        case short
        /// The call does not return.
        case hang
    }

    let call: Call
    let failure: Failure
    /// The first call that fails, counted from 1.
    var first = 1
    /// How many fail; nil: all from there on.
    var times: Int? = 1
    /// What the paths of the files begin with.
    var path = "/"
    /// As long as there is something here; nil: always.
    var meanwhile: String?
    /// Is created when the first call fails.
    var report: String?

    /// Whether a call has failed.
    var hasStruck: Bool { report.map { access($0, F_OK) == 0 } ?? false }

    /// The environment of the command.
    func environment() throws -> [String: String] {
        let library = URL(fileURLWithPath: try Home.commandPath())
            .deletingLastPathComponent().appendingPathComponent("libCFaults.so").path
        guard access(library, R_OK) == 0 else {
            throw RunningCommand.Failure(description: "there is no \(library)")
        }
        var number: Int32 = 0
        if case .error(let code) = failure { number = code }
        return [
            "LD_PRELOAD": library, "FAULTS_CALL": call.rawValue, "FAULTS_PATH": path,
            "FAULTS_FIRST": "\(first)", "FAULTS_TIMES": "\(times ?? 0)",
            "FAULTS_ERROR": "\(number)", "FAULTS_HANG": failure.isHang ? "1" : "0",
            "FAULTS_WHILE": meanwhile, "FAULTS_REPORT": report,
        ].compactMapValues { $0 }
    }
}

extension Faults.Failure {
    fileprivate var isHang: Bool {
        if case .hang = self { true } else { false }
    }
}
