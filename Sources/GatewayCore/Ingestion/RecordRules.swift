import HealthModel
import Readings

/// The rules for complete records of a source, which no converter has made.
struct RecordRules {
    /// The names of the people who may have records.
    let people: [String]
    private let check: RecordCheck

    /// Makes rules; without the current time, which an unset clock does not know, any time is accepted.
    init(people: [String], now: Instant?) {
        self.people = people
        check = RecordCheck(now.map { RecordTimeBounds(at: $0) })
    }

    /// Returns why a record is not accepted; nil if it is.
    func fault(of record: Record) -> ReadingFault? {
        if let person = record.person, !people.contains(person) { return .unknownPerson }
        switch check.problem(of: record) {
        case .time, .tooLong: return .outOfTime
        case .implausible: return .implausible
        case .foreignMember, .missingPerson: return .unknownPerson
        case nil: return nil
        }
    }
}

extension Converter {
    /// Adds the device, its person and the source to complete records where one is missing, and checks them.
    func convert(_ records: [Record], by rules: RecordRules) -> Conversion {
        var conversion = Conversion()
        for record in records {
            let record = record.filling(device: device, person: person, source: source)
            if let fault = rules.fault(of: record) {
                conversion.faults.add(fault, of: record.typeName ?? "event")
            } else {
                conversion.records.append(record)
            }
        }
        return conversion
    }
}
