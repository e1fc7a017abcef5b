// SPDX-License-Identifier: GPL-2.0-only
/* The end of Python, also of one in which the script has left threads running. */
#include "interpreter.h"

/*
 * CPython ends the process by abort() when a thread holds stdout while the interpreter is taken
 * down, as one does that prints into a pipe whose reader is slow. So where threads are left, what
 * ends a script is done here, and the interpreter stays as it is: this thread does not let go of
 * its lock any more, and no other one runs.
 */
static const char end_of_script[] =
	"import atexit, sys, _thread\n"
	"left = True\n" /* unless what follows comes to its end */
	"if 'threading' in sys.modules:\n"
	"	sys.modules['threading']._shutdown()\n" /* waits for those that are no daemons */
	"if _thread._count():\n"
	"	atexit._run_exitfuncs()\n"
	"	sys.stdout.flush()\n"
	"	sys.stderr.flush()\n"
	"left = _thread._count() > 0\n";

bool interpreter__finish_script(struct interpreter *py)
{
	PyObject *names = PyDict_New(), *result = NULL;
	bool left;

	if (names && !PyDict_SetItemString(names, "__builtins__", PyEval_GetBuiltins()))
		result = PyRun_String(end_of_script, Py_file_input, names, names);
	if (!result)
		interpreter__fail(py);
	left = names && PyDict_GetItemString(names, "left") == Py_True;
	Py_XDECREF(result);
	Py_XDECREF(names);
	return !left;
}
