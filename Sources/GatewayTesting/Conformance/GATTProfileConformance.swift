public import Bluetooth
import ByteDecoding
import GatewayCore
public import HealthModel
import Platform
import Readings

/// Conformance checks for the contract of ``GATTProfile``.
///
/// They return findings; ``AdapterConformance`` says what happens at a trap.
public enum GATTProfileConformance {
    /// The maximum length of a value (Bluetooth Core 5.4, Vol 3 Part F, §3.2.9).
    private static let longestValue = 512
    /// The maximum number of results of one value, besides two for each of its bytes.
    fileprivate static let resultLimit = 64

    /// Applies all checks: the characteristics that the profile names, its decoding of sample values,
    /// of each of their beginnings and of random bytes, and the adapter that is made of it.
    ///
    /// - Parameters:
    ///   - values: Values that a device sends, at least one for each characteristic that the profile
    ///     names. Each must give a reading or a write; those of a ``StatefulGATTProfile`` are sent one after the
    ///     other, a second apart, and together must give one.
    ///   - types: The types of the gateway, with those that the plugin declares.
    ///   - receivedAt: When the device sent the values; see ``AdapterConformance``.
    public static func findings(
        for profile: any GATTProfile, values: [BluetoothUUID: [[UInt8]]],
        types: QuantityTypes = .standard, receivedAt: Instant? = nil
    ) -> [ConformanceFinding] {
        let run = ConformanceRun()
        checkDescription(of: profile, values, run)
        let decoder = CheckedDecoder(profile: profile, types: types, run: run)
        let samples = values.sorted { $0.key.description < $1.key.description }
        for (characteristic, values) in samples {
            decoder.decodeSamples(values, of: characteristic)
            for value in values {
                for length in 0..<value.count {
                    decoder.decode(Array(value[..<length]), of: characteristic)
                }
            }
        }
        decodeRandomValues(with: decoder, samples, run)
        decoder.decodeForeignCharacteristic()
        let makeAdapter = { GATTAdapter(profiles: [profile]) }
        let adapterFindings = samples.flatMap { characteristic, values in
            values.flatMap { value in
                AdapterConformance.findings(
                    for: value, on: Channel(characteristic), types: types, receivedAt: receivedAt,
                    makeAdapter: makeAdapter
                ).map { ConformanceFinding("\(characteristic.name): \($0)") }
            }
        }
        return run.findings + adapterFindings
    }

    /// Checks a factory: a profile without settings, its name, and an unknown key.
    ///
    /// - Parameter types: The types of the gateway, with those that the plugin declares.
    public static func findings(
        for factory: GATTProfileFactory, types: QuantityTypes = .standard
    ) -> [ConformanceFinding] {
        let run = ConformanceRun()
        let use = factory.use
        do throws(ConfigurationError) {
            let profile = try factory.make(.settings(of: use, types: types))
            run.expect(
                profile.name == use,
                "the factory is named `\(use)` and its profile `\(profile.name)`")
        } catch {
            run.find("`\(use)` cannot be made without settings: \(error)")
        }
        run.expect(
            (try? factory.make(.settings(of: use, unknownKey: true, types: types))) == nil,
            "`\(use)` accepts an unknown setting")
        return run.findings
    }

    private static func checkDescription(
        of profile: any GATTProfile, _ values: [BluetoothUUID: [[UInt8]]], _ run: ConformanceRun
    ) {
        run.expect(
            QuantityType.isValidName(profile.name),
            "the name must have letters and digits, and begin with a lower-case letter")
        let named = profile.subscriptions + profile.reads
        run.expect(!named.isEmpty, "names no characteristic to subscribe to or to read")
        for list in [profile.subscriptions, profile.reads] {
            run.expect(Set(list).count == list.count, "names a characteristic twice")
        }
        for characteristic in Set(named) {
            run.expect(
                !GATTAdapter.ownCharacteristics.contains(characteristic),
                "names \(characteristic.name), which the gateway reads itself")
            run.expect(
                values[characteristic]?.isEmpty == false,
                "has no sample value of \(characteristic.name)")
        }
        for characteristic in values.keys where !named.contains(characteristic) {
            run.find("has a sample value of \(characteristic.name), which it does not name")
        }
        if let seconds = profile.silenceLimitSeconds {
            run.expect(
                seconds.isFinite && seconds >= 1, "silenceLimitSeconds must be at least a second")
        }
    }

    private static func decodeRandomValues(
        with decoder: CheckedDecoder, _ samples: [(key: BluetoothUUID, value: [[UInt8]])],
        _ run: ConformanceRun
    ) {
        let profile = decoder.profile
        let sampleValues = samples.flatMap { sample in sample.value.map { (sample.key, $0) } }
        for seed in FuzzSeeds("values of \(profile.name)", count: 20) {
            run.seed = seed
            var random = SeededGenerator(seed: seed)
            for characteristic in profile.subscriptions + profile.reads {
                for _ in 0..<50 { decoder.decode(random.bytes(upTo: 24), of: characteristic) }
                decoder.decode(random.bytes(upTo: longestValue), of: characteristic)
            }
            // One after the other on a link, for a decoder with a state.
            var feed = AdapterFeed(GATTAdapter(profiles: [profile]), in: run, keepsActions: false)
            feed.handle(.opened)
            for (characteristic, sample) in sampleValues.shuffled(using: &random) {
                var value = sample
                for _ in 0..<random.pick([0, 1, 3]) {
                    random.mutate(&value, words: [[0], [0xFF], [0x80], [0xFF, 0x7F]])
                }
                value = Array(value.prefix(longestValue))
                decoder.decode(value, of: characteristic)
                feed.handle(.received(value, on: Channel(characteristic)))
            }
            feed.handle(.closed)
        }
        run.seed = nil
    }

    /// A profile whose results are checked.
    fileprivate struct CheckedDecoder {
        let profile: any GATTProfile
        let types: QuantityTypes
        let run: ConformanceRun

        /// Decodes any value: units must fit, the number of results is bounded, and the same value
        /// gives the same result.
        @discardableResult
        func decode(_ value: [UInt8], of characteristic: BluetoothUUID) -> GATTDecoding? {
            let result = result(of: value, characteristic)
            run.expect(
                result == self.result(of: value, characteristic),
                "the same value gives different results")
            guard case .success(let decoding) = result else { return nil }
            let count = decoding.readings.count + decoding.drops.count + decoding.writes.count
            run.expect(
                count <= GATTProfileConformance.resultLimit + 2 * value.count,
                "more than \(GATTProfileConformance.resultLimit) results for one value")
            for reading in decoding.readings {
                if let problem = reading.typeProblem(types: types) { run.find(problem) }
            }
            return decoding
        }

        /// Decodes values that must give plausible readings.
        func decodeSamples(_ values: [[UInt8]], of characteristic: BluetoothUUID) {
            guard let stateful = profile as? any StatefulGATTProfile else {
                return values.forEach { check([$0], of: characteristic, profile.makeLinkDecoder()) }
            }
            check(values, of: characteristic, stateful.makeDecoder())
        }

        /// Passes values to one decoder, a second apart; together they must give a reading.
        private func check(
            _ values: [[UInt8]], of characteristic: BluetoothUUID, _ decoder: any GATTDecoder
        ) {
            var (decoder, readings, second) = (decoder, [Reading](), Int64(0))
            var requestsWrite = false
            for value in values {
                decode(value, of: characteristic)
                second += 1
                let receipt = BootInstant(nanoseconds: second * 1_000_000_000)
                let decoding = run.call("decode \(characteristic.name): \(hexadecimal(value))") {
                    try? decoder.decode(value, of: characteristic, from: Device(), at: receipt)
                }
                readings += decoding?.readings ?? []
                if decoding?.writes.isEmpty == false { requestsWrite = true }
            }
            let shown = values.map { hexadecimal($0) }.joined(separator: ", ")
            run.expect(
                !readings.isEmpty || requestsWrite,
                values.count == 1
                    ? "the sample value \(shown) of \(characteristic.name) gives no reading"
                    : "the sample values \(shown) of \(characteristic.name) give no reading")
            for reading in readings {
                for problem in reading.problems(types: types) { run.find(problem) }
            }
        }

        /// Decodes values of a characteristic that the profile does not name.
        func decodeForeignCharacteristic() {
            let foreign = BluetoothUUID(0xFFFF)
            for length in 0...20 {
                let decoding = decode([UInt8](repeating: 1, count: length), of: foreign)
                run.expect(
                    decoding?.readings.isEmpty ?? true,
                    "gives readings of a characteristic that it does not name")
            }
        }

        private func result(
            of value: [UInt8], _ characteristic: BluetoothUUID
        ) -> Result<GATTDecoding, ByteDecodingError> {
            let input = "decode \(characteristic.name): \(hexadecimal(value))"
            do throws(ByteDecodingError) {
                return .success(
                    try run.call(input) { () throws(ByteDecodingError) in
                        try profile.decode(value, of: characteristic, from: Device())
                    })
            } catch {
                return .failure(error)
            }
        }
    }
}

extension BluetoothUUID {
    /// The assigned number in hexadecimal, or the whole UUID.
    fileprivate var name: String {
        short.map { number in
            let digits = String(number, radix: 16)
            return String(repeating: "0", count: 4 - digits.count) + digits
        } ?? description
    }
}
