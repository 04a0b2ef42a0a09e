import GatewayCore
public import HealthModel
import Platform
import Readings
public import Serial

/// Conformance checks for the contract of ``SerialProtocol``.
///
/// They return findings; ``AdapterConformance`` says what happens at a trap.
public enum SerialProtocolConformance {
    /// USB vendors and products of converters that many devices have.
    private static let converters = [
        ("0403", "6001"), ("0403", "6015"), ("067b", "2303"), ("10c4", "ea60"), ("1a86", "7523"),
        ("1a86", "55d4"),
    ]

    /// Applies all checks: those of ``AdapterConformance``, the description of the device, noise
    /// before and between messages, and damaged messages.
    ///
    /// - Parameters:
    ///   - stream: Bytes that the device sends: a whole number of messages, which give readings.
    ///   - damaged: Streams that must give no reading and be counted, such as a wrong checksum.
    ///   - hasChecksum: Whether every changed bit of a message must be noticed.
    ///   - types: The types of the gateway, with those that the plugin declares.
    ///   - receivedAt: When the device sent the bytes; see ``AdapterConformance``.
    public static func findings(
        for serialProtocol: any SerialProtocol, stream: [UInt8], damaged: [[UInt8]] = [],
        hasChecksum: Bool = false, types: QuantityTypes = .standard, receivedAt: Instant? = nil
    ) -> [ConformanceFinding] {
        let run = ConformanceRun()
        checkDescription(of: serialProtocol, stream, run)
        checkActions(of: serialProtocol, stream, run)
        SerialNoise(stream: stream, serialProtocol: serialProtocol, run: run).check()
        let damage = SerialDamage(stream: stream, serialProtocol: serialProtocol, run: run)
        for bytes in damaged { damage.check(bytes) }
        if hasChecksum { damage.checkEveryByte() }
        return run.findings
            + AdapterConformance.findings(for: stream, types: types, receivedAt: receivedAt) {
                serialProtocol.makeAdapter()
            }
    }

    /// Checks a factory: its settings, and which ports it recognises.
    ///
    /// - Parameters:
    ///   - settings: The settings of the protocol beside `use`, in JSON5 without the braces.
    ///   - ports: Ports of the device, which the factory must recognise.
    ///   - types: The types of the gateway, with those that the plugin declares.
    public static func findings(
        for factory: SerialProtocolFactory, settings: String = "",
        recognising ports: [SerialPortDescription] = [], types: QuantityTypes = .standard
    ) -> [ConformanceFinding] {
        let run = ConformanceRun()
        let use = factory.use
        do throws(ConfigurationError) {
            _ = try factory.make(.settings(of: use, settings, types: types))
        } catch {
            run.find("`\(use)` cannot be made from its settings: \(error)")
        }
        run.expect(
            (try? factory.make(.settings(of: use, settings, unknownKey: true, types: types)))
                == nil,
            "`\(use)` accepts an unknown setting")
        for port in ports {
            run.expect(factory.recognises(port), "`\(use)` does not recognise its own device")
        }
        run.expect(
            !factory.recognises(SerialPortDescription(path: "/dev/ttyS0")),
            "`\(use)` recognises a port that is not USB")
        for (vendor, product) in converters {
            let port = SerialPortDescription(
                path: "/dev/ttyUSB0", vendor: vendor, product: product)
            run.expect(
                !factory.recognises(port),
                "`\(use)` recognises \(vendor):\(product), a converter of many other devices")
        }
        return run.findings
    }

    private static func checkDescription(
        of serialProtocol: any SerialProtocol, _ stream: [UInt8], _ run: ConformanceRun
    ) {
        if serialProtocol.lineSettings.format == .sevenEvenOne {
            run.expect(
                stream.allSatisfy { $0 < 0x80 },
                "the line has seven data bits, and the sample stream has bytes of eight")
        }
        if let seconds = serialProtocol.silenceLimitSeconds {
            run.expect(
                seconds.isFinite && seconds >= 1, "silenceLimitSeconds must be at least a second")
        }
        let device = serialProtocol.device
        run.expect(
            device.localIdentifier == nil && device.serial == nil,
            "`device` has a serial number or local identifier, which differ between devices")
    }

    /// Looks at the actions that a byte stream does not have.
    private static func checkActions(
        of serialProtocol: any SerialProtocol, _ stream: [UInt8], _ run: ConformanceRun
    ) {
        var feed = AdapterFeed(serialProtocol.makeAdapter(), in: run)
        feed.handle(.opened)
        feed.receive([stream], on: .stream)
        run.expect(
            !feed.readings.isEmpty, "the sample stream gives no reading")
        for action in feed.actions {
            switch action {
            case .read: run.find("reads a channel, which a byte stream does not have")
            case .send(_, let channel) where channel != .stream:
                run.find("sends on a channel other than `stream`")
            case .send, .reading, .wake, .dropped: break
            }
        }
    }
}

extension ConfigurationNode {
    /// The settings of a plugin in JSON5 without the braces, with a key that no plugin knows.
    static func settings(
        of use: String, _ text: String = "", unknownKey: Bool = false, types: QuantityTypes
    ) throws(ConfigurationError) -> ConfigurationNode {
        let unknown = unknownKey ? "pulsegateUnknownKey: 1," : ""
        return try ConfigurationNode(
            json5: "{ use: \"\(use)\", \(unknown) \(text) }", types: types)
    }
}
