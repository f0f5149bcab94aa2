module github.com/gbt-policy/gbt

go 1.26
