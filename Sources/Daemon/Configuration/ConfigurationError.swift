public import SiteSettings

public typealias ConfigurationError = SiteSettings.ConfigurationError
