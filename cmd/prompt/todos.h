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
 * completed, and the last one completes the parent.  Proposed todos are a
 * plan: the user accepts or denies it, or parts of it.  todolist(1).
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

/* A zeroed struct is an empty list; parents come before their subtasks. */
struct todos {
	struct todo *v;
	size_t n, cap;
	long long next; /* the next id is at least this: no id comes twice */
};

/* Arguments of add and update; NULL and -1 for unset. */
struct todo_wish {
	const char *text;
	const char *parent;
	const struct strs *depends;
	int status;
};

/* "in_progress" etc., and back; -1 if it is not a status. */
const char *todos_name(enum todo_status s);
int todos_status(const char *s);

/* Append the todo that object i is.  0, or -1 and *why. */
int todos_take(
    struct todos *l, const struct json *j, int i, const char **why);

/*
 * Read a file; one that is not there is an empty list.  What cannot be
 * understood dies with EX_DATAERR.
 */
void todos_read(struct todos *l, const char *path);
/* Replace the file; dies if that fails. */
void todos_write(const struct todos *l, const char *path);

void todos_reset(struct todos *l);

/* Append the record of one; the lines of all, as people read them. */
void todos_record(struct buf *b, const struct todo *t);
void todos_text(struct buf *b, const struct todos *l);
/*
 * The same of what was removed since old, what is new or changed, and what
 * the ids in touched name.
 */
void todos_changes(struct buf *b, const struct todos *l,
    const struct todos *old, const struct strs *touched);

/* By id, or NULL. */
struct todo *todos_find(const struct todos *l, const char *id);

/* Is t a subtask of that one? */
int todos_below(const struct todo *t, const struct todo *of);

/* Say that there is no such id, and which there are; returns -1. */
int todos_unknown(const struct todos *l, const char *id, struct buf *why);

/*
 * Make the changes that follow from the state of the list, then check the
 * rules.  0, or -1 with why.
 */
int todos_settle(struct todos *l, struct buf *why);

/*
 * Changes.  Each keeps the rules, or refuses: then it returns -1 (or NULL)
 * with one line for a model in why, and the list must be read again.
 * todos_add returns the new id, good until the list changes.
 */
const char *todos_add(
    struct todos *l, const struct todo_wish *w, struct buf *why);
int todos_update(struct todos *l, const char *id, const struct todo_wish *w,
    struct buf *why);
/*
 * The same from JSON: an object, a list of such, or {"todos": [...]}.  An
 * object holds text, status, depends, parent, to add also subtasks, to
 * update the id; to add, a text alone will do.  The ids go to touched.
 */
int todos_json(struct todos *l, const char *s, size_t n, int update,
    struct strs *touched, struct buf *why);
/* With its subtasks; removed from the depends of all others. */
int todos_remove(struct todos *l, const char *id, struct buf *why);
/* The completed ones, or all of them; how many. */
size_t todos_clear(struct todos *l, int all);
/*
 * These proposed todos, all if none are named, become pending, with what they
 * are a part of and their parts; or go.
 */
int todos_accept(struct todos *l, const struct strs *named, struct buf *why);
int todos_deny(struct todos *l, const struct strs *named, struct buf *why);
/*
 * May a tool change old to l?  What was proposed must not be there as
 * anything else.  0, or -1 and why not.
 */
int todos_judge(const struct todos *l, const struct todos *old,
    struct buf *why);

#endif
