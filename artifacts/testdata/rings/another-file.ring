gbt seen 1
sequence 1
