/// The document type of an export, as far as it is written (HealthKit Export Version 14).
enum AppleHealthDoctype {
    static let text = """
        <!DOCTYPE HealthData [
        <!ELEMENT HealthData (ExportDate, Me, (Record | Correlation | Workout)*)>
        <!ATTLIST HealthData locale CDATA #REQUIRED>
        <!ELEMENT ExportDate EMPTY>
        <!ATTLIST ExportDate value CDATA #REQUIRED>
        <!ELEMENT Me EMPTY>
        <!ATTLIST Me
          HKCharacteristicTypeIdentifierDateOfBirth CDATA #REQUIRED
          HKCharacteristicTypeIdentifierBiologicalSex CDATA #REQUIRED
          HKCharacteristicTypeIdentifierBloodType CDATA #REQUIRED
          HKCharacteristicTypeIdentifierFitzpatrickSkinType CDATA #REQUIRED
          HKCharacteristicTypeIdentifierCardioFitnessMedicationsUse CDATA #REQUIRED>
        <!ELEMENT Record (MetadataEntry*)>
        <!ATTLIST Record
          type CDATA #REQUIRED
          unit CDATA #IMPLIED
          value CDATA #IMPLIED
          \(origin)>
        <!ELEMENT Correlation ((MetadataEntry | Record)*)>
        <!ATTLIST Correlation
          type CDATA #REQUIRED
          \(origin)>
        <!ELEMENT Workout ((MetadataEntry | WorkoutEvent | WorkoutStatistics)*)>
        <!ATTLIST Workout
          workoutActivityType CDATA #REQUIRED
          duration CDATA #IMPLIED
          durationUnit CDATA #IMPLIED
          \(origin)>
        <!ELEMENT WorkoutEvent (MetadataEntry*)>
        <!ATTLIST WorkoutEvent
          type CDATA #REQUIRED
          date CDATA #REQUIRED
          duration CDATA #IMPLIED
          durationUnit CDATA #IMPLIED>
        <!ELEMENT WorkoutStatistics EMPTY>
        <!ATTLIST WorkoutStatistics
          type CDATA #REQUIRED
          startDate CDATA #REQUIRED
          endDate CDATA #REQUIRED
          average CDATA #IMPLIED
          minimum CDATA #IMPLIED
          maximum CDATA #IMPLIED
          sum CDATA #IMPLIED
          unit CDATA #IMPLIED>
        <!ELEMENT MetadataEntry EMPTY>
        <!ATTLIST MetadataEntry
          key CDATA #REQUIRED
          value CDATA #REQUIRED>
        ]>

        """

    private static let origin = """
        sourceName CDATA #REQUIRED
          sourceVersion CDATA #IMPLIED
          device CDATA #IMPLIED
          creationDate CDATA #IMPLIED
          startDate CDATA #REQUIRED
          endDate CDATA #REQUIRED
        """
}
