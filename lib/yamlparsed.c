/* Empty: for a program to which the Makefile gives no table of its own. */

#include "yamlparsed.h"

const struct yamlparsed yamlparsed[1];
const size_t yamlparsed_n = 0;
