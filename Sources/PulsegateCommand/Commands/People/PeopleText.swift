import GatewayCore
import HealthModel
import JSON
import Platform
import Terminal
import WorkoutScreens

/// People as a table, and as JSON.
struct PeopleText {
    /// The day on which somebody has an age.
    let today: CalendarDate

    func table(of people: [Person]) -> String {
        // Few people have set these: a column that nobody has a value for is left out.
        let columns = Self.characteristics.filter { column in
            people.contains { column.value($0) != nil }
        }
        var table = TextTable(
            ["NAME", "BIRTH DATE", "AGE", "SEX"] + columns.map(\.title)
                + ["MAXIMUM HEART RATE", "UNITS"], right: 2..<3)
        for person in people {
            let units = Self.units(of: person).map { "\($0.type.name) in \($0.unit.string)" }
            let cells =
                [
                    LogFormat.escaped(person.name), person.birthDate?.description,
                    person.age(on: today).map { "\($0)" }, person.sex?.name,
                ] + columns.map { $0.value(person) } + [
                    person.maximumHeartRate.map(HumanQuantity.text),
                    units.isEmpty ? nil : units.joined(separator: ", "),
                ]
            table.add(cells.map { TextTable.Cell($0 ?? "-") })
        }
        return table.text(.plain)
    }

    private static let characteristics: [(title: String, value: @Sendable (Person) -> String?)] = [
        ("BLOOD TYPE", { $0.bloodType?.name }), ("SKIN TYPE", { $0.skinType?.name }),
        ("WHEELCHAIR", { $0.wheelchairUse?.name }), ("MOVE MODE", { $0.moveMode?.name }),
    ]

    func json(of people: [Person]) -> String {
        var json = JSONWriter()
        json.object { json in
            json.objects("people", people) { person, json in
                json.field("name", person.name)
                json.field("birthDate", person.birthDate?.description)
                json.field("age", person.age(on: today).map { Double($0) })
                json.field("sex", person.sex?.name)
                json.field("bloodType", person.bloodType?.name)
                json.field("skinType", person.skinType?.name)
                json.field("wheelchairUse", person.wheelchairUse?.name)
                json.field("moveMode", person.moveMode?.name)
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
