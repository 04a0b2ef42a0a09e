import HealthModel
import JSON

/// The encoded members that all Observations of a type share.
struct ObservationKind: Sendable {
    /// The members `category` and `code`, with a comma before each.
    let json: [UInt8]
    /// The member `code` alone, as the beginning of a component.
    let component: [UInt8]
    let unit: UCUMUnit

    /// The kind of a type; standard types are built in, `others` caches custom types for one body.
    ///
    /// Samples of an undeclared type may differ in their unit, so these are not cached.
    static func of(
        _ type: QuantityType, _ others: inout [QuantityType: ObservationKind]
    ) -> ObservationKind {
        if let kind = byType[type] { return kind }
        // It may share its name with a declared type, but not its unit.
        guard type.isDeclared else { return ObservationKind(type) }
        if let kind = others[type] { return kind }
        let kind = ObservationKind(type)
        others[type] = kind
        return kind
    }

    private static let byType = Dictionary(
        uniqueKeysWithValues: QuantityType.all.map { ($0, ObservationKind($0)) })

    /// The members `category` and `code` for a record type.
    static func json(of type: RecordType) -> [UInt8] {
        switch type {
        case .quantity(let type): ObservationKind(type).json
        case .category(let type): members(name: type.name, loinc: [])
        case .correlation(.bloodPressure):
            members(name: CorrelationType.bloodPressure.name, loinc: [bloodPressurePanel])
        case .correlation(let type): members(name: type.name, loinc: [])
        case .workout: members(name: type.name, loinc: [])
        }
    }

    /// The code of a category as the beginning of a component.
    static func component(of type: CategoryType) -> [UInt8] { code(name: type.name, loinc: []) }

    /// A Pulsegate code other than a type, as the beginning of a component.
    static func component(named name: String) -> [UInt8] { code(name: name, loinc: []) }

    /// "Blood pressure panel with all children optional".
    private static let bloodPressurePanel = "85354-9"

    /// The codes for which FHIR R4 has a vital signs profile (observation-vitalsigns.html).
    private static let vitalSigns: Set = [
        "9279-1", "8867-4", "59408-5", "8310-5", "8302-2", "29463-7", "39156-5", "8480-6",
        "8462-4", bloodPressurePanel,
    ]

    private init(_ type: QuantityType) {
        var loinc = type.loinc.map { [$0] } ?? []
        // FHIR's profile requires the general oximetry code in addition to the pulse oximetry code.
        if type == .oxygenSaturation { loinc.insert("2708-6", at: 0) }
        json = Self.members(name: type.name, loinc: loinc)
        component = Self.code(name: type.name, loinc: loinc)
        unit = UCUMUnit.of(type)
    }

    private static func members(name: String, loinc: [String]) -> [UInt8] {
        var json: [UInt8] = []
        if !vitalSigns.isDisjoint(with: loinc) {
            json.append(",\"category\":[{\"coding\":[")
            append((FHIRSystem.observationCategory, "vital-signs"), to: &json)
            json.append("]}]")
        }
        json.append(",")
        json.append(contentsOf: code(name: name, loinc: loinc))
        return json
    }

    private static func code(name: String, loinc: [String]) -> [UInt8] {
        var json: [UInt8] = []
        json.append("\"code\":{\"coding\":[")
        for code in loinc {
            append((FHIRSystem.loinc, code), to: &json)
            json.append(",")
        }
        append((FHIRSystem.type, name), to: &json)
        json.append("],\"text\":")
        json.appendJSONString(name)
        json.append("}")
        return json
    }

    static func append(
        _ coding: (system: String, code: String), to json: inout [UInt8]
    ) {
        json.append("{\"system\":")
        json.appendJSONString(coding.system)
        json.append(",\"code\":")
        json.appendJSONString(coding.code)
        json.append("}")
    }
}
