import HealthModel
import HealthStore
import XCTest

@testable import SQLiteStore

/// The characteristics of people, in both stores.
final class CharacteristicsTests: CorrelationStoreTestCase {
    private let ada = Characteristics(
        dateOfBirth: CalendarDate(year: 1986, month: 2, day: 14), biologicalSex: .female,
        bloodType: .abNegative, fitzpatrickSkinType: .type3, wheelchairUse: .no,
        activityMoveMode: .appleMoveTime)

    func testCharacteristics_areThoseThatWereSet() async throws {
        for store in try stores() {
            try await store.setCharacteristics(ada, of: "ada")
            var found = try await store.characteristics(of: "ada")
            XCTAssertEqual(found, ada)
            let birth = try await store.dateOfBirth(of: "ada")
            XCTAssertEqual(birth, CalendarDate(year: 1986, month: 2, day: 14).map { .value($0) })
            let blood = try await store.characteristic(BloodType.self, of: "ada")
            XCTAssertEqual(blood, .value(.abNegative))
            let skin = try await store.characteristic(FitzpatrickSkinType.self, of: "ada")
            XCTAssertEqual(skin, .value(.type3))
            let wheelchair = try await store.characteristic(WheelchairUse.self, of: "ada")
            XCTAssertEqual(wheelchair, .value(.no))
            let mode = try await store.characteristic(ActivityMoveMode.self, of: "ada")
            XCTAssertEqual(mode, .value(.appleMoveTime))
            // All of them are set: one that is nil is no longer set.
            let less = Characteristics(biologicalSex: .other, bloodType: .notSet)
            try await store.setCharacteristics(less, of: "ada")
            found = try await store.characteristics(of: "ada")
            XCTAssertEqual(found, Characteristics(biologicalSex: .other))
        }
    }

    func testNotSet_isNotAnUnknownPerson() async throws {
        for store in try stores() {
            _ = try await store.save([.sample(heartRate(1, person: "zo\u{eb}"))])
            // Another spelling of the same name.
            for name in ["zo\u{eb}", "zoe\u{308}"] {
                let sex = try await store.characteristic(BiologicalSex.self, of: name)
                XCTAssertEqual(sex, .notSet)
                let birth = try await store.dateOfBirth(of: name)
                XCTAssertEqual(birth, .notSet)
            }
            let sex = try await store.characteristic(BiologicalSex.self, of: "eve")
            XCTAssertEqual(sex, .unknownPerson)
            let birth = try await store.dateOfBirth(of: "eve")
            XCTAssertEqual(birth, .unknownPerson)
        }
    }

    func testAWrongName_isRefused() async throws {
        for store in try stores() {
            do {
                try await store.setCharacteristics(ada, of: "no name")
                XCTFail("nothing is thrown")
            } catch {
                XCTAssertEqual(error, .failed(reason: "\(PersonError.name)"))
            }
        }
    }

    func testCharacteristics_areInTheFile_andGoWithThePerson() async throws {
        let store = try SQLiteHealthStore(opening: path)
        try await store.setCharacteristics(ada, of: "ada")
        let reader = try SQLiteHealthStore(reading: path)
        let found = try await reader.characteristics(of: "ada")
        XCTAssertEqual(found, ada)
        _ = try await SQLiteStore(path: path).delete(.person("ada"), at: instant(9))
        let deleted = try await reader.characteristics(of: "ada")
        XCTAssertNil(deleted)
        XCTAssertEqual(try integer("SELECT count(*) FROM characteristic"), 0)
    }

    func testReplacing_removesThoseOfOthers() async throws {
        let store = try SQLiteStore(path: path)
        try await store.setCharacteristics(ada, of: "ada")
        let wanted = ["eve": Characteristics(bloodType: .oPositive)]
        try await store.replaceCharacteristics(by: wanted)
        let all = try await store.characteristics()
        XCTAssertEqual(all, wanted)
        let left = try await store.characteristics(of: "ada")
        XCTAssertEqual(left, Characteristics())
    }

    /// A store of an earlier version has people, and no characteristics.
    func testEarlierStore_hasNone() async throws {
        _ = try await SQLiteStore(path: path).save([.sample(heartRate(1, person: "ada"))])
        try execute("DROP TABLE characteristic; PRAGMA user_version = 9")
        let reader = try SQLiteHealthStore(reading: path)
        let found = try await reader.characteristics(of: "ada")
        XCTAssertEqual(found, Characteristics())
    }
}
