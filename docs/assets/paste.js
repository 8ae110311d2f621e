// Reading a paste: which errors it holds, in which role, and which one leads. The same steps as assistant/torchwhy/paste in Python,
// with the same patterns (tables.json); tests/docs/test_search.py compares both over every text of data/eval.

export function reader(tables) {
  const P = Object.fromEntries(Object.entries(tables.patterns).map(([name, [source, flags]]) => [name, new RegExp(source, flags)]));
  const every = name => new RegExp(P[name].source, P[name].flags + "g");
  const [ANSI, CONTROL, ENTITY, LOST_ANSI, LINKED, MISQUOTED] =
    ["ANSI", "CONTROL", "ENTITY", "LOST_ANSI", "LINKED", "MISQUOTED"].map(every);
  const limits = tables.limits;
  const lookups = new Set(tables.lookups);

  const at = (pattern, text) => { const found = pattern.exec(text); return found && found.index === 0 ? found : null; };

  function withoutReturns(line) {  // at its end; a pattern would begin anew at each of them
    let end = line.length;
    while (line[end - 1] === "\r") end -= 1;
    return line.slice(0, end);
  }

  function plain(text) {
    text = text.toWellFormed ? text.toWellFormed() : text;
    text = text.replace(ANSI, "").replace(CONTROL, "");
    if (text.includes("\r\n")) {
      const lines = text.split("\n"), last = lines.pop();
      text = [...lines.map(withoutReturns), last].join("\n");
    }
    return translated(text, tables.quotes);
  }

  function overwritten(line) {
    const parts = line.split("\r").filter(part => part.trim());
    if (parts.length <= 1) return parts[0] ?? "";
    const last = parts.pop();
    return [...parts.filter(part => /Error|Traceback|Warning/.test(part)), last].join("\n");
  }

  function expanded(text) {  // tabs to every fourth column
    if (!text.includes("\t")) return text;
    let column = 0, out = "";
    for (const letter of text) {
      if (letter === "\t") { const width = 4 - column % 4; out += " ".repeat(width); column += width; }
      else { out += letter; column = letter === "\n" || letter === "\r" ? 0 : column + 1; }
    }
    return out;
  }

  function linesOf(text) {
    text = plain(text).replace(ENTITY, found => tables.entities[found]).replace(MISQUOTED, "$1$2$1").replace(LOST_ANSI, "").replace(LINKED, "$1");
    if (text.includes("\r")) text = text.split("\n").map(overwritten).join("\n");
    let lines = expanded(text).split("\n").map(line => line.trimEnd());
    if (text.includes("Exception Group Traceback"))
      lines = lines.map(line => line.replace(/^\s*[|+](?:[-+]+ (?:\d+ -+|\.\.\. -+)?)?\s?/, ""));
    if (text.includes("╭")) lines = lines.map(line => unboxed(line).replace(P.POINTED, "--> $1 "));
    lines = unquoted(lines).map(bare);
    if (text.includes(tables.head)) lines = unprefixed(lines);
    if (text.includes("TorchRuntimeError")) lines = unwrapped(lines);
    return P.REPORTED.test(text) ? reported(lines) : lines;
  }

  function unboxed(line) {
    let end = line.length;
    while (end && tables.box_end.includes(line[end - 1])) end -= 1;
    return line.slice(0, end).replace(P.BOXED, "");
  }

  function unprefixed(lines) {
    const shapes = new Map();
    lines.slice(0, -1).forEach(([line], number) => {
      const head = line.indexOf(tables.head), prefix = line.slice(0, Math.max(0, head)), bare = prefix.trimEnd();
      if (!bare || prefix.length > limits.prefix_chars || shapes.size === limits.prefixes) return;
      const shape = bare.split(/[0-9]+/).map(part => part.replace(/[^\w]/g, "\\$&")).join("[0-9]+");
      const pattern = shapes.get(shape) ?? new RegExp(`^${shape}(?: {${prefix.length - bare.length}}|$)`);
      if (pattern.test(lines[number + 1][0])) shapes.set(shape, pattern);
    });
    for (const pattern of shapes.values()) lines = lines.map(([line, rank]) => [line.replace(pattern, ""), rank]);
    return lines;
  }

  function unwrapped(lines) {
    const result = [];
    let head = -1;
    lines.forEach(([line, rank], number) => {
      const quoted = line.indexOf(": got ");
      const error = head >= 0 && number > head && number <= head + 2 && quoted >= 0 ? at(P.QUOTED_ERROR, line.slice(quoted + 6)) : null;
      if (error) {
        result[head][0] = "";
        line = `${error[1]}: ` + (error[2] ?? error[3]).replaceAll("\\n", " ").replaceAll("\\'", "'");
      } else if (head >= 0 && head === number - 1 && result[head][0].includes(": Failed running ") && line.trim()) {
        result[head][0] = "";
        line = `RuntimeError: ${line.trimStart()}`;
      } else if (head >= 0 && at(P.OF_THE_BREAK, line) && !result[head][0]) line = "";
      if (line.includes("TorchRuntimeError: ")) head = number;
      result.push([line, rank]);
    });
    return result;
  }

  function reported(lines) {
    const result = [];
    let headingUntil = -1;
    lines.forEach(([line, rank], number) => {
      const name = result.length ? at(P.REPORTED_TYPE, result.at(-1)[0]) : null;
      const message = name ? at(P.REPORTED_MESSAGE, line) : null;
      if (message) {
        result.at(-1)[0] = "";
        line = `${name[1]}: ${message[1]}`;
        headingUntil = number + limits.heading_lines;
      } else if (number <= headingUntil && at(P.REPORTED_HEADING, line)) line = "";
      result.push([line, rank]);
    });
    return result;
  }

  function unquoted(lines) {
    const result = [...lines];
    let run = [];
    [...lines, "-"].forEach((line, number) => {
      if (at(P.QUOTED, line)) run.push(number);
      else if (line.trim()) {
        if (run.length > 1) for (const each of run) result[each] = lines[each].replace(P.QUOTED, "");
        run = [];
      }
    });
    return result;
  }

  function bare(line) {
    const stamp = at(P.STAMP, line);
    if (stamp && stamp[0].length) {
      const length = stamp[0].trimEnd().length;
      const bareStamp = /[\p{L}\p{N}]/u.test(stamp[0][length - 1]) && !P.LEVEL.test(stamp[0].slice(-limits.stamp_chars));
      line = line.slice(bareStamp ? length + 1 : stamp[0].length);
    }
    const found = at(P.RANK, line);
    if (!found) return [line, null];
    const digits = found.slice(1).find(group => group !== undefined);
    const sign = found[4] === undefined ? 1 : -1;  // a process id is below 0
    return [line.slice(found[0].length), sign * Number(digits.slice(0, limits.rank_digits))];
  }

  function role(exception, message) {
    if (P.WRAPPERS.test(exception) || at(P.WRAPPED, message)) return "wrapper";
    return P.CASCADES.test(`${exception}: ${message}`) ? "cascade" : "root";
  }

  const isDeviceAssert = text => {
    const place = P.PLACE.exec(text);
    const end = place ? place.index + place[0].length : text.indexOf("thread: [");
    const start = end >= 0 ? text.indexOf("Assertion ", end) : -1;
    return start >= 0 && text.indexOf(" failed", start + "Assertion ".length + 1) >= 0;
  };

  function notebookFrame(line) {
    if (!at(P.NOTEBOOK_PLACE, line)) return false;
    const rest = line.replace(/^ *(?:File )?/, ""), cut = rest.indexOf(" in ");
    let place = (cut < 0 ? rest : rest.slice(0, cut)).replace(/,$/, "");
    const number = P.PLACE_NUMBER.exec(place);
    if (cut < 0 && !number) return false;
    if (number) place = place.slice(0, number.index);
    return !place.includes(" ") || /^(?:Cell In|Input In|<ipython-input)/.test(place);
  }

  function scan(lines) {
    const errors = [];
    let frames = 0, start = null, chained = null;
    const head = number => lines[number].slice(0, limits.matched_chars);

    function message(number, first) {
      const parts = [first.trimEnd()];
      let end = number + 1;
      if (!parts[0] && end < lines.length && !lines[end].trim() && lines[number].trimEnd().endsWith(":")) end += 1;
      for (const line of lines.slice(end, number + limits.message_lines)) {
        const text = line.slice(0, limits.matched_chars);
        if (P.STOP.test(text) || at(P.EXCEPTION, text) || P.ADVICE.test(text)) break;
        if (at(P.SHELL, line.slice(0, limits.shell_chars))) break;
        parts.push(line.trim());
        end += 1;
      }
      return [parts.join("\n").trim(), end];
    }

    function warningMessage(number, first) {
      const end = message(number, first)[1];
      for (let below = number + 1; below < Math.min(end + 1, lines.length); below++) {
        const line = head(below);
        if (at(P.SOURCE, line) && !at(P.EXCEPTION, line))
          return [[first.trimEnd(), ...lines.slice(number + 1, below).map(text => text.trim())].join("\n").trim(), below + 1];
      }
      return [first.trim(), number + 1];
    }

    function afterFrame(number) {
      const next = number + 1 < lines.length ? head(number + 1) : "";
      const code = next && !at(P.FRAME, next) && !at(P.EXCEPTION, next) && !at(P.ARROW, next) ? lines[number + 1].trim() : "";
      return number + 1 + (code ? 1 : 0);
    }

    function compiledFrames(number) {
      let more = 0;
      while (number < lines.length) {
        const line = head(number);
        if (at(P.FRAME, line)) { more += 1; number = afterFrame(number); }
        else if (at(P.CARETS, line)) number += 1;
        else break;
      }
      const told = errors.findLastIndex(error => error.exception);
      if (more && told >= 0) errors[told] = { ...errors[told], frames: errors[told].frames + more, end: number };
      return number;
    }

    function tracebackLine(number, line) {
      if (P.HEADER.test(line) || at(P.NOTEBOOK, line)) { frames = 0; start = number; return number + 1; }
      if (errors.length && start === null && at(P.COMPILED, line)) return compiledFrames(number + 1);
      if (at(P.FRAME, line) || ((start !== null || at(P.OPENING, line)) && notebookFrame(line))) {
        if (start === null) { frames = 0; start = number; }
        frames += 1;
        return afterFrame(number);
      }
      return null;
    }

    function add(error) { errors.push(error); return error.end; }

    function exception(number, name, first) {
      const [text, end] = message(number, first);
      const short = name.split(".").pop();
      let its = role(name, text);
      if (name.endsWith("Warning") && start === null) its = "warning";
      if (start && at(P.IGNORED, lines[start - 1])) its = "cascade";
      if (its === "root" && chained && chained.role === "root")
        its = lookups.has(chained.exception.split(".").pop()) ? "root" : "cascade";
      errors.push({ role: its, exception: name, name: short, message: text, start: start ?? number, end, frames });
      frames = 0; start = null; chained = null;
      return end;
    }

    function bareError(number, line) {
      const found = (its, name, [text, end]) => ({ role: its, exception: name, name, message: text, start: number, end, frames: 0 });
      if (isDeviceAssert(line)) return found("root", "", [line.trim(), number + 1]);
      if (at(P.LOADER, line)) return found("root", "", message(number, line.trim()));
      const cpp = at(P.CPP, line);
      if (cpp) {
        const its = message(number, cpp[1]);
        return found(P.CASCADES.test(its[0]) ? "cascade" : "root", "", its);
      }
      const warning = P.NAMED_WARNING.exec(line);
      if (warning) return found("warning", warning[1], message(number, warning[2]));
      const inline = P.INLINE.exec(line);
      if (inline) {
        const its = message(number, inline[2]);
        return { ...found(role(inline[1], its[0]), inline[1], its), name: inline[1].split(".").pop() };
      }
      if (at(P.SHELL, line.slice(0, limits.shell_chars)))
        return found(P.CASCADES.test(line) || at(P.ABORTED, line) ? "cascade" : "root", "", [line.trim(), number + 1]);
      return null;
    }

    function errorLine(number, line) {
      if (P.CHAIN.test(line)) chained = errors.length ? errors[errors.length - 1] : null;
      const its = at(P.EXCEPTION, line) ?? (frames ? at(P.RAISED, line) : null);
      if (P.ADVICE.test(line) && !its)
        return add({ role: "advice", exception: "", name: "", message: line.trim(), start: number, end: number + 1, frames: 0 });
      const warning = at(P.WARNING, line);
      if (warning) {
        const [text, end] = warningMessage(number, warning.groups.message);
        return add({ role: "warning", exception: warning.groups.name, name: warning.groups.name, message: text, start: number, end, frames: 1 });
      }
      if (its && (start !== null || its[2] !== undefined || !line.startsWith(" "))) return exception(number, its[1], its[2] ?? "");
      if (start === null) {
        const error = bareError(number, line);
        if (error) return add(error);
      }
      return null;
    }

    for (let number = 0; number < lines.length;) {
      const line = head(number);
      number = line ? tracebackLine(number, line) || errorLine(number, line) || number + 1 : number + 1;
    }
    const told = errors.findLastIndex(error => error.exception && error.role === "root");
    if (start !== null && told >= 0 && !errors[told].frames) errors[told] = { ...errors[told], frames };
    return errors;
  }

  function importance(errors) {
    const several = errors.some(error => error.rank !== null);
    const key = (error, number) => {
      const text = error.message.slice(0, limits.matched_chars);
      const cause = !error.exception && (isDeviceAssert(text) || at(P.LOADER, text)) ? 0 : 1;
      return [tables.role_order[error.role], cause, error.frames || error.exception ? 0 : 1, several ? number : -number];
    };
    const keyed = errors.map((error, number) => [key(error, number), error]);
    keyed.sort(([first], [second]) => first.map((value, place) => value - second[place]).find(value => value) || 0);
    return keyed.map(([, error]) => error);
  }

  // `shorten`: what is left of the lines before they are looked at
  return function read(text, shorten = pairs => pairs) {
    const pairs = shorten(linesOf(text)), lines = pairs.map(([line]) => line), byRank = new Map();
    pairs.forEach(([, rank], number) => { if (byRank.has(rank)) byRank.get(rank).push(number); else byRank.set(rank, [number]); });
    const errors = [];
    for (const [rank, numbers] of byRank)
      for (const error of scan(numbers.map(number => lines[number])))
        errors.push({ ...error, start: numbers[error.start], end: numbers[error.end - 1] + 1, rank });
    return { lines, text: lines.join("\n"), errors: importance(errors) };
  };
}

export const translated = (text, table) => Array.from(text, letter => table[letter] ?? letter).join("");
