import GatewayCore
import GatewayHost
package import HealthModel
import JSON
import Platform
package import Terminal
import WorkoutScreens

/// A list of people as a table and as JSON.
package struct PeopleText {
    private let today: CalendarDate
    private let defaultName: String?
    private let width: TerminalWidth?

    /// Creates the text.
    ///
    /// - Parameters:
    ///   - today: The day for which ages are calculated.
    ///   - defaultName: The name of the default person; nil when none is set.
    ///   - width: The width of the terminal; nil for other outputs.
    package init(today: CalendarDate, defaultName: String?, width: TerminalWidth?) {
        self.today = today
        self.defaultName = defaultName
        self.width = width
    }

    /// A row per person.
    package func table(of people: [Person]) -> String {
        // Optional columns are left out when they have no value.
        let columns = Self.characteristics.filter { column in
            people.contains { column.value($0) != nil }
        }
        let hasDefault = people.contains { $0.name == defaultName }
        let leading = ["NAME"] + (hasDefault ? ["DEFAULT"] : []) + ["BIRTH DATE"]
        let age = leading.count
        var table = TextTable(
            leading + ["AGE", "SEX"] + columns.map(\.title)
                + ["MAXIMUM HEART RATE", "UNITS"], right: age..<(age + 1))
        for person in people {
            let units = Self.units(of: person).map { "\($0.type.name) in \($0.unit.string)" }
            let standard = hasDefault ? [person.name == defaultName ? "yes" : nil] : []
            let cells =
                [LogFormat.escaped(person.name)] + standard + [
                    person.birthDate?.description, person.age(on: today).map { "\($0)" },
                    person.sex?.name,
                ] + columns.map { $0.value(person) } + [
                    person.maximumHeartRate.map(HumanQuantity.text),
                    units.isEmpty ? nil : units.joined(separator: ", "),
                ]
            table.add(cells.map { TextTable.Cell($0 ?? "-") })
        }
        return table.text(.plain, within: width)
    }

    private static let characteristics: [(title: String, value: @Sendable (Person) -> String?)] = [
        ("BLOOD TYPE", { $0.bloodType?.name }), ("SKIN TYPE", { $0.skinType?.name }),
        ("WHEELCHAIR", { $0.wheelchairUse?.name }), ("MOVE MODE", { $0.moveMode?.name }),
        ("WALL", { $0.wall.map { $0 ? "yes" : "no" } }),
    ]

    /// The people for programs; JSON is one object with the name of the default person.
    package func report(of people: [Person]) -> Report {
        Report(
            columns: [
                "name", "birthDate", "age", "sex", "bloodType", "skinType", "wheelchairUse",
                "moveMode", Report.Column("maximumHeartRate", path: "maximumHeartRate.value"),
                Report.Column("maximumHeartRateUnit", path: "maximumHeartRate.unit"), "zones",
                "wall", "units",
            ], rows: people.map(row), document: json(of: people))
    }

    private func row(of person: Person) -> String {
        var json = JSONWriter()
        json.object { person.write(to: &$0, today: today) }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private func json(of people: [Person]) -> String {
        var json = JSONWriter()
        json.object { json in
            json.objects("people", people) { $0.write(to: &$1, today: today) }
            json.field("default", people.contains { $0.name == defaultName } ? defaultName : nil)
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private static func units(of person: Person) -> [(type: QuantityType, unit: Unit)] {
        person.preferredUnits.sorted { $0.key.name < $1.key.name }.map { ($0.key, $0.value) }
    }
}
