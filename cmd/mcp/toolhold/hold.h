#ifndef HOLD_H
#define HOLD_H

/*
 * The process that holds the servers: clients ask it over stream sockets, a
 * JSON object per line, and a client that hangs up cancels what it asked.
 *
 *	{"token":T,"list":true,"wait":MS,"servers":[NAME,...]}
 *		{"server":NAME,"trust":BOOL,"instructions":TEXT,"tools":[...]}
 *		for each that has a list, {"unknown":NAME} for each that is not configured,
 *		{"missing":NAME} for each other, then {"done":true,"left":N},
 *		with the number of entries that are wrong; without servers, of
 *		all; without wait, each has the time of its entry
 *	{"token":T,"server":NAME,"method":METHOD,"params":{...}}
 *		{"result":{...}}, {"error":{"code":N,"message":TEXT}} or
 *		{"fault":TEXT}
 *		{"input":ID,"params":{...}} where the server asks the user,
 *		which the client answers
 *	{"token":T,"server":NAME,"answer":ID,"result":{...}}
 *	Whoever waits for a server gets {"slow":NAME} once it is that.
 */

#include "mcpconf.h"

enum { HOLD_TOKEN = 32 }; /* hex digits */

struct hold_spec {
	const struct mcpconf *conf;
	const char *token;
	int listen; /* a listening socket, or -1 */
	int client; /* a client that is connected, or -1: the only one */
	int watch;  /* readable once our user has ended, or -1 */
	long parent; /* without watch: we are left when it is not our parent */
	const char *socket, *dir; /* to be removed in the end, or NULL */
};

/*
 * Serve until the user ends, the only client hangs up, or a signal comes;
 * end the servers, and exit.  In a process just forked.
 */
_Noreturn void hold_run(const struct hold_spec *spec);

#endif
