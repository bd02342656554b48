#ifndef MANY_H
#define MANY_H

/*
 * Many sessions, one after the other, by their names on standard input: each
 * a conversation with a session record at its head.
 */

/*
 * Put a conversation for each name read, of the session dir/NAME.jsonl; put
 * gets its path and puts all after the session record, end included.  It runs
 * in a process of its own: if it dies, only this conversation has failed.
 * The worst status of them all.
 */
int many_put(const char *dir, void (*put)(const char *path));

#endif
