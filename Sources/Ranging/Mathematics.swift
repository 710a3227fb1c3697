package import Beacon
import Glibc

// The few functions that the standard library does not have, so that nothing else here imports a C library.

/// 10 to the power of `exponent`.
package func powerOfTen(_ exponent: Double) -> Double {
    exp(exponent * naturalLogarithmOfTen)
}

/// The natural exponential.
package func exponential(_ value: Double) -> Double {
    exp(value)
}

/// The natural logarithm.
package func logarithm(_ value: Double) -> Double {
    log(value)
}

/// The logarithm to the base of 10.
package func decimalLogarithm(_ value: Double) -> Double {
    log10(value)
}

/// The probability that a standard normal variable is less than `value`.
package func normalProbability(below value: Double) -> Double {
    0.5 * erfc(-value / 2.0.squareRoot())
}

/// ln 10: decibels to nepers and back.
package let naturalLogarithmOfTen = 2.302585092994046

/// The z of a normal distribution's 90 % quantile: half the width of a 10–90 % interval in standard deviations.
package let z90 = 1.2815515655446004

extension Timestamp {
    /// Seconds from `earlier` to this. Unlike a plain difference, it keeps its sign for any two values.
    package func elapsed(since earlier: Timestamp) -> Double {
        let (difference, overflow) = microseconds.subtractingReportingOverflow(earlier.microseconds)
        guard overflow else { return Double(difference) / 1_000_000 }
        return (Double(microseconds) - Double(earlier.microseconds)) / 1_000_000
    }
}

extension Double {
    /// The nearest value inside `range`; its lower bound for a value that is not a number.
    package func clamped(to range: ClosedRange<Double>) -> Double {
        isNaN ? range.lowerBound : Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}
