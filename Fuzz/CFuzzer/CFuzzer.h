#include <stddef.h>
#include <stdint.h>

// Part of libFuzzer, which `-sanitize=fuzzer` links: runs the whole fuzzer with a program's own `main`.
// https://llvm.org/docs/LibFuzzer.html#using-libfuzzer-as-a-library
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));
