import"./part-4HG4LCDP.js";
