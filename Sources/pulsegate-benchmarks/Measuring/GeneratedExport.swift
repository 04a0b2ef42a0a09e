import Foundation
import HealthModel

/// Writes an export.xml as the Health app makes it: a DOCTYPE, records with devices and metadata, and
/// sources that change.
struct GeneratedExport {
    private static let start = Instant(nanosecondsSince1970: 1_609_459_200_000_000_000)
    private static let secondsBetween: Int64 = 7
    private static let pieceSize = 4_096

    /// The number of records, none of them twice.
    let recordCount: Int

    /// The number of records whose file has about so many bytes.
    init(bytes: Int) {
        let sample = (0..<1_000).reduce(0) { $0 + Self.element($1).utf8.count }
        recordCount = bytes / sample * 1_000
    }

    /// Writes the file and returns its size in bytes.
    func write(to path: String) throws -> Int {
        guard FileManager.default.createFile(atPath: path, contents: Data(Self.head.utf8)),
            let file = FileHandle(forWritingAtPath: path)
        else { throw BenchmarkError("cannot write \(path)") }
        defer { try? file.close() }
        try file.seekToEnd()
        for first in stride(from: 0, to: recordCount, by: Self.pieceSize) {
            let last = min(first + Self.pieceSize, recordCount)
            try file.write(contentsOf: Data((first..<last).map(Self.element).joined().utf8))
        }
        try file.write(contentsOf: Data("</HealthData>\n".utf8))
        return Int(try file.offset())
    }

    private static let head = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE HealthData [
        <!ELEMENT HealthData (ExportDate,Me,Record*)>
        <!ATTLIST HealthData locale CDATA #REQUIRED>
        <!ELEMENT Record (MetadataEntry*)>
        ]>
        <HealthData locale="en_GB">
         <ExportDate value="2026-01-01 08:00:00 +0100"/>
         <Me HKCharacteristicTypeIdentifierDateOfBirth="1985-12-10"/>

        """

    /// Of ten records five are heart rates, three steps, one energy and one a stage of sleep.
    private static func element(_ number: Int) -> String {
        let time = start.adding(nanoseconds: Int64(number) * secondsBetween * 1_000_000_000)
        let end = time.adding(nanoseconds: 5_000_000_000)
        switch number % 10 {
        case 0...4:
            return record(
                "HKQuantityTypeIdentifierHeartRate", time, time,
                value: "\(50 + number % 120)\" unit=\"count/min",
                "  <MetadataEntry key=\"HKMetadataKeyHeartRateMotionContext\" value=\"1\"/>\n")
        case 5...7:
            return record(
                "HKQuantityTypeIdentifierStepCount", time, end,
                value: "\(1 + number % 12)\" unit=\"count")
        case 8:
            return record(
                "HKQuantityTypeIdentifierActiveEnergyBurned", time, end,
                value: "0.\(100 + number % 900)\" unit=\"kcal")
        default:
            return record(
                "HKCategoryTypeIdentifierSleepAnalysis", time, end,
                value: "HKCategoryValueSleepAnalysisAsleepCore")
        }
    }

    private static func record(
        _ type: String, _ start: Instant, _ end: Instant, value: String, _ content: String = ""
    ) -> String {
        let device =
            "&lt;&lt;HKDevice: 0x283c8e4e0&gt;, name:Apple Watch, manufacturer:Apple Inc., "
            + "model:Watch, hardware:Watch6,2, software:9.1&gt;"
        let close = content.isEmpty ? "/>\n" : ">\n\(content) </Record>\n"
        return """
             <Record type="\(type)" sourceName="Ada’s Apple Watch" sourceVersion="9.1" \
            device="\(device)" creationDate="\(text(end))" startDate="\(text(start))" \
            endDate="\(text(end))" value="\(value)"\(close)
            """
    }

    private static func text(_ time: Instant) -> String {
        time.description.prefix(19).replacing("T", with: " ") + " +0000"
    }
}
