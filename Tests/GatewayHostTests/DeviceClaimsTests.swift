import GatewayCore
import XCTest

@testable import GatewayHost
@testable import JSON

/// Tests of which sources may be used together.
final class DeviceClaimsTests: XCTestCase {
    private static let strap = "D0:11:22:33:44:55"
    private static let other = "D0:00:00:00:00:00"

    /// The error of sources a, b … with these claims; nil if they are valid.
    private func problem(_ claims: DeviceClaim...) -> ConfigurationError? {
        var all = DeviceClaims()
        do throws(ConfigurationError) {
            for (name, claim) in zip("abcd", claims) {
                try all.add(claim, of: ConfigurationNode(path: "sources.\(name)", value: .null))
            }
            return nil
        } catch {
            return error
        }
    }

    private func radio(_ choice: DeviceClaim.Choice) -> DeviceClaim {
        DeviceClaim(choice, over: "bluetooth")
    }

    func testAdd_ofOneDeviceTwice_namesBothKeyPaths() {
        let problem = problem(
            radio(.named([Self.strap])), .nothing, radio(.named([Self.other, Self.strap])))
        XCTAssertEqual(
            problem?.description,
            "sources.c: reads \(Self.strap), which sources.a also reads; "
                + "remove it from one of them")
    }

    func testAdd_ofOneDeviceOverTwoTransports_throws() {
        let stream = DeviceClaim(.named([Self.strap]), over: "serial")
        XCTAssertEqual(problem(stream, radio(.named([Self.strap])))?.path, "sources.b")
    }

    func testAdd_ofANamedDeviceBesideAny_namesTheDenyListInEitherOrder() {
        let named = radio(.named([Self.strap, Self.other]))
        XCTAssertEqual(
            problem(radio(.any(except: [Self.other])), named)?.description,
            "sources.b: reads \(Self.strap), and sources.a reads any device; "
                + "add it to `deny` of sources.a")
        XCTAssertEqual(
            problem(named, radio(.any(except: [Self.other])))?.description,
            "sources.b: reads any device, and sources.a reads \(Self.strap); "
                + "add it to `deny` of sources.b")
        XCTAssertNil(problem(named, radio(.any(except: [Self.other, Self.strap]))))
    }

    func testAdd_ofAnyTwice_throwsWhateverIsDenied() {
        let problem = problem(radio(.any(except: [Self.strap])), radio(.any(except: [Self.other])))
        XCTAssertEqual(problem?.path, "sources.b")
        XCTAssertTrue(problem?.problem.contains("and sources.a also does") ?? false)
    }

    func testAdd_ofOtherDevicesOrOtherTransports_isAccepted() {
        XCTAssertNil(
            problem(
                radio(.named([Self.strap])), radio(.named([Self.other])),
                DeviceClaim(.named(["/dev/ttyUSB0"]), over: "serial")))
        // A device with a serial port over classic Bluetooth is not found as a low-energy one.
        XCTAssertNil(
            problem(
                DeviceClaim(.named([Self.strap]), over: "serial"), radio(.any(except: []))))
        XCTAssertNil(problem(.nothing, .nothing, radio(.any(except: [])), radio(.named([]))))
    }

    func testAdd_ofManyDevices_namesAFew() {
        let many = Set((10..<20).map { "D0:00:00:00:00:\($0)" })
        let problem = problem(radio(.named(many)), radio(.any(except: [])))
        XCTAssertTrue(problem?.problem.contains(":13 and 6 more;") ?? false, "\(problem as Any)")
    }
}
