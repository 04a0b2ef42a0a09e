import ByteDecoding
import GatewayTesting
import HealthModel
import Platform
import PulsegateBuiltIn
import Readings
import XCTest

@testable import SkinPatch

final class SkinPatchTests: XCTestCase {
    private func makeAdapter() throws -> SkinPatchAdapter {
        SkinPatchAdapter(type: try SkinPatch.temperature.makeType())
    }

    private func frame(hundredths: Int16, battery: UInt8) -> [UInt8] {
        let number = UInt16(bitPattern: hundredths)
        let body = [UInt8(number & 0xFF), UInt8(number >> 8), battery]
        return [0xA5, 0x5A] + body + [UInt8(CRC.crc8.checksum(body))]
    }

    func testFrame_isATemperatureAndABattery() throws {
        var adapter = try makeAdapter()
        let event = AdapterEvent(
            .received([0xA5, 0x5A, 0x48, 0x0D, 0x57, 0x9C], on: .stream),
            at: BootInstant(nanoseconds: 1))
        XCTAssertEqual(
            adapter.handle(event),
            [
                .reading(.instant(adapter.type, try Quantity(34, .degreeCelsius))),
                .reading(.state(.battery(0.87))),
            ])
    }

    func testAdapter_meetsTheContract() throws {
        let adapter = try makeAdapter()
        let stream = frame(hundredths: 3_412, battery: 80) + frame(hundredths: 3_415, battery: 79)
        let types = try QuantityTypes(custom: [adapter.type])
        let findings = AdapterConformance.findings(for: stream, types: types) { adapter }
        XCTAssertEqual(findings, [])
    }

    func testPlugins_areDescribedAsTheyAre() throws {
        let findings = PluginDescriptionConformance.findings(
            profiles: builtIn.profiles,
            serialProtocols: builtIn.serialProtocols + [SkinPatch.factory],
            sources: builtIn.sources, sinks: builtIn.sinks + [NewestValues.factory],
            types: try QuantityTypes(custom: [SkinPatch.temperature.makeType()]))
        XCTAssertEqual(findings, [])
    }
}
