import"./part-UUXV4NTT.js";
