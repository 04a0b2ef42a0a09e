import Foundation
import GatewayCore
import GatewayTesting
import HTTPTesting
import HealthModel
import JournalLog
import Platform
import SQLiteStore
import XCTest

/// The power fails at any write of a whole run, from a trace of what the gateways wrote.
///
/// What the repository was sent was accepted before. With `durability: "powerLoss"` all of it is in the
/// store, or in the journal for the store; and what the store has was sent, or is in the journal for the
/// repository.
///
/// An ordinary run looks at some places of one gateway's life. `PULSEGATE_FUZZ_FACTOR=20` and more looks at
/// the lives of several gateways, with segments that are full, and at every place as often as the factor
/// allows.
final class PowerLossTests: XCTestCase {
    private static let ordinaryCount = 40
    private static let largeFactor = 20

    func testPowerLoss_atAnyWrite_losesNothingThatWasAccepted() async throws {
        let factor = FuzzFactor.current
        let isLarge = factor >= Self.largeFactor
        let run = try await PowerLossRun(
            durability: "powerLoss", lives: isLarge ? 5 : 1, rounds: isLarge ? 25 : 9,
            isLarge: isLarge)
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let checks = run.checks(Self.ordinaryCount * factor, &random)
        let findings = try await run.findings(checks, &random)
        print(
            "power lost \(checks.values.reduce(0, +)) times at \(checks.count) of "
                + "\(run.trace.operations.count) places, \(run.segmentCount) segments, "
                + "\(run.records.count) records, from seed \(seed)")
        XCTAssertEqual(findings, [], "seed \(seed)")
        XCTAssertEqual(Self.unsynchronizedEntries(run.trace, of: "\(run.folder)/journal"), [])
        // The trace shows what was accepted.
        XCTAssertTrue(run.sentIDs.isSuperset(of: run.records))
        if isLarge { XCTAssertGreaterThan(run.segmentCount, 5, "a segment was full") }
    }

    /// The same without synchronization: the simulated disk shows that it is needed.
    func testCrashDurability_losesRecordsWithThePower() async throws {
        let run = try await PowerLossRun(durability: "crash")
        var random = SeededGenerator(seed: 1)
        let findings = try await run.findings(run.checks(Self.ordinaryCount, &random), &random)
        XCTAssertGreaterThan(findings.count, 0)
    }

    /// The segments and folders of segments that got records before their entry in the folder was on the
    /// disk, which some file systems do not do with the content of the file.
    private static func unsynchronizedEntries(
        _ trace: WriteTrace, of folder: String
    ) -> [String] {
        /// The paths of the folders by their numbers.
        var folders: [UInt64: String] = [:]
        var segments: [UInt64: String] = [:]
        var pending: Set<String> = []
        var found: [String] = []
        for operation in trace.operations {
            switch operation {
            case .createFolder(let inode, let path):
                folders[inode] = path
                if path == folder { pending.insert(path) }
            case .createFile(let inode, let path)
            where path.hasPrefix("\(folder)/") && path.hasSuffix(".segment"):
                segments[inode] = path
                pending.insert(path)
            case .sync(let inode):
                guard let folder = folders[inode] else { break }
                pending = pending.filter { ($0 as NSString).deletingLastPathComponent != folder }
            // At 0 is the first frame, which has no records.
            case .write(let inode, 1..., _):
                guard let path = segments[inode] else { break }
                found += pending.intersection([folder, path])
            default: break
            }
        }
        XCTAssertFalse(segments.isEmpty)
        return found
    }
}
