import"./part-EF7GG5T5.js";
