#ifndef MCPCONF_H
#define MCPCONF_H

/*
 * The MCP servers that the user configured: mcp.json, and the work tree's
 * .mcp.json once the user said yes to its very content.  toolhold(1), FILES.
 */

#include <stddef.h>

#include "buf.h"

enum {
	MCPCONF_MAX = 1 << 20, /* bytes of a file */
	MCPCONF_TIMEOUT = 60 /* seconds, for a start and for a call */
};

struct mcpserver {
	char *name;
	char *command;	/* mcphttp where url is set */
	struct strs args; /* with the command in front */
	struct strs env;  /* NAME=VALUE, expanded */
	char *cwd;	/* NULL: where we are */
	char *url;	/* NULL: none */
	char *keyfile;	/* NULL, or the name of a key file for that url */
	char *keycmd;	/* NULL, or a command that prints the key */
	struct strs headers; /* "Name: value", expanded */
	struct strs enabled, disabled; /* globs of its tools; empty: all, none */
	int start, call; /* seconds that either may take */
	int trust; /* its annotations are believed */
	int noroots; /* it is not given the work tree as root */
	char key[17]; /* of all that its list of tools may depend on */
};

/* Owns all; a zeroed struct is empty. */
struct mcpconf {
	struct mcpserver *v;
	size_t n, cap;
	int left; /* servers left out, as their entries are wrong */
};

/*
 * Read the servers of the file at path (NULL: TURNPIPE_MCP, else mcp.json of
 * the user's configuration, where none need be) and of the work tree's
 * .mcp.json.  A server whose entry is wrong is left out with a warning that
 * names it; a file that is no JSON dies with EX_CONFIG, a path that cannot
 * be read with EX_NOINPUT.
 */
void mcpconf_read(struct mcpconf *c, const char *path);

/* Is this tool of the server used, by its own name? */
int mcpconf_offers(const struct mcpserver *s, const char *tool);

/*
 * Show the work tree's .mcp.json and ask at the terminal whether its servers
 * may be started, then the same of each plugin (plugin.h); the yes is kept in
 * the state directory and holds for these bytes in this directory.  0;
 * EXIT_NO: the user said no; dies with EX_NOINPUT where there is neither,
 * EX_NOPERM where there is no terminal.
 */
int mcpconf_trust(void);

#endif
