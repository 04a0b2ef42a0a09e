public import Advertisements
public import Bluetooth
import ByteDecoding
import GatewayCore
public import HealthModel
import JSON
import Platform
import Readings

/// Conformance checks for the contract of ``AdvertisementFormat``.
///
/// They return findings; ``AdapterConformance`` says what happens at a trap.
public enum AdvertisementFormatConformance {
    /// The maximum length of the data of a part: that of an advertisement (Bluetooth Core 5.4,
    /// Vol 6, Part B, §2.3.4.9), less its header.
    private static let longestValue = 253
    /// The maximum number of results of one value, besides two for each of its bytes.
    private static let resultLimit = 64
    private static let address = BluetoothAddress(number: 0xD011_2233_4455)

    /// Applies all checks: the parts that the format names, its decoding of sample values, of each of
    /// their beginnings and of random bytes, and the adapter that is made of it.
    ///
    /// - Parameters:
    ///   - values: Values that a device sends, at least one for each part that the format names.
    ///     Each must give a reading.
    ///   - types: The types of the gateway, with those that the plugin declares.
    ///   - receivedAt: When the device sent the values; see ``AdapterConformance``.
    public static func findings(
        for format: any AdvertisementFormat, values: [AdvertisementPart: [[UInt8]]],
        types: QuantityTypes = .standard, receivedAt: Instant? = nil
    ) -> [ConformanceFinding] {
        let run = ConformanceRun()
        checkDescription(of: format, values, run)
        let check = FormatCheck(format: format, types: types, run: run)
        let samples = values.sorted { $0.key.description < $1.key.description }
        for (part, values) in samples {
            for value in values {
                check.decodeSample(value, of: part)
                for length in 0..<value.count { check.decode(Array(value[..<length]), of: part) }
            }
        }
        decodeRandomValues(check, samples)
        let adapterFindings = samples.flatMap { part, values in
            values.flatMap { value in
                AdapterConformance.findings(
                    for: value, on: part.channel, types: types, receivedAt: receivedAt
                ) {
                    AdvertisementAdapter(formats: [format], address: address)
                }.map { ConformanceFinding("\(part): \($0)") }
            }
        }
        return run.findings + adapterFindings
    }

    /// Checks a factory: a format without settings, its name, and an unknown key.
    ///
    /// - Parameter types: The types of the gateway, with those that the plugin declares.
    public static func findings(
        for factory: AdvertisementFormatFactory, types: QuantityTypes = .standard
    ) -> [ConformanceFinding] {
        let run = ConformanceRun()
        let context = ComponentContext(
            name: "conformance", clock: SystemClock(),
            log: Logger(component: "conformance") { _ in }, dataDirectory: "/nonexistent",
            types: types)
        let use = factory.use
        do throws(ConfigurationError) {
            let format = try factory.make(.settings(of: use, types: types), context)
            run.expect(
                format.name == use,
                "the factory is named `\(use)` and its format `\(format.name)`")
        } catch {
            run.find("`\(use)` cannot be made without settings: \(error)")
        }
        run.expect(
            (try? factory.make(.settings(of: use, unknownKey: true, types: types), context))
                == nil,
            "`\(use)` accepts an unknown setting")
        return run.findings
    }

    private static func checkDescription(
        of format: any AdvertisementFormat, _ values: [AdvertisementPart: [[UInt8]]],
        _ run: ConformanceRun
    ) {
        run.expect(
            QuantityType.isValidName(format.name),
            "the name must have letters and digits, and begin with a lower-case letter")
        run.expect(!format.parts.isEmpty, "names no part of an advertisement")
        run.expect(Set(format.parts).count == format.parts.count, "names a part twice")
        for part in Set(format.parts) {
            run.expect(values[part]?.isEmpty == false, "has no sample value of \(part)")
        }
        for part in values.keys where !format.parts.contains(part) {
            run.find("has a sample value of \(part), which it does not name")
        }
    }

    private static func decodeRandomValues(
        _ check: FormatCheck, _ samples: [(key: AdvertisementPart, value: [[UInt8]])]
    ) {
        for seed in FuzzSeeds("values of \(check.format.name)", count: 20) {
            check.run.seed = seed
            var random = SeededGenerator(seed: seed)
            for part in check.format.parts {
                for _ in 0..<50 { check.decode(random.bytes(upTo: 31), of: part) }
                check.decode(random.bytes(upTo: longestValue), of: part)
            }
            for (part, values) in samples {
                var value = random.pick(values)
                random.mutate(&value, words: [[0], [0xFF], [0x80], [0xFF, 0x7F]])
                check.decode(Array(value.prefix(longestValue)), of: part)
            }
        }
        check.run.seed = nil
    }

    /// A format whose results are checked.
    private struct FormatCheck {
        let format: any AdvertisementFormat
        let types: QuantityTypes
        let run: ConformanceRun

        /// Decodes a value that must give plausible readings.
        func decodeSample(_ value: [UInt8], of part: AdvertisementPart) {
            let readings = decode(value, of: part)?.readings ?? []
            run.expect(
                !readings.isEmpty,
                "the sample value \(hexadecimal(value)) of \(part) gives no reading")
            for problem in readings.flatMap({ $0.problems(types: types) }) { run.find(problem) }
        }

        /// Decodes any value: units must fit, the number of results is bounded, the packet number is
        /// below its modulus, and new decoders give the same result.
        @discardableResult
        func decode(_ value: [UInt8], of part: AdvertisementPart) -> AdvertisementDecoding? {
            let result = result(of: value, part)
            run.expect(
                result == self.result(of: value, part), "the same value gives different results")
            guard case .success(let decoding) = result else { return nil }
            run.expect(
                decoding.readings.count + decoding.drops.count <= resultLimit + 2 * value.count,
                "more than \(resultLimit) results for one value")
            for problem in decoding.readings.compactMap({ $0.typeProblem(types: types) }) {
                run.find(problem)
            }
            if let packet = decoding.packet {
                run.expect(
                    UInt64(packet.number) < packet.modulus,
                    "a packet number that is not below its modulus")
                run.expect(
                    packet.repetitionSeconds.isFinite && packet.repetitionSeconds > 0,
                    "a packet whose repetition has no duration")
            }
            return decoding
        }

        private func result(
            of value: [UInt8], _ part: AdvertisementPart
        ) -> Result<AdvertisementDecoding, ByteDecodingError> {
            do throws(ByteDecodingError) {
                return .success(
                    try run.call("decode \(part): \(hexadecimal(value))") {
                        () throws(ByteDecodingError) in
                        var decoder = format.makeDecoder(for: address)
                        return try decoder.decode(value, of: part)
                    })
            } catch {
                return .failure(error)
            }
        }
    }
}
