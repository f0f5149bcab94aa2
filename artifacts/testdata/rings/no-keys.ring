gbt key ring 1
need 1
need 1
