// Counts this program's allocations: its malloc stands before glibc's.

#pragma once

/// How many times memory was allocated since the program began, by Swift, C or C++.
long allocation_count(void);
