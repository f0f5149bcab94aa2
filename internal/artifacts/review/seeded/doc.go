// Package seeded is changes of a policy of which it is known whether they weaken it:
// what gbt diff is judged by, whether a rule reads it or a person does.
//
// All lists the changes, Base is the policy that they change. Every field of the
// format that decides something has a change that attacks it; Idle says of the
// others why they have none. Changes are found by their form: no name in them is one
// that the comparison knows. The program in folder pairs writes them as files.
//
// What belongs here: changes, with what they are and the fields that they touch. What
// never does: how a change is found, or told (package review).
package seeded
