#ifndef REMINDER_H
#define REMINDER_H

/*
 * The catalogue of reminders: files of share/reminders, each a condition
 * over the gauge's values and a text.  turnpipe-reminders(5).
 */

/*
 * Read those meant for this profile, in the order of their names.  A file
 * that cannot be understood dies with EX_CONFIG.
 */
void reminder_load(const char *profile);

/*
 * Put a record for each whose condition holds by the gauge; of a group only
 * the last.
 */
void reminder_put(void);

/* Print the ids and the files they come from, a line each. */
void reminder_list(void);

#endif
