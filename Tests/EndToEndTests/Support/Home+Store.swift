import Foundation
import GatewayCore
import GatewayTesting
import Glibc
import HealthModel
import JournalLog
import SQLiteStore
import XCTest

extension Home {
    /// The unprivileged user of every Linux.
    static let nobody: uid_t = 65_534

    /// All samples of a type in a store, the oldest first.
    static func samples(
        of type: QuantityType, inStoreAt path: String
    ) async throws -> [QuantitySample] {
        try await SQLiteStore(readingFrom: path).samples(matching: SampleQuery(type: type))
    }

    /// All samples of the gateway's own store.
    func samples(of type: QuantityType) async throws -> [QuantitySample] {
        try await Self.samples(of: type, inStoreAt: "\(dataDirectory)/health.sqlite")
    }

    /// All events of the gateway's own store.
    func events() async throws -> [DeviceEvent] {
        try await SQLiteStore(readingFrom: "\(dataDirectory)/health.sqlite").events()
    }

    /// The account in the gateway's journal; the gateway must have ended.
    func ledger() throws -> Ledger {
        try XCTUnwrap(LogInspector.ledger(at: "\(dataDirectory)/journal"))
    }

    /// The words before a command that let it run without any rights.
    ///
    /// - Throws: `XCTSkip` when the tests themselves have no right to do so.
    static func wordsForNobody() throws -> [String] {
        guard getuid() == 0, FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")
        else { throw XCTSkip("needs root and setpriv") }
        return [
            "/usr/bin/setpriv", "--reuid=\(nobody)", "--regid=\(nobody)", "--clear-groups", "--",
        ]
    }
}
