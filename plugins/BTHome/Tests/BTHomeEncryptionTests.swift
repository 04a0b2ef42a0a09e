import Advertisements
import Bluetooth
import ByteDecoding
import GatewayCore
import GatewayTesting
import HealthModel
import JSON
import Platform
import Readings
import XCTest

@testable import BTHome

final class BTHomeEncryptionTests: XCTestCase {
    private static let address = bytes("54 48 E6 8F 80 A5")
    private static let key = bytes("23 1D 39 C1 D7 CC 1A B1 AE E2 24 CD 09 6D B9 32")
    /// The example of the specification: 25.06 °C, with the counter 0x33221100.
    private static let packet = bytes("41 A4 72 66 C9 5F 73 00 11 22 33 78 23 72 14")

    private func makeDecoder(key: [UInt8]? = key) throws -> BTHomeDecoder {
        BTHomeDecoder(
            types: ["temperature": .bodyTemperature], address: Self.address,
            encryption: try key.map { BTHomeEncryption(try AESCCM(key: $0)) })
    }

    private func decode(_ value: [UInt8], _ decoder: inout BTHomeDecoder) throws
        -> AdvertisementDecoding
    {
        try decoder.decode(value, of: .serviceData(BTHomeFormat.service))
    }

    func testPacket_ofTheSpecification() throws {
        var decoder = try makeDecoder()
        XCTAssertEqual(
            try decode(Self.packet, &decoder),
            AdvertisementDecoding(
                [.instant(.bodyTemperature, try Quantity(25.06, .degreeCelsius))],
                packet: AdvertisementPacket(
                    0x3322_1100, modulus: 1 << 32, repetitionSeconds: 3_600)))
    }

    func testPacket_again_isNoReading() throws {
        var decoder = try makeDecoder()
        _ = try decode(Self.packet, &decoder)
        XCTAssertEqual(try decode(Self.packet, &decoder), AdvertisementDecoding())
    }

    func testCounter_thatGoesBack_isAReplay_evenBelowOneHundred() {
        var counters = BTHomeCounters()
        XCTAssertEqual(counters.judge(5_000), .new)
        XCTAssertEqual(counters.judge(5_000), .repetition)
        XCTAssertEqual(counters.judge(4_999), .replay)
        XCTAssertEqual(counters.judge(7), .replay)
        XCTAssertEqual(counters.judge(4_999), .replay, "one old packet opens nothing")
        XCTAssertEqual(counters.judge(5_001), .new)
        XCTAssertEqual(counters.judge(UInt32.max), .new)
    }

    func testStart_isShownByPacketsInARow_thatIncrease() {
        var counters = BTHomeCounters()
        XCTAssertEqual(counters.judge(5_000), .new)
        for (counter, verdict) in [
            (UInt32(3), BTHomeCounters.Verdict.replay), (3, .replay), (4, .replay), (2, .replay),
            (5, .replay), (5_000, .repetition), (6, .replay), (7, .replay), (100, .replay),
            (8, .new), (7, .replay), (9, .new), (5_001, .new), (10, .replay),
        ] {
            XCTAssertEqual(counters.judge(counter), verdict, "\(counter)")
        }
    }

    func testWrongKey_orNone_orAChangedBit_isEncrypted() throws {
        var wrong = try makeDecoder(key: [UInt8](repeating: 1, count: 16))
        XCTAssertEqual(try decode(Self.packet, &wrong).drops, [.encrypted])
        var none = try makeDecoder(key: nil)
        XCTAssertEqual(try decode(Self.packet, &none).drops, [.encrypted])
        for place in 1..<Self.packet.count {
            var changed = Self.packet
            changed[place] ^= 1
            var decoder = try makeDecoder()
            XCTAssertEqual(try decode(changed, &decoder).drops, [.encrypted], "\(place)")
        }
    }

    func testEveryTruncation_isRefused() throws {
        var decoder = try makeDecoder()
        for length in Self.packet.indices {
            let decoding = try? decode(Array(Self.packet.prefix(length)), &decoder)
            XCTAssertTrue(decoding == nil || decoding?.drops == [.encrypted], "\(length)")
        }
    }

    func testPlainPacket_ofADeviceWithAKey_isInvalid() throws {
        var decoder = try makeDecoder()
        XCTAssertThrowsError(try decode(bytes("40 02 C4 09"), &decoder)) {
            XCTAssertEqual($0 as? ByteDecodingError, .invalid)
        }
    }

    func testKey_isReadFromAFile_withoutAppearingInAnError() throws {
        let folder = try TemporaryFolder()
        let context = ComponentContext(
            name: "room", clock: ManualClock(), log: Logger(component: "test") { _ in },
            dataDirectory: folder.path)
        let settings = try ConfigurationNode(
            json5: "{ use: \"bthome\", keys: { \"54:48:E6:8F:80:A5\": { file: \"k\" } } }")
        var format = try BTHomeFormat.factory.make(settings, context)
        let digits = "231d39c1d7cc1ab1aee224cd096db932"
        for (text, isGood) in [
            (digits, true), (digits + "0", false), ("z" + digits.dropFirst(), false),
        ] {
            let file = folder.path("k")
            try Data(text.utf8).write(to: URL(filePath: file))
            XCTAssertEqual(chmod(file, 0o600), 0)
            do {
                try format.load()
                XCTAssertTrue(isGood)
            } catch {
                XCTAssertFalse(isGood)
                XCTAssertTrue("\(error)".hasSuffix("must contain a key of 32 hexadecimal digits"))
                XCTAssertFalse("\(error)".contains(text.suffix(8)))
            }
        }
    }

    func testMissingLibrary_isAClearError() {
        XCTAssertThrowsError(try AESCCM(key: Self.key, library: "libcrypto.so.0")) {
            let problem = ($0 as? AESCCM.Failure)?.problem ?? ""
            XCTAssertTrue(problem.contains("install it: sudo apt-get install libssl3"), problem)
        }
    }
}
