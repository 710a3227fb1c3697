/// The version of everything in this package: semver.org.
public enum SoftwareVersion {
    public static let text = "0.1.0"
}
