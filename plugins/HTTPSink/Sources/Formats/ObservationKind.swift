import HealthModel

/// What all Observations of a type have in common; written once.
struct ObservationKind: Sendable {
    /// The members `category` and `code`, with a comma before each.
    let json: [UInt8]
    let unit: UCUMUnit

    /// The standard types' are made once; `others` keeps those of one body.
    ///
    /// Two samples of a type that is not declared may differ in their unit.
    static func of(
        _ type: QuantityType, _ others: inout [QuantityType: ObservationKind]
    ) -> ObservationKind {
        if let kind = byType[type] { return kind }
        if let kind = others[type], type.isDeclared { return kind }
        let kind = ObservationKind(type)
        others[type] = kind
        return kind
    }

    private static let byType = Dictionary(
        uniqueKeysWithValues: QuantityType.all.map { ($0, ObservationKind($0)) })

    /// The codes for which FHIR R4 has a vital signs profile (observation-vitalsigns.html).
    private static let vitalSigns: Set = [
        "9279-1", "8867-4", "59408-5", "8310-5", "8302-2", "29463-7", "39156-5", "8480-6",
        "8462-4",
    ]

    private init(_ type: QuantityType) {
        var codings: [(system: String, code: String)] = []
        if let loinc = type.loinc {
            // FHIR's profile asks for the code of any oximetry beside that of the pulse oximeter.
            if type == .oxygenSaturation { codings.append((FHIRSystem.loinc, "2708-6")) }
            codings.append((FHIRSystem.loinc, loinc))
        }
        codings.append((FHIRSystem.type, type.name))
        var json: [UInt8] = []
        if let loinc = type.loinc, Self.vitalSigns.contains(loinc) {
            json.append(",\"category\":[{\"coding\":[")
            Self.append((FHIRSystem.observationCategory, "vital-signs"), to: &json)
            json.append("]}]")
        }
        json.append(",\"code\":{\"coding\":[")
        for (index, coding) in codings.enumerated() {
            if index > 0 { json.append(",") }
            Self.append(coding, to: &json)
        }
        json.append("],\"text\":")
        json.appendJSONString(type.name)
        json.append("}")
        self.json = json
        unit = UCUMUnit.of(type)
    }

    private static func append(
        _ coding: (system: String, code: String), to json: inout [UInt8]
    ) {
        json.append("{\"system\":")
        json.appendJSONString(coding.system)
        json.append(",\"code\":")
        json.appendJSONString(coding.code)
        json.append("}")
    }
}
