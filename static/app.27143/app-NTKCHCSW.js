import"./part-GRGZV6A2.js";
