/// An optional number in the memory of a number; one that is not a number is nil.
@propertyWrapper
struct CompactNumber {
    private var number = Double.nan

    var wrappedValue: Double? {
        get { number.isNaN ? nil : number }
        set { number = newValue ?? .nan }
    }
}
