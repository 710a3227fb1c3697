// Linux interfaces that Swift's Glibc module leaves out.
#pragma once
#include <sys/timex.h>
