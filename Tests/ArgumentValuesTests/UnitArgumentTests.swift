import HealthModel
import XCTest

@testable import ArgumentValues
@testable import GatewayHost

final class UnitArgumentTests: XCTestCase {
    private func type(_ name: String) throws -> QuantityType {
        let drink = try QuantityType(
            custom: "drink", aggregationStyle: .cumulative, unit: Unit(parsing: "mL"),
            plausible: 0...10_000)
        return try XCTUnwrap(QuantityTypes(custom: [drink]).named(name), name)
    }

    func testUnit_ofAWordWithOneMeaning_isTheUnit() throws {
        let units: [(text: String, type: String, unit: String)] = [
            ("count/min", "heartRate", "count/min"), ("bpm", "heartRate", "count/min"),
            ("BPM", "heartRate", "count/min"), ("beats/min", "heartRate", "count/min"),
            ("brpm", "respiratoryRate", "count/min"), ("steps", "stepCount", "count"),
            ("Steps", "stepCount", "count"), ("°C", "bodyTemperature", "degC"),
            ("C", "bodyTemperature", "degC"), ("℃", "bodyTemperature", "degC"),
            ("F", "bodyTemperature", "degF"), ("°F", "bodyTemperature", "degF"),
            ("km/h", "walkingSpeed", "km/hr"), ("kph", "walkingSpeed", "km/hr"),
            ("mph", "walkingSpeed", "mi/hr"), ("m/sec", "walkingSpeed", "m/s"),
            ("kcal", "activeEnergyBurned", "kcal"), ("kcals", "activeEnergyBurned", "kcal"),
            ("kilojoules", "activeEnergyBurned", "kJ"), ("min", "appleExerciseTime", "min"),
            ("minutes", "appleExerciseTime", "min"), ("hours", "appleExerciseTime", "hr"),
            ("h", "appleExerciseTime", "hr"), ("lbs", "bodyMass", "lb"),
            ("KG", "bodyMass", "kg"), ("kilos", "bodyMass", "kg"), ("feet", "height", "ft"),
            ("meters", "height", "m"), ("mmhg", "bloodPressureSystolic", "mmHg"),
            ("mg/dl", "bloodGlucose", "mg/dL"), ("ml/min.kg", "vo2Max", "mL/min·kg"),
        ]
        for (text, name, unit) in units {
            let type = try type(name)
            XCTAssertEqual(
                try UnitArgument.unit(text, for: type, option: "--unit").string, unit, text)
        }
    }

    func testUnit_thatIsNoUnitOfTheType_suggestsTheUnit() throws {
        let messages: [(text: String, type: String, message: String)] = [
            ("min", "heartRate", "is not a unit of heartRate; did you mean `count/min`?"),
            ("beats", "heartRate", "is not a unit of heartRate; did you mean `count/min`?"),
            ("count/mn", "heartRate", "is not a unit of heartRate; did you mean `count/min`?"),
            ("kg", "heartRate", "is not a unit of heartRate; expected a unit such as `count/min`"),
            ("bpm", "stepCount", "is not a unit of stepCount; expected a unit such as `count`"),
            ("m", "appleExerciseTime", "is not a unit of appleExerciseTime; did you mean `min`?"),
            ("m", "walkingSpeed", "is not a unit of walkingSpeed; did you mean `m/s`?"),
            ("miles", "walkingSpeed", "is not a unit of walkingSpeed; did you mean `mi/hr`?"),
            ("oz", "drink", "is not a unit of drink; did you mean `fl_oz_us`?"),
            (
                "mmol/l", "bloodGlucose",
                "is not a unit of bloodGlucose; did you mean `mmol<180.1558800000541>/L`?"
            ),
            ("kgg", "bodyMass", "is not a unit of bodyMass; did you mean `kg`?"),
            ("", "bodyMass", "is not a unit of bodyMass; expected a unit such as `kg`"),
            ("kg\u{301}", "bodyMass", "is not a unit of bodyMass; expected a unit such as `kg`"),
            ("ml/kg/min", "vo2Max", "is not a unit: expected the end, as a unit has only one /"),
            ("calories", "dietaryEnergyConsumed", "has several meanings; did you mean `kcal`?"),
            ("Calories/h", "heartRate", "is not a unit of heartRate; expected a unit such as"),
            ("percent", "oxygenSaturation", "has several meanings; did you mean `%`?"),
            ("cups", "drink", "has several meanings; did you mean `cup_us`?"),
            ("gr", "bodyMass", "has several meanings; did you mean `g`?"),
        ]
        for (text, name, message) in messages {
            let type = try type(name)
            XCTAssertThrowsError(
                try UnitArgument.unit(text, for: type, option: "UNIT"), text
            ) { error in
                XCTAssertEqual((error as? HostError)?.status, .usage)
                XCTAssertTrue("\(error)".hasPrefix("UNIT: `\(text)` \(message)"), "\(error)")
            }
        }
    }

    func testUnit_ofEveryTypeInItsDisplayUnit_isAccepted() throws {
        for type in QuantityTypes.standard.all {
            let unit = try UnitArgument.unit(
                type.displayUnit.string, for: type, option: "--unit")
            XCTAssertEqual(unit, type.displayUnit, type.name)
        }
    }
}
