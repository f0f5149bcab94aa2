gbt key ring 1
need 1
add iojj3XQJ8ZX9UtstPLpdcspnCb8dlBIb83SIAbQPb1w= from 1
