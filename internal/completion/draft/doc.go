// Package draft asks a model for a plan of a task, as package completion reads plans, and
// believes nothing of what it says.
//
// A Drafter asks at most 1 + Repairs questions. The answer to each is read strictly,
// written as the file that a person would have, read again by completion.Parse like any
// plan, and handed to the caller's Audit, which judges its checks, executes them on what
// is untouched and looks whether they cover the task. What is wrong goes back to the model
// in the next question. A Result has the bytes of a file only where nothing was wrong.
//
// The model sees the task and names of files, both through a Redactor, and what was wrong
// with its last answer: no content of a file. With the same answers the bytes are the
// same. A Drafter belongs to one caller at a time.
//
// What belongs here: the question, reading its answer, the file. What never does: the
// validation of plans (package completion), executing checks (internal/runner), HTTP
// (internal/gates/content/openai), writing files.
package draft
