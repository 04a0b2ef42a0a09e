/// The decoded fields of a workout total, whose keys may be in any order.
struct WorkoutTotalDraft {
    let offset: Int
    var type: RecordType?
    var unit: Unit?
    var method: String?
    var values: [String: Double] = [:]

    init(offset: Int) {
        self.offset = offset
    }

    func finish(allowingUndeclared: Bool) throws(RecordDecodingError) -> WorkoutTotal {
        guard case .quantity(let type)? = type else {
            throw .invalidValue(
                key: "totals", expected: "objects with a quantity type", offset: offset)
        }
        guard let unit else { throw .missingKey("totals.unit") }
        do {
            return try total(of: type, in: unit)
        } catch {
            // As for samples: an accepted total is forwarded with an undeclared type.
            guard allowingUndeclared, type.isDeclared, !type.isStandard,
                let total = try? total(
                    of: QuantityType(undeclared: type.name, unit: unit), in: unit)
            else { throw error }
            return total
        }
    }

    private func total(
        of type: QuantityType, in unit: Unit
    ) throws(RecordDecodingError) -> WorkoutTotal {
        func value(_ key: String) -> Quantity? {
            values[key].flatMap { try? Quantity($0, unit) }
        }
        do {
            if let sum = value("sum"), values.count == 1 {
                return try WorkoutTotal(type, sum: sum, method: method)
            }
            if let average = value("average"), let minimum = value("minimum"),
                let maximum = value("maximum"), values.count == 3
            {
                return try WorkoutTotal(
                    type, average: average, minimum: minimum, maximum: maximum, method: method)
            }
        } catch {
            throw .invalidWorkout(error)
        }
        throw .invalidValue(
            key: "totals", expected: "objects with sum, or with average, minimum and maximum",
            offset: offset)
    }
}
