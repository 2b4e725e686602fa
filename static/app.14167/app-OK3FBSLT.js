import"./part-4C2SBHIN.js";
