import Console
import YAMLText

/// A file that cannot be used is wrong usage, with all its mistakes.
enum FileMistakes {
    static func asUsage<Value>(_ read: () throws -> Value) throws -> Value {
        do {
            return try read()
        } catch let error as DocumentError {
            throw CommandFailure.usage("\(error)")
        }
    }
}
