#ifndef PATH_H
#define PATH_H

/*
 * Where data lies.  share/ is a search path: the directories of
 * TURNPIPE_PATH (colons between), then $XDG_CONFIG_HOME/turnpipe (or
 * ~/.config/turnpipe), then the installed share (or TURNPIPE_SHARE).  The
 * first file of a relative name wins; an empty one switches it off.  A name
 * that leads out of the search path ("..", "/") is never found.  A file that
 * cannot be looked at wins too, so that opening it reports why.
 */

#include "buf.h"

/* The directories of the search path, in order; made once, owned by us. */
const struct strs *path_dirs(void);

/*
 * Put the file that wins for rel into b, in place of what b holds.  0; -1 if
 * an empty one switches it off, -2 if there is none.
 */
int path_find(struct buf *b, const char *rel);

/*
 * The winning files of a directory ("reminders") whose names end in suffix
 * ("" for all), over the whole search path, sorted by name, without those
 * switched off and without hidden ones.  Full paths, appended to l.  Dies
 * with EX_NOINPUT when a directory is there but cannot be read.
 */
void path_list(struct strs *l, const char *rel, const char *suffix);

/* The user's own configuration directory; never a work tree's. */
const char *path_config(void);
/* $XDG_STATE_HOME/turnpipe, or ~/.local/state/turnpipe. */
const char *path_state(void);
/* $XDG_CACHE_HOME/turnpipe, or ~/.cache/turnpipe. */
const char *path_cache(void);
/* $XDG_DATA_HOME/turnpipe, or ~/.local/share/turnpipe (facts live there). */
const char *path_data(void);
/* Is HOME an absolute path?  A relative one would lead into a work tree. */
int path_ishome(void);
/* $HOME; dies with EX_CONFIG if it is not one. */
const char *path_home(void);

/*
 * The work tree's root: the nearest directory at or above cwd that holds
 * .git, or cwd itself.  Owned by us, absolute, and a leading part of
 * path_cwd unless only a link's other side has it.
 */
const char *path_root(void);
/* The working directory: $PWD if it is right, else getcwd. */
const char *path_cwd(void);

/*
 * Before a chdir: forget both, which frees them, and make the search path
 * absolute.
 */
void path_leave(void);

#endif
