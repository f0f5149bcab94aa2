package shell

// rubyLibraries are parts of Ruby's library that -r may load: to load one runs nothing of
// anybody's, and what code may name of it scriptLists says (docs.ruby-lang.org/en/3.4).
const rubyLibraries = plainLibraries + " English bigdecimal/util csv forwardable optparse ostruct shellwords stringio strscan time timeout tsort yaml"
