// The functions that Debian's Swift libraries take from glibc 2.38 and GCC 13, for Debian 12, which has glibc 2.36 and
// GCC 12. tools/packaging/cross.sh makes a library of them, to which every program is linked. See old_glibc.py.
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// C23 reads binary constants (0b…) as numbers, too. The libraries read none.
long __isoc23_strtol(const char *text, char **end, int base) { return strtol(text, end, base); }
long long __isoc23_strtoll(const char *text, char **end, int base) { return strtoll(text, end, base); }
unsigned long __isoc23_strtoul(const char *text, char **end, int base) { return strtoul(text, end, base); }
unsigned long long __isoc23_strtoull(const char *text, char **end, int base) { return strtoull(text, end, base); }

int __isoc23_sscanf(const char *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int count = vsscanf(text, format, arguments);
    va_end(arguments);
    return count;
}

// strlcpy(3) and strlcat(3): they return the length that the whole text would have had.
size_t strlcpy(char *to, const char *from, size_t size)
{
    size_t length = strlen(from);
    if (size > 0) {
        size_t copied = length < size ? length : size - 1;
        memcpy(to, from, copied);
        to[copied] = 0;
    }
    return length;
}

size_t strlcat(char *to, const char *from, size_t size)
{
    size_t before = strnlen(to, size);
    return before == size ? size + strlen(from) : before + strlcpy(to + before, from, size - before);
}

// libstdc++ 13 initialises its streams here. That of GCC 12 does so by each file that includes <iostream>: the libraries
// use no stream.
void _ZSt21ios_base_library_initv(void) {}
