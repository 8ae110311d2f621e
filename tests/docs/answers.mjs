// What the site's search makes of texts: `node answers.mjs SITE TEXTS ANSWERS`, all three paths; JSON in, JSON out.

import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [site, texts, answers] = process.argv.slice(2);
const { searcher, terms } = await import(pathToFileURL(`${site}/assets/search.js`));
const engine = searcher(JSON.parse(readFileSync(`${site}/assets/tables.json`, "utf8")));
const said = JSON.parse(readFileSync(texts, "utf8")).map(text => {
  const { lines, errors } = engine.read(text), { settled, claimed, families, found } = engine.search(text);
  const told = errors.map(error => [error.role, error.exception, error.message, error.start, error.end, error.rank]);
  return { lines, errors: told, claimed: claimed.sort(), settled, families, found: found.slice(0, 3), terms: terms(text) };
});
writeFileSync(answers, JSON.stringify(said));
