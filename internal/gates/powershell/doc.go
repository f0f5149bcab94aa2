// Package powershell says in POSIX shell what a line of PowerShell does.
//
// Translate reads a line as PowerShell does (about_Parsing, about_Quoting_Rules,
// about_Pipelines, about_Operators and about_Redirection of Microsoft's documentation,
// versions 5.1 to 7.4) and writes a line of POSIX shell that does to files, variables,
// programs and addresses what the original does, or more. Package shell reads that line:
// so whatever is decided, worded, remembered and followed of shells is decided so here.
// What is printed may differ, and a value that only the run time knows is one that package
// shell cannot know either.
//
// It knows a part of the language and of its cmdlets, with the parameters that their
// documentation names. ok is false for all else: whoever asks must not let such a line
// pass for what was understood of it. It was written from the documentation, and compared with
// no PowerShell. All of it is safe for concurrent use, and takes time linear in the line's length.
//
// What belongs here: PowerShell's grammar, its cmdlets and aliases. What never does: other
// shells, what native programs do (package shell), what runs PowerShell (internal/hosts) and
// whether something may run (package gates).
package powershell
