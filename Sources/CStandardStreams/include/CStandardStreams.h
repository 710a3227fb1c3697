// Nothing to call: a program that links this has standard input, output and error from its start.
#pragma once
