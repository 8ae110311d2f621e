// The form of the search page: a text in, a list of pages out. The text stays in this page; a short one also stands in the
// address, so that the result can be linked to.

import { searcher } from "./search.js";

const SHOWN = 8;
const MAX_CHARS = 1_000_000;
const MAX_LINKED_CHARS = 400;
const form = document.getElementById("finder"), field = document.getElementById("question"), list = document.getElementById("found");
const root = document.body.dataset.root, zh = form.dataset.lang === "zh";
let engine = null;

async function opened() {
  engine ??= (async () => {
    const answer = await fetch(new URL("tables.json", import.meta.url));
    if (!answer.ok) throw new Error(String(answer.status));
    const tables = await answer.json();
    return { tables, ...searcher(tables) };
  })().catch(error => { engine = null; throw error; });
  return engine;
}

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

async function show() {
  const text = field.value.slice(-MAX_CHARS);
  list.replaceChildren();
  if (!text.trim()) return;
  let found, tables;
  try {
    ({ tables, found } = await opened().then(one => ({ tables: one.tables, found: one.search(text) })));
  } catch {
    list.append(element("p", form.dataset.failed));
    return;
  }
  const ids = found.found.slice(0, SHOWN);
  if (found.settled) {
    list.append(element("h2", form.dataset.settled), listed(ids.splice(0, 1), tables.entries, "p"));
    if (ids.length) list.append(element("h2", form.dataset.others), listed(ids, tables.entries, "p"));
  } else if (found.families.length) {
    list.append(element("h2", form.dataset.family), listed(found.families.slice(0, 1), tables.families, "f"));
    list.append(element("h2", form.dataset.open), listed(ids, tables.entries, "p"));
  } else {
    list.append(element("h2", ids.length ? form.dataset.open : form.dataset.none), listed(ids, tables.entries, "p"));
  }
}

// Links to pages of one kind; `titles`: by id, English and Chinese.
function listed(ids, titles, kind) {
  const items = document.createElement("ol");
  for (const id of ids) {
    const link = element("a", titles[id][zh ? 1 : 0].replaceAll("`", "")), item = document.createElement("li");
    link.href = `${root}${zh ? "zh/" : ""}${kind}/${id}/`;
    item.append(link);
    items.append(item);
  }
  return items;
}

form.addEventListener("submit", event => {
  event.preventDefault();
  const linked = field.value.length <= MAX_LINKED_CHARS ? `?${new URLSearchParams({ q: field.value })}` : "";
  history.replaceState(null, "", location.pathname + linked);
  show();
});
field.addEventListener("paste", () => setTimeout(show));
const asked = new URLSearchParams(location.search).get("q");
if (asked) { field.value = asked; show(); }
