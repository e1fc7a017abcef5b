// SPDX-License-Identifier: GPL-2.0-only
/* Links if libstdc++ has the demangler of C++ names. */
char *__cxa_demangle(const char *name, char *buf, unsigned long *size, int *status);

int main(void)
{
	int status;

	return !__cxa_demangle("_Z1fv", 0, 0, &status);
}
