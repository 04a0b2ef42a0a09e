extension Unit {
    /// `()`: a plain number.
    public static let null = Unit()
    /// `count`.
    public static let count = Unit((UnitAtom(.count), 1))
    /// `%`: a fraction, as in HealthKit.
    ///
    /// 97 % is 0.97.
    public static let percent = Unit((UnitAtom(.percent), 1))
    /// `count/min`.
    public static let countPerMinute = Unit((UnitAtom(.count), 1), (UnitAtom(.minute), -1))
    /// `count/s`.
    public static let countPerSecond = Unit((UnitAtom(.count), 1), (UnitAtom(.second), -1))

    /// `m`.
    public static let meter = Unit((UnitAtom(.meter), 1))
    /// `cm`.
    public static let centimeter = Unit((UnitAtom(.meter, prefix: .centi), 1))
    /// `km`.
    public static let kilometer = Unit((UnitAtom(.meter, prefix: .kilo), 1))
    /// `in`.
    public static let inch = Unit((UnitAtom(.inch), 1))
    /// `mi`.
    public static let mile = Unit((UnitAtom(.mile), 1))
    /// `m/s`.
    public static let meterPerSecond = Unit((UnitAtom(.meter), 1), (UnitAtom(.second), -1))
    /// `m/s^2`.
    public static let meterPerSecondSquared = Unit((UnitAtom(.meter), 1), (UnitAtom(.second), -2))
    /// `km/hr`.
    public static let kilometerPerHour = Unit(
        (UnitAtom(.meter, prefix: .kilo), 1), (UnitAtom(.hour), -1))

    /// `s`.
    public static let second = Unit((UnitAtom(.second), 1))
    /// `ms`.
    public static let millisecond = Unit((UnitAtom(.second, prefix: .milli), 1))
    /// `min`.
    public static let minute = Unit((UnitAtom(.minute), 1))
    /// `hr`.
    public static let hour = Unit((UnitAtom(.hour), 1))

    /// `J`.
    public static let joule = Unit((UnitAtom(.joule), 1))
    /// `kJ`.
    public static let kilojoule = Unit((UnitAtom(.joule, prefix: .kilo), 1))
    /// `kcal`: 4,184 J.
    public static let kilocalorie = Unit((UnitAtom(.kilocalorie), 1))
    /// `kcal/d`: energy per day.
    public static let kilocaloriePerDay = Unit((UnitAtom(.kilocalorie), 1), (UnitAtom(.day), -1))
    /// `W`.
    public static let watt = Unit((UnitAtom(.watt), 1))

    /// `mcV`.
    public static let microvolt = Unit((UnitAtom(.volt, prefix: .micro), 1))

    /// `kg`.
    public static let kilogram = Unit((UnitAtom(.gram, prefix: .kilo), 1))
    /// `lb`.
    public static let pound = Unit((UnitAtom(.pound), 1))
    /// `degC`.
    public static let degreeCelsius = Unit((UnitAtom(.degreeCelsius), 1))
    /// `degF`.
    public static let degreeFahrenheit = Unit((UnitAtom(.degreeFahrenheit), 1))
    /// `kPa`.
    public static let kilopascal = Unit((UnitAtom(.pascal, prefix: .kilo), 1))
    /// `mmHg`.
    public static let millimeterOfMercury = Unit((UnitAtom(.millimeterOfMercury), 1))
    /// `mg/dL`.
    public static let milligramPerDeciliter = Unit(
        (UnitAtom(.gram, prefix: .milli), 1), (UnitAtom(.liter, prefix: .deci), -1))
    /// `mL/min·kg`: oxygen uptake per body mass.
    public static let milliliterPerMinuteAndKilogram = Unit(
        (UnitAtom(.liter, prefix: .milli), 1), (UnitAtom(.minute), -1),
        (UnitAtom(.gram, prefix: .kilo), -1))
    /// `kcal/hr·kg`: the metabolic equivalent of a task.
    public static let kilocaloriePerHourAndKilogram = Unit(
        (UnitAtom(.kilocalorie), 1), (UnitAtom(.hour), -1), (UnitAtom(.gram, prefix: .kilo), -1))
    /// `dBASPL`: a sound pressure level.
    public static let decibelSoundPressureLevel = Unit((UnitAtom(.soundPressureLevel), 1))
    /// `appleEffortScore`.
    public static let effortScore = Unit((UnitAtom(.effortScore), 1))
}
