import GatewayCore
import GatewayTesting
import HTTPServer
import JSON
import Platform
import Readings
import XCTest

@testable import Web

/// Tests the settings of the server.
final class WebSettingsTests: XCTestCase {
    private func settings(_ text: String) throws -> WebSettings {
        let context = ComponentContext(
            name: "web", clock: SystemClock(), log: Logger(component: "web") { _ in },
            dataDirectory: "/nonexistent")
        let node = ConfigurationNode(path: "services.web", value: try JSONValue(json5: text))
        return try WebSettings(node.object(keys: ["use"] + WebSettings.keys), context)
    }

    private func problem(_ text: String) -> String {
        do {
            _ = try settings(text)
            return "accepted: \(text)"
        } catch {
            return "\(error)"
        }
    }

    func testDefault_isThisMachineOnly() throws {
        let settings = try settings("{}")
        XCTAssertEqual(settings.address.description, "127.0.0.1:8765")
        XCTAssertTrue(settings.address.isLoopback)
        XCTAssertEqual(settings.tokens.count, 0)
    }

    func testOtherAddress_needsTokens() throws {
        for address in ["0.0.0.0:8765", "[::]:8765", "192.168.1.7:80"] {
            XCTAssertTrue(
                problem(#"{ listen: "\#(address)" }"#).hasPrefix("services.web.listen: "))
            XCTAssertTrue(
                problem(#"{ listen: "\#(address)", tokens: {} }"#).contains("needs `tokens`"))
            let settings = try settings(
                #"{ listen: "\#(address)", tokens: { phone: { secret: "web-phone" } } }"#)
            XCTAssertEqual(settings.tokens.map(\.name.text), ["phone"])
        }
        XCTAssertNoThrow(try settings(#"{ listen: "[::1]:1" }"#))
    }

    func testWrongValues_areRefusedWithTheirPlace() {
        let wrong = [
            (#"{ listen: "8765" }"#, "services.web.listen"),
            (#"{ listen: "127.0.0.1:0" }"#, "services.web.listen"),
            (#"{ listen: 8765 }"#, "services.web.listen"),
            (#"{ hosts: "gym" }"#, "services.web.hosts"),
            (#"{ hosts: ["gym", "http://x"] }"#, "services.web.hosts[1]"),
            (#"{ hosts: ["gym:80"] }"#, "services.web.hosts[0]"),
            (#"{ tokens: { "a b": { secret: "x" } } }"#, "services.web.tokens.a b"),
            (#"{ tokens: { phone: "geheim" } }"#, "services.web.tokens.phone"),
            (#"{ tokens: { phone: { secret: "a/b" } } }"#, "services.web.tokens.phone.secret"),
            (#"{ port: 80 }"#, "services.web.port"),
        ]
        for (text, place) in wrong {
            XCTAssertTrue(problem(text).hasPrefix("\(place): "), "\(place) \(problem(text))")
            XCTAssertFalse(problem(text).contains("geheim"))
        }
    }
}
