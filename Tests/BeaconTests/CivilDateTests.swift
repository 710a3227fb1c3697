import Beacon
import Testing

@Suite("Calendar")
struct CivilDateTests {
    @Test("every day of 800 years follows the day before, and is its own number again")
    func days() {
        var date = CivilDate(year: 1600, month: 1, day: 1)
        var number = date.dayNumber
        var weekday = date.weekday
        while date.year < 2400 {
            number += 1
            let next = CivilDate(dayNumber: number)
            let isLeap = date.year % 4 == 0 && (date.year % 100 != 0 || date.year % 400 == 0)
            let length = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][Int(date.month) - 1]
            let expected =
                date.day < Int64(length)
                ? CivilDate(year: date.year, month: date.month, day: date.day + 1)
                : date.month < 12
                    ? CivilDate(year: date.year, month: date.month + 1, day: 1)
                    : CivilDate(year: date.year + 1, month: 1, day: 1)
            guard next == expected, next.dayNumber == number, next.weekday == (weekday + 1) % 7 else {
                Issue.record("\(next) follows \(date)")
                return
            }
            (date, weekday) = (next, next.weekday)
        }
        #expect(number == 157_054)
    }

    @Test("the first day is a Thursday")
    func first() {
        #expect(CivilDate(dayNumber: 0) == CivilDate(year: 1970, month: 1, day: 1))
        #expect(CivilDate(dayNumber: 0).weekday == 4)
    }
}
