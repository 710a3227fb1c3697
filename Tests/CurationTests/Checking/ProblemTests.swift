import Curation
import Testing

@Suite("Problems and their texts")
struct ProblemTests {
    @Test("every problem has an English text that starts in lower case or with a sign, without a full stop")
    func texts() {
        let wrong = Problem.Code.allCases.filter { code in
            let text = code.english
            return text.isEmpty || text.hasSuffix(".") || text.first?.isUppercase == true
        }
        #expect(wrong.isEmpty)
    }

    @Test(
        "arguments stand at their places, and are not looked at for places",
        arguments: [
            ("{0} of {1}", ["{1}", "b"], "{1} of b"), ("{2} {x} {", ["a"], "{2} {x} {"), ("{0}{0}", ["a"], "aa"),
            ("{-1}", ["a"], "{-1}"), ("", [], ""),
        ])
    func arguments(_ text: String, _ arguments: [String], _ result: String) {
        #expect(Problem.filled(text, arguments) == result)
    }
}
