import HealthModel
import Serial

extension LinePreset {
    /// The built-in presets, for the example programs of common sensor libraries.
    package static let table: [LinePreset] = [
        LinePreset(
            name: "steps", baud: .baud115200,
            templates: [
                "Steps: {steps}, Distance: {distance} meters",
                "Steps: {steps}, Distance: {distance} m, Calories: {_}",
                "Steps: {steps}, Distance: {distance} m",
                "Steps: {steps}",
            ],
            counter: .unbounded,
            examples: [
                "Steps: 7, Distance: 5.25 meters",
                "Steps: 7, Distance: 5.60 m, Calories: 0.28",
                "Steps: 7, Distance: 5.60 m",
                "Steps: 7",
            ]),
        LinePreset(
            // SparkFun_LSM6DS3_Arduino_Library, examples/Pedometer
            name: "sparkfun-lsm6ds3", baud: .baud9600, templates: ["Steps taken: {steps}"],
            counter: .unsigned16, examples: ["Steps taken: 7"]),
        LinePreset(
            // stm32duino/LSM6DSO, examples/LSM6DSO_Pedometer
            name: "stm32duino-lsm6dso", baud: .baud115200, templates: ["Step counter: {steps}"],
            counter: .unsigned16, examples: ["Step counter: 7"]),
        LinePreset(
            // Seeed_BMA456, examples/step_counter
            name: "seeed-bma456", baud: .baud115200, templates: ["Step: {steps}"],
            counter: .unsigned32, examples: ["Step: 7"]),
        LinePreset(
            // SparkFun_MPU-9250-DMP_Arduino_Library, examples/MPU9250_DMP_Pedometer
            name: "sparkfun-mpu9250", baud: .baud115200,
            templates: ["Walked {steps} steps ({_} s)"],
            counter: .unsigned32, examples: ["Walked 7 steps (5.20 s)"]),
        LinePreset(
            // BMI160-Arduino, examples/StepCount
            name: "bmi160", baud: .baud115200, templates: ["Step count: {steps}"],
            counter: .signed16, examples: ["Step count: 7"]),
        LinePreset(
            name: "total-steps", baud: .baud9600,
            templates: ["Step Detected! Total Steps: {steps}"],
            counter: .unbounded, examples: ["Step Detected! Total Steps: 7"]),
        LinePreset(
            // x, y, steps, kilocalories, kilometres over an HC-05
            name: "comma-steps-km", baud: .baud9600, terminator: .semicolon,
            templates: ["{_},{_},{steps},{_},{distance}"],
            counter: .unbounded, distanceUnit: .kilometer,
            examples: ["431,402,7,0.25,0.00"]),
    ]
}
