import Foundation
import WorkoutFiles
import XCTest

/// Files of real devices: what the import finds is compared to what readers of others find.
///
/// Every difference is printed with its reason; one without a reason fails.
final class RealFilesTests: XCTestCase {
    func testFiles_ofAFolder_areReadAsByOthers() throws {
        guard let folder = ProcessInfo.processInfo.environment["PULSEGATE_FILES"] else {
            throw XCTSkip("set PULSEGATE_FILES to a folder with FIT and TCX files")
        }
        var files: [String: [OtherReading]] = [:]
        for reading in try PythonReader.readings(ofFolder: folder) {
            files[try XCTUnwrap(reading.path), default: []].append(reading)
        }
        XCTAssertFalse(files.isEmpty, "\(folder) has no FIT or TCX file")

        var table: [FileComparison.Row] = []
        for (path, readings) in files.sorted(by: { $0.key < $1.key }) {
            let bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
            let name = path.dropFirst(folder.count).drop { $0 == "/" }
            table += FileComparison(String(name), bytes, readings).rows()
        }

        for row in table { print(row) }
        let reasons = Dictionary(grouping: table, by: { $0.reason ?? "NOT EXPLAINED" })
        print("\(files.count) files, \(Set(table.map(\.file)).count) with a difference")
        for (reason, rows) in reasons.sorted(by: { $0.key < $1.key }) {
            print("\(rows.count) | \(reason)")
        }
        for row in table where row.reason == nil { XCTFail("\(row)") }
    }
}
