import HealthModel
package import HealthStore
import SQLite

extension SQLiteStore {
    /// The characteristics of a person; nil when the store knows no person with this name.
    package func characteristics(of person: String) throws -> Characteristics? {
        try connection.readTransaction {
            guard let row = try lookup.person(named: person) else { return nil }
            return try characteristicsByRow()[row] ?? Characteristics()
        }
    }

    /// The characteristics of all people who have some, by name.
    package func characteristics() throws -> [String: Characteristics] {
        try connection.readTransaction {
            var people: [String: Characteristics] = [:]
            for (row, found) in try characteristicsByRow() {
                people[try lookup.people.value(of: row)] = found
            }
            return people
        }
    }

    private func characteristicsByRow() throws -> [Int64: Characteristics] {
        guard try connection.userVersion >= Schema.characteristicVersion else { return [:] }
        var texts: [Int64: [Characteristic: String]] = [:]
        try connection.prepare("SELECT person, name, value FROM characteristic").forEachRow { row in
            guard let name = row.text(at: 1).flatMap(Characteristic.named) else { return }
            texts[row.integer(at: 0), default: [:]][name] = row.text(at: 2)
        }
        return texts.mapValues { Characteristics($0) }
    }

    /// Sets all characteristics of a person, who need not be known.
    package func setCharacteristics(_ new: Characteristics, of person: String) throws {
        try connection.transaction {
            let row = try RowIdentifiers(peopleOn: connection).row(of: person)
            try set(new, of: row)
        }
    }

    /// Sets the characteristics of some people, and removes those of all others.
    package func replaceCharacteristics(by people: [String: Characteristics]) throws {
        try connection.transaction {
            let rows = try RowIdentifiers(peopleOn: connection)
            try connection.execute("DELETE FROM characteristic")
            for (name, new) in people { try set(new, of: try rows.row(of: name)) }
        }
    }

    private func set(_ new: Characteristics, of person: Int64) throws {
        let remove = try connection.prepare("DELETE FROM characteristic WHERE person = ?")
        try remove.bind(integer: person, at: 1)
        try remove.run()
        let insert = try connection.prepare("INSERT INTO characteristic VALUES (?, ?, ?)")
        for (name, value) in new.texts {
            try insert.bind(integer: person, at: 1)
            try insert.bind(text: name.rawValue, at: 2)
            try insert.bind(text: value, at: 3)
            try insert.run()
        }
    }
}

extension Characteristics {
    /// The values that are set, as texts.
    fileprivate var texts: [Characteristic: String] {
        var texts: [Characteristic: String] = [:]
        texts[.dateOfBirth] = dateOfBirth?.description
        texts[.biologicalSex] = biologicalSex?.name
        texts[.bloodType] = bloodType?.name
        texts[.fitzpatrickSkinType] = fitzpatrickSkinType?.name
        texts[.wheelchairUse] = wheelchairUse?.name
        texts[.activityMoveMode] = activityMoveMode?.name
        return texts
    }

    /// Makes characteristics of texts; one that is not known is not set.
    fileprivate init(_ texts: [Characteristic: String]) {
        self.init(
            dateOfBirth: texts[.dateOfBirth].flatMap { CalendarDate(iso8601: $0) },
            biologicalSex: texts[.biologicalSex].flatMap(BiologicalSex.init(name:)),
            bloodType: texts[.bloodType].flatMap(BloodType.init(name:)),
            fitzpatrickSkinType: texts[.fitzpatrickSkinType]
                .flatMap(FitzpatrickSkinType.init(name:)),
            wheelchairUse: texts[.wheelchairUse].flatMap(WheelchairUse.init(name:)),
            activityMoveMode: texts[.activityMoveMode].flatMap(ActivityMoveMode.init(name:)))
    }
}
