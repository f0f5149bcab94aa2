module example.org/house

go 1.26.0

require mvdan.cc/sh/v3 v3.0.0

replace mvdan.cc/sh/v3 => ./sh
