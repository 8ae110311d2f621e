// From a text to entries: the messages it shows (claims), which of them settles it, the families whose symptom it tells, and the
// words of the rest. Equal to what
// `torchwhy --no-vectors` settles by a signature; it asks for nothing but tables.json, once.

import { reader, translated } from "./paste.js";

const TERM = /[a-z0-9]+|[\u3400-\u9fff]+/g;
const MAX_ASKED_CHARS = 4000;  // of a text without an error, whose words are searched for
// What no message has, such as a picture in base64, a thousand blank lines or a line without end: a browser's patterns, unlike RE2,
// take the square of its length. Looked for in the lines as they are read, since what is taken out before may join words and blanks.
const LONG_WORD = /\S{1000,}/g, LONG_BLANK = /\s{300,}/g, MAX_BLANK_LINES = 300, MAX_LINE_CHARS = 20_000;
const PART_CHARS = 60_000, OVERLAP_CHARS = 20_000;  // of a text that patterns are looked for in at once
const CLAIM_POINTS = 100_000;  // a claim stands before whatever only shares words
const MEMBER_POINTS = 10_000;  // and between the two a member of the family whose symptom is told

function shortened(pairs) {
  let blank = 0;
  return pairs.filter(([line]) => (blank = line.trim() ? 0 : blank + 1) <= MAX_BLANK_LINES).map(([line, rank]) => [shortLine(line), rank]);
}

function shortLine(line) {
  if (line.length < 300) return line;
  const short = line.replace(LONG_WORD, word => `${word.slice(0, 400)} ${word.slice(-400)}`).replace(LONG_BLANK, blank => blank.slice(0, 300));
  return short.length <= MAX_LINE_CHARS ? short : `${short.slice(0, MAX_LINE_CHARS / 2)} ${short.slice(-MAX_LINE_CHARS / 2)}`;
}

// Looked for in parts of whole lines that overlap: what a pattern takes the square of is then a part.
function lastMatch(text, pattern) {
  let last = null;
  for (let start = 0, end; start < text.length; start = end - start > OVERLAP_CHARS ? lineStart(text, end - OVERLAP_CHARS) : end) {
    end = text.length - start <= PART_CHARS ? text.length : lineStart(text, start + PART_CHARS);
    for (const found of text.slice(start, end).matchAll(pattern)) last = { start: start + found.index, length: found[0].length };
    if (end === text.length) break;
  }
  return last;
}

const lineStart = (text, from) => text.indexOf("\n", from) + 1 || text.length;

export function searcher(tables) {
  const read = reader(tables);
  const ids = Object.keys(tables.entries);
  const compiled = new Map();
  const pattern = (source, flags) => {
    const key = `${flags}/${source}`;
    if (!compiled.has(key)) compiled.set(key, new RegExp(source, flags + "g"));
    return compiled.get(key);
  };

  // Every message that a text shows: of one signature the last match.
  function claims(text) {
    const squeezed = text.toLowerCase().split(/\s+/).filter(Boolean).join(" ");
    const found = [];
    for (const [entry, source, flags, context, contextFlags, required] of tables.wordings) {
      if (!required.every(texts => texts.some(one => squeezed.includes(one)))) continue;
      const last = lastMatch(text, pattern(source, flags));
      if (!last || (context && !lastMatch(text, pattern(context, contextFlags)))) continue;
      found.push({ entry, start: last.start, end: last.start + last.length, length: last.length, context: Boolean(context) });
    }
    return found;
  }

  function claimsOf(paste) {
    const found = claims(paste.text);
    if (found.length || paste.text.length > tables.limits.retyped_chars) return found;
    return claims(translated(paste.text, tables.typed).replaceAll(". ", ", "));
  }

  // [weight of the error that a claim lies in, whether that error leads, whether it is an exception that ended the program, or a warning that leads]
  function roleOf(paste, claim, starts) {
    const root = rootOf(paste);
    if (!root) return [1, true];
    const line = offset => { let low = 0, high = starts.length; while (low < high) { const middle = (low + high) >> 1; if (starts[middle] <= offset) low = middle + 1; else high = middle; } return low - 1; };
    const first = line(claim.start), last = line(Math.max(claim.start, claim.end - 1));
    for (const error of paste.errors) {
      if (error.start > last || first >= error.end) continue;
      const same = error.exception === root.exception && error.message === root.message;
      if (same || (error.role === "warning" && root.role === "warning")) return [1, true, ["root", "warning"].includes(error.role) && Boolean(error.exception)];
      return [tables.role_weights[error.role], false];
    }
    return [tables.weight_outside, false];
  }

  // Each entry's best claim: on the error of most weight, then with a context, then the longest.
  function weigh(paste, found) {
    const starts = [];
    let offset = 0;
    for (const line of paste.lines) { starts.push(offset); offset += line.length + 1; }
    const best = new Map();
    for (const claim of found) {
      const [weight, leading, raised] = roleOf(paste, claim, starts);
      const known = best.get(claim.entry);
      const order = known ? weight - known.weight || claim.context - known.claim.context || claim.length - known.claim.length : 1;
      if (order > 0) best.set(claim.entry, { weight, leading, raised, claim });
    }
    return best;
  }

  function beats(claim, rival) {
    if (claim.context !== rival.context) return claim.context;
    return claim.start <= rival.start && rival.end <= claim.end && claim.length >= rival.length + tables.limits.longer_chars;
  }

  // The entry that the messages alone decide for, or null.
  function settle(best) {
    const leads = [...best].filter(([, { leading }]) => leading);
    const leading = leads.filter(([entry, { claim, raised }]) => claim.context || tables.entries[entry][2] !== "silent" || (raised && leads.length === 1));
    const won = leading.find(([entry, { claim }]) => leading.every(([other, rival]) => other === entry || beats(claim, rival.claim)));
    return won ? won[0] : null;
  }

  const rootOf = paste => (paste.errors.length && paste.errors[0].role !== "advice" ? paste.errors[0] : null);

  // Of the entries that hold enough of the text's rare words, what these are worth there.
  function wordScores(text) {
    const scores = new Map(), held = new Map();
    let asked = 0;
    for (const term of new Set(terms(text))) {
      const row = Object.hasOwn(tables.words, term) ? tables.words[term] : [tables.rarest];  // "constructor" is a name of every object
      asked += row[0] ?? 0;
      for (let place = 1; place < row.length; place += 2) {
        const id = ids[row[place]];
        scores.set(id, (scores.get(id) ?? 0) + row[place + 1]);
        held.set(id, (held.get(id) ?? 0) + row[0]);
      }
    }
    return new Map([...scores].filter(([id]) => held.get(id) >= tables.min_held * asked));
  }

  // The families whose symptom a text tells in words, the one first whose members its words are worth most in.
  function familiesOf(text, scores) {
    const worth = members => members.reduce((sum, id) => sum + (scores.get(id) ?? 0), 0);
    const told = Object.entries(tables.families).filter(([, row]) => row[3].some(([source, flags]) => lastMatch(text, pattern(source, flags))));
    return told.sort(([, first], [, second]) => worth(second[2]) - worth(first[2])).map(([id]) => id);
  }

  // {settled: an id or null, root: the leading error or null, families: ids, found: ids, the most likely first}
  function search(text) {
    const paste = read(text, shortened), root = rootOf(paste), best = weigh(paste, claimsOf(paste)), settled = settle(best);
    const scores = wordScores(root ? `${root.name} ${root.message}` : paste.text.slice(0, MAX_ASKED_CHARS));
    for (const [entry, { weight, claim }] of best)
      scores.set(entry, (scores.get(entry) ?? 0) + CLAIM_POINTS * (weight + claim.context / 10) + Math.min(claim.length, 500) / 10);
    if (settled) scores.set(settled, Infinity);
    const families = root || settled ? [] : familiesOf(paste.text.slice(0, MAX_ASKED_CHARS), scores);
    const members = new Set(families.slice(0, 1).flatMap(id => tables.families[id][2]));
    for (const id of members) scores.set(id, (scores.get(id) ?? 0) + MEMBER_POINTS);
    const found = [...scores].sort((first, second) => second[1] - first[1]).map(([id]) => id);
    return { settled, root, families, found, claimed: [...best.keys()] };
  }

  return { read, claims, search };
}

export function terms(text) {
  const found = [];
  for (const word of text.toLowerCase().match(TERM) ?? []) {
    if (word[0] >= "\u3400") for (let place = 0; place < Math.max(1, word.length - 1); place++) found.push(word.slice(place, place + 2));
    else if (word.length >= 2 && word.length <= 24) found.push(word);
  }
  return found;
}
