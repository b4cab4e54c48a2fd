import Foundation
import TestKit
import Testing

@testable import ChartScene

@Suite("Logarithm and exponential")
struct MathsTests {
    @Test("agree with the C library to a few units in the last place")
    func accuracy() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<20_000 {
            let x = Foundation.exp(random.unit() * 1400 - 700)
            let reference = Foundation.log(x)
            #expect(abs(Maths.log(x) - reference) <= 4 * max(reference.ulp, 2e-17), "log \(x)")
            let y = random.unit() * 1400 - 700
            #expect(abs(Maths.exp(y) / Foundation.exp(y) - 1) < 1e-14, "exp \(y)")
        }
    }

    @Test("are exact where that is easy, and finite everywhere")
    func ends() {
        #expect(Maths.log(1) == 0 && Maths.exp(0) == 1)
        for x in [0, -1, -Double.infinity, .nan] { #expect(Maths.log(x) == Maths.logOfNothing) }
        #expect(Maths.log(.infinity).isFinite && abs(Maths.log(.leastNonzeroMagnitude) + 744.44) < 0.01)
        #expect(Maths.exp(-1e9) == 0 && Maths.exp(1e9) == .greatestFiniteMagnitude && Maths.exp(.nan) == 0)
    }
}
