/// Prices that were sent as 32-bit floats.
enum IntrinioPrice {
    /// 1 to 10^9.
    private static let powers: [Double] = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9]

    /// The decimal with the fewest digits after the point that is this float: 28.97 and not 28.969999313354492.
    static func shortest(_ price: Float) -> (value: Double, decimals: Int) {
        let exact = Double(price)
        for decimals in powers.indices {
            // A quotient of whole numbers is the double nearest to the decimal.
            let value = (exact * powers[decimals]).rounded() / powers[decimals]
            if Float(value) == price { return (value, decimals) }
        }
        return (exact, powers.count - 1)
    }
}
