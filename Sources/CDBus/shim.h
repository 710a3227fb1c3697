// What Swift cannot import from libdbus's headers.
#pragma once
#include <dbus/dbus.h>

/// Whether the text is UTF-8 as D-Bus has it: no overlong forms, no surrogates.
static inline int cdbus_is_text(const char *text) { return dbus_validate_utf8(text, NULL) != 0; }

static inline int cdbus_is_path(const char *text) { return dbus_validate_path(text, NULL) != 0; }

static inline int cdbus_is_interface(const char *text) { return dbus_validate_interface(text, NULL) != 0; }

static inline int cdbus_is_member(const char *text) { return dbus_validate_member(text, NULL) != 0; }

static inline int cdbus_is_bus_name(const char *text) { return dbus_validate_bus_name(text, NULL) != 0; }

static inline int cdbus_is_error_name(const char *text) { return dbus_validate_error_name(text, NULL) != 0; }

static inline int cdbus_is_signature(const char *text) { return dbus_signature_validate(text, NULL) != 0; }

/// Whether the signature is that of exactly one value.
static inline int cdbus_is_single_signature(const char *text) {
    return dbus_signature_validate_single(text, NULL) != 0;
}

/// The bus address that the environment names; NULL where it names none, or where this program has more rights than
/// its caller. glibc's function, declared here since stdlib.h shows it only to GNU sources.
static inline const char *cdbus_system_bus_variable(void) {
    extern char *secure_getenv(const char *name);
    return secure_getenv("DBUS_SYSTEM_BUS_ADDRESS");
}
