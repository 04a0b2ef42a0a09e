/// An export of Apple Health as text, like that of a phone with iOS 16: its declarations are not
/// well-formed.
enum AppleHealthExample {
    static let device =
        "&lt;&lt;HKDevice: 0x281e4f2a0&gt;, name:Apple Watch, manufacturer:Apple Inc., model:Watch, "
        + "hardware:Watch6,2, software:9.1&gt;"

    static let doctype = """
        <!DOCTYPE HealthData [
        <!-- HealthKit Export Version: 12 -->
        <!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout|ActivitySummary)*)>
        <!ATTLIST HealthData
          locale CDATA #REQUIRED
        >
        <!-- Note: Any Records that appear as children of a correlation also appear as top-level records. ]> -->
        <!ATTLIST VisionPrescription
          type             CDATA #REQUIRED
          brand            CDATA #IMPLIED
        <!ELEMENT RightEye EMPTY>
        ]>
        """

    static func file(_ elements: String, doctype: String = doctype) -> [UInt8] {
        Array(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            \(doctype)
            <HealthData locale="de_DE">
             <ExportDate value="2024-02-01 20:15:30 +0100"/>
             <Me HKCharacteristicTypeIdentifierDateOfBirth="1986-02-14" \
            HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexFemale"/>
            \(elements)
            </HealthData>

            """.utf8)
    }

    static func heartRate(
        _ value: String = "72", start: String = "2024-01-31 12:34:56 +0100",
        device: String = device, more: String = ""
    ) -> String {
        """
         <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Ada’s Watch" \
        sourceVersion="9.1" device="\(device)" unit="count/min" \
        creationDate="2024-01-31 12:35:01 +0100" startDate="\(start)" endDate="\(start)" \
        value="\(value)">\(more)</Record>
        """
    }

    static func record(
        _ type: String, _ value: String, unit: String? = nil,
        start: String = "2024-01-31 12:00:00 +0100", end: String = "2024-01-31 12:10:00 +0100"
    ) -> String {
        """
         <Record type="\(type)" sourceName="Phone" \(unit.map { "unit=\"\($0)\" " } ?? "")\
        creationDate="2024-01-31 12:11:00 +0100" startDate="\(start)" endDate="\(end)" \
        value="\(value)"/>
        """
    }

    static let systolic = record(
        "HKQuantityTypeIdentifierBloodPressureSystolic", "121", unit: "mmHg",
        end: "2024-01-31 12:00:00 +0100")
    static let diastolic = record(
        "HKQuantityTypeIdentifierBloodPressureDiastolic", "79", unit: "mmHg",
        end: "2024-01-31 12:00:00 +0100")

    static let bloodPressure = """
         <Correlation type="HKCorrelationTypeIdentifierBloodPressure" sourceName="Phone" \
        creationDate="2024-01-31 12:11:00 +0100" startDate="2024-01-31 12:00:00 +0100" \
        endDate="2024-01-31 12:00:00 +0100">
        \(systolic)
        \(diastolic)
         </Correlation>
        """

    static let workout = """
         <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="29.5" \
        durationUnit="min" sourceName="Ada’s Watch" sourceVersion="9.1" device="\(device)" \
        creationDate="2024-01-30 18:31:00 +0100" startDate="2024-01-30 18:00:00 +0100" \
        endDate="2024-01-30 18:30:00 +0100">
          <MetadataEntry key="HKIndoorWorkout" value="0"/>
          <MetadataEntry key="HKAverageMETs" value="9.8 kcal/hr·kg"/>
          <WorkoutEvent type="HKWorkoutEventTypePause" date="2024-01-30 18:10:00 +0100"/>
          <WorkoutEvent type="HKWorkoutEventTypeResume" date="2024-01-30 18:10:30 +0100"/>
          <WorkoutEvent type="HKWorkoutEventTypeSegment" date="2024-01-30 18:00:00 +0100" \
        duration="5.25" durationUnit="min"/>
          <WorkoutEvent type="HKWorkoutEventTypePauseOrResumeRequest" \
        date="2024-01-30 18:10:00 +0100"/>
          <WorkoutStatistics type="HKQuantityTypeIdentifierActiveEnergyBurned" \
        startDate="2024-01-30 18:00:00 +0100" endDate="2024-01-30 18:30:00 +0100" sum="312.5" \
        unit="kcal"/>
          <WorkoutStatistics type="HKQuantityTypeIdentifierHeartRate" \
        startDate="2024-01-30 18:00:00 +0100" endDate="2024-01-30 18:30:00 +0100" average="148.2" \
        minimum="92" maximum="171" unit="count/min"/>
          <WorkoutRoute sourceName="Watch">
           <FileReference path="/workout-routes/route_2024-01-30_6.30pm.gpx"/>
          </WorkoutRoute>
         </Workout>
        """

    static let whole = file(
        [
            heartRate(
                more: "<MetadataEntry key=\"HKMetadataKeyHeartRateMotionContext\" value=\"1\"/>"),
            record("HKQuantityTypeIdentifierStepCount", "512", unit: "count"),
            record("HKQuantityTypeIdentifierDietaryWater", "250", unit: "mL"),
            record(
                "HKCategoryTypeIdentifierSleepAnalysis", "HKCategoryValueSleepAnalysisAsleepCore"),
            systolic, diastolic, bloodPressure, workout,
            " <ActivitySummary dateComponents=\"2024-01-31\" activeEnergyBurned=\"512\"/>",
        ].joined(separator: "\n"))
}
