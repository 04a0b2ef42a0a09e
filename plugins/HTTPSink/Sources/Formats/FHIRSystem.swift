/// The systems that codes and identifiers belong to, as URIs.
enum FHIRSystem {
    static let loinc = "http://loinc.org"
    static let ucum = "http://unitsofmeasure.org"
    static let observationCategory =
        "http://terminology.hl7.org/CodeSystem/observation-category"

    /// Our types: the code is the type's name, as `rrInterval`.
    static let type = "urn:pulsegate:type"
    /// The values of categories: the code is HealthKit's name, as `asleepDeep`.
    static let value = "urn:pulsegate:value"
    /// The activities of workouts: the code is HealthKit's name, as `running`, or one of the user's own.
    static let activity = "urn:pulsegate:activity"
    /// The people of a gateway's configuration: the value is the name, as `ada`.
    static let person = "urn:pulsegate:person"
    /// What a gateway knows a device by: a Bluetooth address or the path of a port.
    static let device = "urn:pulsegate:device"
}
