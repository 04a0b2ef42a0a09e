/// The URIs of the systems of codes and identifiers.
enum FHIRSystem {
    static let loinc = "http://loinc.org"
    static let ucum = "http://unitsofmeasure.org"
    static let observationCategory =
        "http://terminology.hl7.org/CodeSystem/observation-category"

    /// Pulsegate's types: the code is the type's name, such as `rrInterval`.
    static let type = "urn:pulsegate:type"
    /// Category values: the code is HealthKit's name, such as `asleepDeep`.
    static let value = "urn:pulsegate:value"
    /// Workout activities: the code is HealthKit's name, such as `running`, or a custom one.
    static let activity = "urn:pulsegate:activity"
    /// The people of a gateway's configuration: the value is the name, such as `ada`.
    static let person = "urn:pulsegate:person"
    /// Local device identifiers: a Bluetooth address or the path of a port.
    static let device = "urn:pulsegate:device"
}
