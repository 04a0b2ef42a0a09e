package import HealthModel
package import JSON

extension Person {
    /// Writes the facts about the person for programs; the age is that on `today`.
    package func write(to json: inout JSONWriter, today: CalendarDate) {
        json.field("name", name)
        json.field("birthDate", birthDate?.description)
        json.field("age", age(on: today).map { Double($0) })
        json.field("sex", sex?.name)
        json.field("bloodType", bloodType?.name)
        json.field("skinType", skinType?.name)
        json.field("wheelchairUse", wheelchairUse?.name)
        json.field("moveMode", moveMode?.name)
        if let rate = maximumHeartRate {
            json.object("maximumHeartRate") { json in
                json.field("value", rate.value)
                json.field("unit", rate.unit.string)
            }
        }
        if let zones {
            json.object("zones") { json in
                json.field("of", zones.basis.rawValue)
                json.numbers("parts", zones.parts)
            }
        }
        json.field("wall", wall)
        json.object("units") { json in
            for (type, unit) in preferredUnits.sorted(by: { $0.key.name < $1.key.name }) {
                json.field(type.name, unit.string)
            }
        }
    }
}

extension Person {
    /// Why the birth date cannot be right; nil if it can.
    package func birthDateProblem(today: CalendarDate) -> String? {
        guard let birthDate else { return nil }
        if birthDate > today { return "must not be in the future" }
        return birthDate.year < 1900 ? "must be 1900-01-01 or later" : nil
    }
}
