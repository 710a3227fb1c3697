import Glibc
import Platform

/// Opens a serial device in raw mode.
enum SerialLine {
    /// Bits a second, and termios's constants for them.
    static let speeds: [Int: speed_t] = [
        9_600: speed_t(B9600), 19_200: speed_t(B19200), 38_400: speed_t(B38400), 57_600: speed_t(B57600),
        115_200: speed_t(B115200), 230_400: speed_t(B230400), 460_800: speed_t(B460800), 921_600: speed_t(B921600),
        1_000_000: speed_t(B1000000), 1_500_000: speed_t(B1500000), 2_000_000: speed_t(B2000000),
        3_000_000: speed_t(B3000000),
    ]

    /// Returns a descriptor for each direction. The caller closes them. NIO would make the second one itself, and would
    /// end the process if it has too many open files.
    static func openBothWays(_ device: String, baud: Int) throws(RadioError) -> (input: Int32, output: Int32) {
        let input = try open(device, baud: baud)
        let output = fcntl(input, F_DUPFD_CLOEXEC, 0)
        guard output >= 0 else {
            let failure = SystemFailure()
            close(input)
            throw RadioError(.cannotOpen, at: device, "cannot open the serial line: \(failure)")
        }
        return (input, output)
    }

    private static func open(_ device: String, baud: Int) throws(RadioError) -> Int32 {
        /// Describes the system call that has just failed.
        func failure(_ what: String) -> RadioError {
            let failure = SystemFailure()
            let isForbidden = failure.code == EACCES
            return RadioError(
                isForbidden ? .notPermitted : .cannotOpen, at: device, "\(what): \(failure)",
                remedy: isForbidden ? "add your user to the group of the device (often dialout)" : "")
        }
        let descriptor = Glibc.open(device, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("cannot open the serial line") }
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else {
            let error = failure("is no serial line")
            close(descriptor)
            throw error
        }
        cfmakeraw(&settings)
        settings.c_cflag |= tcflag_t(CLOCAL | CREAD) | tcflag_t(CRTSCTS)
        if let speed = speeds[baud] {
            cfsetspeed(&settings, speed)
        }
        guard tcsetattr(descriptor, TCSANOW, &settings) == 0 else {
            let error = failure("refuses \(baud) baud")
            close(descriptor)
            throw error
        }
        tcflush(descriptor, TCIOFLUSH)
        return descriptor
    }
}
