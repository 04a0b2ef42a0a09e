import GatewayCore
import HealthModel
import JSON
import Platform
import Terminal

/// People as a table, and as JSON.
struct PeopleText {
    /// The day on which somebody has an age.
    let today: CalendarDate

    func table(of people: [Person]) -> String {
        var table = TextTable(
            ["NAME", "BIRTH DATE", "AGE", "SEX", "MAXIMUM HEART RATE", "UNITS"], right: 2..<3)
        for person in people {
            let units = Self.units(of: person).map { "\($0.type.name) in \($0.unit.string)" }
            table.add([
                TextTable.Cell(LogFormat.escaped(person.name)),
                TextTable.Cell(person.birthDate?.description ?? "-"),
                TextTable.Cell(person.age(on: today).map { "\($0)" } ?? "-"),
                TextTable.Cell(person.sex?.rawValue ?? "-"),
                TextTable.Cell(person.maximumHeartRate.map(HumanQuantity.text) ?? "-"),
                TextTable.Cell(units.isEmpty ? "-" : units.joined(separator: ", ")),
            ])
        }
        return table.text(.plain)
    }

    func json(of people: [Person]) -> String {
        var json = JSONWriter()
        json.object { json in
            json.objects("people", people) { person, json in
                json.field("name", person.name)
                json.field("birthDate", person.birthDate?.description)
                json.field("age", person.age(on: today).map { Double($0) })
                json.field("sex", person.sex?.rawValue)
                if let rate = person.maximumHeartRate {
                    json.object("maximumHeartRate") { json in
                        json.field("value", rate.value)
                        json.field("unit", rate.unit.string)
                    }
                }
                if let zones = person.zones {
                    json.object("zones") { json in
                        json.field("of", zones.basis.rawValue)
                        json.numbers("parts", zones.parts)
                    }
                }
                json.object("units") { json in
                    for (type, unit) in Self.units(of: person) {
                        json.field(type.name, unit.string)
                    }
                }
            }
        }
        return String(decoding: json.bytes, as: UTF8.self) + "\n"
    }

    private static func units(of person: Person) -> [(type: QuantityType, unit: Unit)] {
        person.preferredUnits.sorted { $0.key.name < $1.key.name }.map { ($0.key, $0.value) }
    }
}
