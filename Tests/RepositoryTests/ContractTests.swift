import Foundation
import XCTest

/// Tests that the contract of plugins changes only with a review, which decides about its version.
final class ContractTests: XCTestCase {
    private static let files = [
        "Sources/Readings/Adapter/DeviceAdapter.swift",
        "Sources/Readings/Adapter/Reading.swift",
        "Sources/Readings/Adapter/MeasurementTime.swift",
        "Sources/Bluetooth/GATTProfile.swift",
        "Sources/Advertisements/AdvertisementFormat.swift",
        "Sources/Serial/SerialProtocol.swift",
        "Sources/GatewayCore/Ingestion/Source.swift",
        "Sources/GatewayCore/Delivery/Sink.swift",
        "Sources/GatewayCore/Plugin/Service.swift",
    ]

    /// `PULSEGATE_UPDATE_CONTRACT=1` updates the file.
    func testContract_isTheReviewedOne() throws {
        let file = ReviewedFile(
            path: "Tests/Fixtures/PluginContract/version1.txt",
            variable: "PULSEGATE_UPDATE_CONTRACT",
            advice: "If a plugin that still compiles behaves wrongly now, make a new version of "
                + "PluginContract")
        var text = ""
        for path in Self.files {
            let url = Repository.root.appending(path: path)
            let source = try String(contentsOf: url, encoding: .utf8)
            text += "## \(path)\n" + Self.declarations(in: source).joined(separator: "\n") + "\n\n"
        }
        try file.assertMatches(text, filter: "ContractTests")
    }

    func testDeclarations_haveTheirCommentsAndNoBodies() {
        let source = """
            /// Counts.
            public struct Counter {
                /// The count.
                public let count: Int
                private let secret = 1

                /// Adds to the count.
                public mutating func add(
                    _ number: Int
                ) {
                    count += number
                }
            }
            """
        XCTAssertEqual(
            Self.declarations(in: source),
            [
                "/// Counts.", "public struct Counter {", "    /// The count.",
                "    public let count: Int", "    /// Adds to the count.",
                "    public mutating func add(", "        _ number: Int", "    ) {",
            ])
    }

    /// Every documentation comment with the declaration below it, up to its body.
    private static func declarations(in source: String) -> [Substring] {
        var isInside = false
        var parentheses = 0
        return source.split(separator: "\n").filter { line in
            if line.contains("///") {
                isInside = true
                return true
            }
            guard isInside else { return false }
            parentheses += line.count { $0 == "(" } - line.count { $0 == ")" }
            isInside = parentheses > 0
            return true
        }
    }
}
