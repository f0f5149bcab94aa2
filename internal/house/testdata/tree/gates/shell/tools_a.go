package shell

var tools = []string{"ls"}
