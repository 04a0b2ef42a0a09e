import GatewayCore
import HealthModel
import Readings

/// What readings add up to, however they were divided among events.
struct ReadingSummary: Equatable {
    /// Instants, beats and metadata, one by one.
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
            case .instant, .beats, .metadata: sequence.append(reading)
            }
        }
    }
}

extension Reading {
    /// Why the converter would reject the reading; nil when it would not.
    ///
    /// The value is not part of the text.
    var problem: String? {
        switch self {
        case .instant(let type, let quantity, _):
            if type.isCumulative { return "\(type) is cumulative; report it as a counter" }
            if !type.canonicalUnit.isCompatible(with: quantity.unit) {
                return "\(quantity.unit) is not a unit of \(type)"
            }
            return type.isPlausible(quantity) ? nil : "a value is out of range for \(type)"
        case .counter(let counter):
            if !counter.type.isCumulative { return "\(counter.type) is not cumulative" }
            if !counter.type.canonicalUnit.isCompatible(with: counter.unit) {
                return "\(counter.unit) is not a unit of \(counter.type)"
            }
            let isCount = counter.value.isFinite && counter.value >= 0
            return isCount && counter.countsPerUnit > 0
                ? nil : "a counter of \(counter.type) is negative or not finite"
        case .beats(let beats):
            return beats.perSecond.isFinite && beats.perSecond > 0
                ? nil : "beats have no ticks per second"
        case .state(.battery(let charge)):
            return (0...1).contains(charge)
                ? nil : "the battery is not from 0 to 1"
        case .state(.contact), .identity, .metadata: return nil
        }
    }
}
