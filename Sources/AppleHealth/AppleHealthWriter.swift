package import HealthModel
import XML

/// Encodes records as an `export.xml` of Apple Health, piece by piece.
///
/// ``AppleHealthReader`` reads every record back, with its id and its exact times. The format has
/// no person, and no methods of workout totals.
package struct AppleHealthWriter {
    typealias Attributes = [(name: String, value: String)]

    var xml = XMLWriter()
    let calendar: LocalCalendar
    /// What was written; unknown are the records that Apple Health has no type for.
    package internal(set) var counts = AppleHealthCounts()

    /// Starts an export.
    ///
    /// - Parameters:
    ///   - now: The time of the export.
    ///   - person: The person of the records, for the characteristics.
    ///   - calendar: The local calendar, for the offsets of times.
    package init(at now: Instant, person: Person?, calendar: LocalCalendar) {
        self.calendar = calendar
        xml.append(AppleHealthDoctype.text)
        xml.start("HealthData", [("locale", "en_US")])
        empty("ExportDate", [("value", AppleTime.text(now, calendar))])
        let prefix = "HKCharacteristicTypeIdentifier"
        empty(
            "Me",
            [
                ("\(prefix)DateOfBirth", person?.birthDate.map { "\($0)" } ?? ""),
                (
                    "\(prefix)BiologicalSex",
                    (person?.sex ?? .notSet).healthKitIdentifier
                ),
                ("\(prefix)BloodType", (person?.bloodType ?? .notSet).healthKitIdentifier),
                (
                    "\(prefix)FitzpatrickSkinType",
                    (person?.skinType ?? .notSet).healthKitIdentifier
                ),
                ("\(prefix)CardioFitnessMedicationsUse", "None"),
            ])
    }

    /// Adds a record; one that the format has no type for is counted.
    package mutating func add(_ record: Record) {
        switch record {
        case .sample(let sample):
            guard write(sample) else { return counts.addUnknown(sample.type.name) }
            counts.addRecord(sample.type.name)
        case .category(let sample):
            write(sample)
            counts.addRecord(sample.type.name)
        case .correlation(let correlation):
            write(correlation)
            counts.addRecord(correlation.type.name)
        case .workout(let workout):
            guard write(workout) else { return counts.addUnknown(workout.activity.name) }
            counts.addRecord(RecordType.workout.name)
        case .event: counts.addUnknown("deviceEvent")
        case .deletion: counts.addUnknown("deletion")
        }
    }

    /// Ends the export.
    package mutating func finish() { xml.end() }

    /// Takes the bytes that were written since the last call.
    package mutating func takeBytes() -> [UInt8] { xml.takeBytes() }

    // MARK: Samples

    private mutating func write(_ sample: QuantitySample) -> Bool {
        guard let type = sample.type.healthKitIdentifier else { return false }
        let value = [
            ("type", type), ("unit", sample.quantity.unit.string),
            ("value", sample.quantity.valueText),
        ]
        xml.start(
            "Record",
            value + origin(sample.source, sample.device, from: sample.start, to: sample.end))
        write(sample.metadata, id: sample.id, from: sample.start, to: sample.end)
        xml.end()
        return true
    }

    private mutating func write(_ sample: CategorySample) {
        let value = [
            ("type", sample.type.healthKitIdentifier),
            ("value", AppleCategoryValue.text(sample.valueName, of: sample.type)),
        ]
        xml.start(
            "Record",
            value + origin(sample.source, sample.device, from: sample.start, to: sample.end))
        write(sample.metadata, id: sample.id, from: sample.start, to: sample.end)
        xml.end()
    }

    private mutating func write(_ group: Correlation) {
        xml.start(
            "Correlation",
            [("type", group.type.healthKitIdentifier)]
                + origin(group.source, group.device, from: group.start, to: group.end))
        write(group.metadata, id: group.id, from: group.start, to: group.end)
        for member in group.samples {
            switch member {
            case .quantity(let sample): _ = write(sample)
            case .category(let sample): write(sample)
            }
        }
        xml.end()
    }

    // MARK: Parts

    func origin(
        _ source: SourceRevision?, _ device: Device?, from start: Instant, to end: Instant
    ) -> Attributes {
        var attributes: Attributes = [("sourceName", source?.name ?? "")]
        if let version = source?.version { attributes.append(("sourceVersion", version)) }
        if let device { attributes.append(("device", AppleDevices.text(device))) }
        attributes.append(("startDate", AppleTime.text(start, calendar)))
        attributes.append(("endDate", AppleTime.text(end, calendar)))
        return attributes
    }

    /// Writes metadata, and what the attributes cannot hold.
    mutating func write(
        _ metadata: Metadata, id: RecordID?, from start: Instant, to end: Instant
    ) {
        for entry in metadata {
            self.entry(entry.key, AppleMetadata.text(entry.value))
        }
        let typed = AppleMetadata.typed(metadata)
        if !typed.isEmpty { entry(AppleHealthKeys.metadata, typed.json) }
        if let id { entry(AppleHealthKeys.id, "\(id)") }
        if !AppleTime.isExact(start) || !AppleTime.isExact(end) {
            entry(AppleHealthKeys.start, "\(start)")
            entry(AppleHealthKeys.end, "\(end)")
        }
    }

    mutating func entry(_ key: String, _ value: String) {
        empty("MetadataEntry", [("key", key), ("value", value)])
    }

    mutating func empty(_ name: String, _ attributes: Attributes) {
        xml.start(name, attributes)
        xml.end()
    }
}
