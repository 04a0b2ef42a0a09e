import HealthModel
import XCTest

final class CharacteristicTests: XCTestCase {
    private func numbers<Value: CharacteristicValue>(_ type: Value.Type) -> [String] {
        Value.allCases.map { "\($0.rawValue) \($0.healthKitIdentifier)" }
    }

    private func assertReadsBack<Value: CharacteristicValue & Equatable>(_ type: Value.Type) {
        for value in Value.allCases {
            XCTAssertEqual(Value(healthKitIdentifier: value.healthKitIdentifier), value)
        }
        XCTAssertNil(Value(healthKitIdentifier: "HK\(type)"))
        XCTAssertNil(Value(healthKitIdentifier: "notSet"))
    }

    func testCharacteristics_haveHealthKitsIdentifiers() {
        let identifiers = Characteristic.allCases.map(\.healthKitIdentifier)
        XCTAssertEqual(
            identifiers,
            [
                "DateOfBirth", "BiologicalSex", "BloodType", "FitzpatrickSkinType",
                "WheelchairUse", "ActivityMoveMode",
            ].map { "HKCharacteristicTypeIdentifier\($0)" })
        for characteristic in Characteristic.allCases {
            XCTAssertEqual(Characteristic.named(characteristic.rawValue), characteristic)
            XCTAssertEqual(Characteristic.named(characteristic.healthKitIdentifier), characteristic)
        }
        XCTAssertNil(Characteristic.named("BloodType"))
    }

    func testValues_haveHealthKitsNumbersAndNames() {
        XCTAssertEqual(
            numbers(BiologicalSex.self),
            [
                "0 HKBiologicalSexNotSet", "1 HKBiologicalSexFemale", "2 HKBiologicalSexMale",
                "3 HKBiologicalSexOther",
            ])
        XCTAssertEqual(
            numbers(BloodType.self),
            [
                "0 HKBloodTypeNotSet", "1 HKBloodTypeAPositive", "2 HKBloodTypeANegative",
                "3 HKBloodTypeBPositive", "4 HKBloodTypeBNegative", "5 HKBloodTypeABPositive",
                "6 HKBloodTypeABNegative", "7 HKBloodTypeOPositive", "8 HKBloodTypeONegative",
            ])
        XCTAssertEqual(
            numbers(FitzpatrickSkinType.self),
            ["NotSet", "I", "II", "III", "IV", "V", "VI"].enumerated().map {
                "\($0.offset) HKFitzpatrickSkinType\($0.element)"
            })
        XCTAssertEqual(
            numbers(WheelchairUse.self),
            ["0 HKWheelchairUseNotSet", "1 HKWheelchairUseNo", "2 HKWheelchairUseYes"])
        XCTAssertEqual(
            numbers(ActivityMoveMode.self),
            ["1 HKActivityMoveModeActiveEnergy", "2 HKActivityMoveModeAppleMoveTime"])
    }

    func testValues_areReadFromTheirNames_andKnowWhatTheyAreOf() {
        assertReadsBack(BiologicalSex.self)
        assertReadsBack(BloodType.self)
        assertReadsBack(FitzpatrickSkinType.self)
        assertReadsBack(WheelchairUse.self)
        assertReadsBack(ActivityMoveMode.self)
        XCTAssertEqual(
            [
                BiologicalSex.characteristic, BloodType.characteristic,
                FitzpatrickSkinType.characteristic, WheelchairUse.characteristic,
                ActivityMoveMode.characteristic,
            ], Array(Characteristic.allCases.dropFirst()))
    }

    func testNames_areThoseThatAPersonTypes_andLeaveOutNotSet() {
        XCTAssertEqual(BiologicalSex.names, ["female", "male", "other"])
        XCTAssertEqual(BloodType.names, ["A+", "A-", "B+", "B-", "AB+", "AB-", "O+", "O-"])
        XCTAssertEqual(FitzpatrickSkinType.names, ["I", "II", "III", "IV", "V", "VI"])
        XCTAssertEqual(WheelchairUse.names, ["no", "yes"])
        XCTAssertEqual(ActivityMoveMode.names, ["activeEnergy", "appleMoveTime"])
        XCTAssertEqual(BloodType(name: "AB-"), .abNegative)
        XCTAssertNil(BloodType(name: "notSet"))
    }

    func testPerson_whoseValuesAreNotSet_hasNone() throws {
        let person = try Person(
            name: "ada", sex: .notSet, bloodType: .notSet, skinType: .notSet,
            wheelchairUse: .notSet)
        XCTAssertEqual(person, try Person(name: "ada"))
    }
}
