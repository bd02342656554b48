#ifndef TODOS_H
#define TODOS_H

/*
 * A todo list: its records, its file and its rules.
 *
 * The file holds one todo record per line and is replaced as a whole, under
 * a lock, so that commands at the same time lose nothing of each other.
 *
 * Rules: one todo is in progress, and of its subtasks one; nothing starts
 * before what it depends on is completed; subtasks have no subtasks.  The
 * first open subtask starts with its parent, the next one when it is
 * completed, and the last one completes the parent.  turnpipe(7) calls a
 * set of proposed todos a plan: it is accepted or denied as one.
 */

#include "buf.h"
#include "json.h"

enum todo_status { TODO_PROPOSED, TODO_PENDING, TODO_ACTIVE, TODO_DONE };
enum { TODO_TEXT = 1000 }; /* bytes of a text */

struct todo {
	char *id;   /* "3", or "3.1" for a subtask of 3; all owned */
	char *text; /* one line */
	char *parent; /* NULL at the top */
	struct strs depends;
	enum todo_status status;
};

/* A zeroed struct is an empty list; parents stand before their subtasks. */
struct todos {
	struct todo *v;
	size_t n, cap;
	long long next; /* the next id is this at least: none comes twice */
};

/* What add and update are told; NULL and -1 where they are told nothing. */
struct todo_wish {
	const char *text;
	const char *parent;
	const struct strs *depends;
	int status;
};

/* "in_progress" etc., and back; -1 if it is none. */
const char *todos_name(enum todo_status s);
int todos_status(const char *s);

/* Append the todo that object i is.  0, or -1 and *why. */
int todos_take(
    struct todos *l, const struct json *j, int i, const char **why);

/*
 * Read a file; one that is not there is an empty list.  What can not be
 * understood dies with EX_DATAERR.
 */
void todos_read(struct todos *l, const char *path);
/* Replace the file; dies if that fails. */
void todos_write(const struct todos *l, const char *path);

void todos_reset(struct todos *l);

/* Append the record of one; the lines of one, of all, as people read them. */
void todos_record(struct buf *b, const struct todo *t);
void todos_line(struct buf *b, const struct todo *t);
void todos_text(struct buf *b, const struct todos *l);

/* By id, or NULL. */
struct todo *todos_find(const struct todos *l, const char *id);

/*
 * Changes.  Each keeps the rules, or refuses: then it returns -1 with one
 * line for a model in why, and the list must be read again.
 */
int todos_add(struct todos *l, const struct todo_wish *w, struct buf *why);
int todos_update(struct todos *l, const char *id, const struct todo_wish *w,
    struct buf *why);
/* With its subtasks; who depended on it no longer does. */
int todos_remove(struct todos *l, const char *id, struct buf *why);
/* The completed ones, or all of them; how many. */
size_t todos_clear(struct todos *l, int all);
/* Proposed todos become pending, or go; how many. */
size_t todos_accept(struct todos *l);
size_t todos_deny(struct todos *l);

#endif
