import GatewayCore
import HealthModel
import Readings

/// What readings add up to, however they were divided among events.
struct ReadingSummary: Equatable {
    /// Instants, beats, waveforms and metadata, one by one.
    private var sequence: [Reading] = []
    /// The last reading of each counter: the differences between become samples.
    private var counters: [QuantityType: CounterReading] = [:]
    /// The changes of contact and battery.
    private var contacts: [Bool?] = []
    private var batteries: [Double] = []
    private var identity = Device()

    init(_ readings: [Reading]) {
        for reading in readings {
            switch reading {
            case .counter(let counter): counters[counter.type] = counter
            case .state(.contact(let contact)):
                if contacts.last != .some(contact) { contacts.append(contact) }
            case .state(.battery(let battery)):
                if batteries.last != battery { batteries.append(battery) }
            case .identity(let device): identity = identity.merging(device)
            case .instant, .beats, .waveform, .metadata, .correlation: sequence.append(reading)
            }
        }
    }
}

extension Reading {
    /// Why the converter would reject the reading; empty when it would not.
    ///
    /// The value is not part of the text.
    func problems(types: QuantityTypes = .standard) -> [String] {
        let counterProblem: String? =
            if case .counter(let counter) = self { counter.rangeProblem } else { nil }
        return [typeProblem(types: types) ?? valueProblem, counterProblem].compactMap { $0 }
    }

    /// Why the type and the unit of the reading are wrong; nil when they are not.
    func typeProblem(types: QuantityTypes = .standard) -> String? {
        switch self {
        case .instant(let type, let quantity, _):
            if type.isCumulative { return "\(type) is cumulative; report it as a counter" }
            return type.problem(unit: quantity.unit, types: types)
        case .counter(let counter):
            if !counter.type.isCumulative { return "\(counter.type) is not cumulative" }
            return counter.type.problem(unit: counter.unit, types: types)
        case .metadata(_, let type):
            return type.problem(unit: type.canonicalUnit, types: types)
        case .correlation(let correlation):
            return correlation.members.lazy.compactMap { member in
                Reading.instant(member.type, member.quantity).typeProblem(types: types)
            }.first
        case .waveform(let waveform):
            if waveform.type.isCumulative { return "\(waveform.type) is cumulative" }
            return waveform.type.problem(unit: waveform.unit, types: types)
        case .beats, .state, .identity: return nil
        }
    }

    /// Why the value of the reading is not plausible; nil when it is.
    private var valueProblem: String? {
        switch self {
        case .instant(let type, let quantity, _):
            return type.isPlausible(quantity) ? nil : "a value is out of range for \(type)"
        case .counter(let counter):
            let isCount = counter.value.isFinite && counter.value >= 0
            return isCount && counter.countsPerUnit > 0
                ? nil : "a counter of \(counter.type) is negative or not finite"
        case .beats(let beats):
            return beats.perSecond.isFinite && beats.perSecond > 0
                ? nil : "beats have no ticks per second"
        case .waveform(let waveform): return waveform.valueProblem
        case .correlation(let correlation):
            let types = correlation.members.filter { !$0.type.isPlausible($0.quantity) }.map(\.type)
            return types.first.map { "a value is out of range for \($0)" }
        case .state(.battery(let charge)):
            return (0...1).contains(charge)
                ? nil : "the battery is not from 0 to 1"
        case .state(.contact), .identity, .metadata: return nil
        }
    }

    /// The type that is read; nil for beats, states, identity and several types.
    var quantityType: QuantityType? {
        switch self {
        case .instant(let type, _, _), .metadata(_, let type): type
        case .counter(let counter): counter.type
        case .waveform(let waveform): waveform.type
        case .beats, .state, .identity, .correlation: nil
        }
    }

    /// What is read, without the value: `counter of stepCount`.
    var kind: String {
        switch self {
        case .instant(let type, _, _): "value of \(type)"
        case .counter(let counter): "counter of \(counter.type)"
        case .beats: "beats"
        case .waveform(let waveform): "waveform of \(waveform.type)"
        case .correlation(let correlation): "correlation \(correlation.type)"
        case .state(.contact): "contact"
        case .state(.battery): "battery"
        case .identity: "identity"
        case .metadata(_, let type): "metadata of \(type)"
        }
    }
}

extension QuantityType {
    /// Why a unit, or the type itself, is wrong for the gateway; nil when it is not.
    fileprivate func problem(unit: Unit, types: QuantityTypes) -> String? {
        guard let known = types.named(name), known.isDefined(as: self) else {
            return "\(self) is not a type of the gateway; declare it in `Plugins(types:)`"
        }
        return canonicalUnit.isCompatible(with: unit) ? nil : "\(unit) is not a unit of \(self)"
    }
}

extension WaveformReading {
    /// Why the values are not plausible; nil when they are.
    fileprivate var valueProblem: String? {
        guard perSecond.isFinite, perSecond > 0 else {
            return "a waveform has no values per second"
        }
        let isPlausible = values.allSatisfy { value in
            (try? Quantity(value, unit)).map(type.isPlausible) ?? false
        }
        return isPlausible ? nil : "a value is out of range for \(type)"
    }
}
