"use strict";
// Every page can be read without this script. It sorts, filters, folds, and shows details where the pointer is.
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const make = (tag, text) => Object.assign(document.createElement(tag), { textContent: text });

  // Sort a table by a column: numbers by value, words by the alphabet; cells without a number come last.
  const value = (cell) => {
    const text = cell ? cell.dataset.sort ?? cell.textContent.replace(/^[^\w−\-–]+/, "").trim() : "";
    const number = Number.parseFloat(text.replace("−", "-"));
    return Number.isNaN(number) ? text.toLowerCase() : number;
  };
  const order = (a, b) => {
    if (typeof a === typeof b) return typeof a === "number" ? a - b : a.localeCompare(b);
    return typeof a === "number" ? -1 : 1;
  };
  for (const table of all("table.sortable")) {
    all("thead th", table).forEach((head, column) => {
      const define = head.querySelector("a.define");
      define?.remove();
      const button = make("button", head.textContent.trim());
      button.type = "button";
      head.replaceChildren(button);
      if (define) head.append(" ", define);
      button.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        all("thead th", table).forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const body = table.tBodies[0];
        const rows = [...body.rows].map((row) => [value(row.cells[column]), row]);
        rows.sort(([a], [b]) => (down ? order(b, a) : order(a, b)));
        body.append(...rows.map(([, row]) => row));
      });
    });
  }

  // Variants are shown until a switch hides them.
  let showVariants = () => {};

  // Filter by verdict, by judgement of a claim and by words: a legend's entries become switches. Rows are hidden, cells and squares
  // are dimmed.
  const chosen = { verdict: new Set(), claim: new Set() };
  const kinds = Object.keys(chosen);
  // What has no verdict is not filtered by verdicts, nor what has no judgement by judgements.
  const isOther = (one) => kinds.some((kind) => {
    return chosen[kind].size > 0 && one.dataset[kind] !== undefined && !chosen[kind].has(one.dataset[kind]);
  });
  let words = [];
  const filter = () => {
    for (const row of all("table.sortable tbody tr")) {
      const text = row.textContent.toLowerCase();
      const table = row.closest("table");
      const heads = table.tHead.textContent.toLowerCase();
      row.hidden = isOther(row) || words.some((word) => !text.includes(word) && !heads.includes(word));
      // A word that names a column keeps that column alone.
      [...row.cells].forEach((cell, column) => {
        const head = table.tHead.rows[0].cells[column];
        const named = words.filter((word) => heads.includes(word) && !text.includes(word));
        cell.classList.toggle("dim", column > 0 && named.some((word) => !head.textContent.toLowerCase().includes(word)));
      });
    }
    // Cells whose column no word names are dimmed already.
    for (const one of all("td.cell")) if (isOther(one)) one.classList.add("dim");
    for (const one of all("a.square")) {
      const text = (one.dataset.words ?? "").toLowerCase();
      one.classList.toggle("dim", isOther(one) || words.some((word) => !text.includes(word)));
    }
  };
  for (const item of all(".legend li")) {
    const button = make("button", "");
    button.type = "button";
    button.setAttribute("aria-pressed", "false");
    button.setAttribute("aria-label", `Show only: ${item.textContent.trim()}`);
    button.append(item.querySelector(".square"));
    item.prepend(button);
    button.addEventListener("click", () => {
      const kind = kinds.find((kind) => item.dataset[kind] !== undefined);
      const own = item.dataset[kind];
      if (!chosen[kind].delete(own)) chosen[kind].add(own);
      button.setAttribute("aria-pressed", String(chosen[kind].has(own)));
      filter();
    });
  }
  if (all("table.sortable").length > 0) {
    const tools = make("div", "");
    tools.className = "tools";
    const label = make("label", "Filter by dataset, method or word: ");
    const input = make("input", "");
    input.type = "search";
    input.addEventListener("input", () => {
      words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      filter();
    });
    label.append(input);
    tools.append(label);
    if (all("details").length > 0) {
      const fold = make("button", "Open all folded parts");
      fold.type = "button";
      fold.addEventListener("click", () => {
        const open = !all("details").every((one) => one.open);
        all("details").forEach((one) => { one.open = open; });
        fold.textContent = open ? "Fold all parts" : "Open all folded parts";
      });
      tools.append(fold);
    }
    const variants = all("[data-variants], tr[data-variant]");
    if (variants.length > 0) {
      const label = make("label", " Show variants");
      const box = make("input", "");
      box.type = "checkbox";
      box.checked = true;
      box.addEventListener("change", () => document.body.classList.toggle("no-variants", !box.checked));
      label.prepend(box);
      tools.append(label);
      // A link to a variant shows it.
      showVariants = () => {
        box.checked = true;
        document.body.classList.remove("no-variants");
      };
    }
    const first = document.querySelector(".first, .top, .beside") ?? document.querySelector("h1");
    first.after(tools);
  }

  // A link into a folded part opens it.
  const unfold = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target?.closest("[data-variants], [data-variant]")) showVariants();
    const folded = target?.closest("details");
    if (folded && !folded.open) {
      folded.open = true;
      target.scrollIntoView({ block: "center" });
    }
  };
  addEventListener("hashchange", unfold);
  unfold();

  // A cell that names its first trial can have the focus: Tab goes to the first one of a row, the arrow keys to its neighbours.
  for (const table of all("main table")) {
    const cells = all("td[title]", table);
    if (cells.length === 0) continue;
    cells.forEach((cell) => { cell.tabIndex = cell.matches("td[tabindex] ~ td") ? -1 : 0; });
    const region = table.closest(".scroll");
    region?.setAttribute("aria-label", `${region.getAttribute("aria-label")}; from a cell the arrow keys go to its neighbours`);
    table.addEventListener("keydown", (event) => {
      const from = event.target.closest("td[tabindex]");
      const step = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[event.key];
      if (!from || !step || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      const rows = [...table.tBodies[0].rows].filter((row) => !row.hidden);
      let [row, column] = [rows.indexOf(from.parentElement), from.cellIndex];
      do {
        row += step[0];
        column += step[1];
      } while (rows[row]?.cells[column]?.matches(":not([tabindex])"));
      rows[row]?.cells[column]?.focus();
    });
  }

  // A point of a figure and the cell of its number belong together: the point's words begin with the names of the cell's row and
  // column, and have the cell's number. Both are rounded, so that they agree within half a unit of each last digit.
  const plain = (text) => text.trim().toLowerCase().replace(/\s+/g, " ");
  const raised = (power) => [...power].map((one) => (one === "⁻" ? "-" : "⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(one))).join("");
  const ascii = (text) => text.replace(/−/g, "-")
    .replace(/(×|(?<![\d.]))10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)/g, (_, times, power) => (times ? "e" : "1e") + raised(power));
  const numbers = (text) => [...ascii(text).matchAll(/-?\d+(?:\.(\d+))?(?:e(-?\d+))?/g)].map(([all, decimals = "", power = 0]) => {
    return { value: Number(all), half: 0.51 * 10 ** (power - decimals.length) };
  });
  const nameOf = (text) => {
    const number = Number(ascii(text));
    return text.trim() === "" || Number.isNaN(number) ? plain(text) : number.toPrecision(3);
  };
  const points = new Map();
  for (const spot of all(".picture .spot")) {
    for (const line of spot.textContent.split("\n")) {
      for (const { index: colon } of line.matchAll(/: /g)) {
        const [number] = numbers(line.slice(colon));
        for (const { index: comma } of number ? line.slice(0, colon).matchAll(/, /g) : []) {
          const names = `${nameOf(line.slice(0, comma))}\n${nameOf(line.slice(comma + 2, colon))}`;
          points.set(names, [...(points.get(names) ?? []), { spot, number }]);
        }
      }
    }
  }
  const headOf = (head) => (head.querySelector("button") ?? head).textContent;
  const partners = new Map();
  for (const table of points.size > 0 ? all("main table") : []) {
    const columns = [...(table.tHead?.rows[0]?.cells ?? [])].map((head) => nameOf(headOf(head)));
    for (const row of table.tBodies[0]?.rows ?? []) {
      const name = nameOf(row.cells[0]?.textContent ?? "");
      [...row.cells].slice(1).forEach((cell, at) => {
        const column = columns[at + 1];
        const named = [`${name}\n${column}`, `${column}\n${name}`].flatMap((names) => points.get(names) ?? []);
        // A spread is no number of a point.
        const own = named.length > 0 ? numbers(cell.textContent.replace(/±\s*\S+/g, "")) : [];
        for (const { spot, number } of named) {
          if (!own.some((one) => Math.abs(one.value - number.value) <= one.half + number.half)) continue;
          partners.set(cell, [...(partners.get(cell) ?? []), spot]);
          partners.set(spot, [...(partners.get(spot) ?? []), cell]);
        }
      });
    }
  }

  // Details at the pointer or the focus: the row of the verdict in words.
  const tip = make("div", "");
  tip.className = "tip";
  tip.setAttribute("role", "status");
  tip.hidden = true;
  document.body.append(tip);
  const described = (one) => {
    const href = one.getAttribute("href") ?? "";
    const row = href.includes("#") ? document.getElementById(href.slice(href.indexOf("#") + 1)) : null;
    if (row?.tagName === "TR") {
      const heads = [...row.closest("table").tHead.rows[0].cells].map(headOf);
      return [...row.cells].map((cell, at) => `${heads[at]}: ${cell.textContent.trim()}`).join("\n");
    }
    const list = one.closest("table")?.dataset.trials;
    return list && one.dataset.tip ? `${one.dataset.tip}; all are in ${list}` : one.dataset.tip ?? "";
  };
  let lit = [];
  const hide = () => {
    tip.hidden = true;
    all(".spot.at").forEach((spot) => spot.classList.remove("at"));
    lit.forEach((one) => one.classList.remove("lit"));
    lit = [];
  };
  const show = (one) => {
    hide();
    // The browser's own words would come late, and twice.
    const own = one.querySelector("title");
    if (own) {
      one.dataset.tip = own.textContent;
      own.remove();
    }
    if (one.title) {
      one.dataset.tip = one.title;
      one.removeAttribute("title");
    }
    lit = partners.get(one.closest("td") ?? one) ?? [];
    lit.forEach((other) => other.classList.add("lit"));
    tip.textContent = described(one);
    if (tip.textContent === "") return;
    tip.style.whiteSpace = "pre-line";
    tip.hidden = false;
    const box = one.getBoundingClientRect();
    const left = Math.min(box.left, document.documentElement.clientWidth - tip.offsetWidth - 8);
    const above = box.bottom + tip.offsetHeight + 8 > innerHeight;
    tip.style.left = `${Math.max(4, left) + scrollX}px`;
    tip.style.top = `${(above ? Math.max(0, box.top - tip.offsetHeight - 4) : box.bottom + 4) + scrollY}px`;
  };
  const told = (event) => event.target.closest?.("td.cell a, a.square, .spot, td[tabindex], td.n > a[title], td.n > a[data-tip]");
  const showTarget = (event) => {
    const one = told(event);
    if (one) show(one);
  };
  addEventListener("pointerover", showTarget);
  addEventListener("focusin", showTarget);
  // A finger leaves what it has touched: its details stay until it touches something else, or scrolls.
  addEventListener("pointerout", (event) => { if (event.pointerType !== "touch") hide(); });
  addEventListener("pointerdown", (event) => { if (!told(event)) hide(); });
  addEventListener("pointercancel", hide);
  addEventListener("focusout", hide);
  addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });

  // The arrow keys go through the points of the figure that has the focus.
  for (const picture of all(".picture")) {
    const spots = all(".spot", picture);
    if (spots.length === 0) continue;
    picture.setAttribute("aria-label", `${picture.getAttribute("aria-label")}; the arrow keys go through its ${spots.length} points`);
    let at = -1;
    picture.addEventListener("keydown", (event) => {
      const last = spots.length - 1;
      const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: last }[event.key];
      if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      at = Math.min(Math.max(next, 0), last);
      spots[at].scrollIntoView({ block: "nearest", inline: "nearest" });
      show(spots[at]);
      spots[at].classList.add("at");
    });
  }

  // Table and figure highlight each other: a figure's word, or what it has before a colon or a comma, names a row or a column. Of a name
  // that no word has alone, a few words speak that have the name's own in their order: "20 trees of depth 5" of "tree".
  const labels = new Map();
  for (const label of all(".picture text")) {
    const text = plain(label.textContent);
    for (const name of new Set([text, text.split(/[:,]/)[0]])) {
      // Numbers alone are those of axes.
      if (/\p{L}{2}|×/u.test(name)) labels.set(name, [...(labels.get(name) ?? []), label]);
    }
  }
  const tokens = (text) => plain(text).match(/[\p{L}\p{N}]+/gu) ?? [];
  const speaksOf = (words, name) => {
    let at = 0;
    for (const word of words) {
      if (at < name.length && (word === name[at] || (name[at].length > 3 && word.startsWith(name[at])))) at += 1;
    }
    return at === name.length;
  };
  const heads = all("main table").flatMap((table) => {
    return [...(table.tHead?.rows[0]?.cells ?? []), ...[...(table.tBodies[0]?.rows ?? [])].map((row) => row.cells[0])].filter(Boolean);
  });
  const named = new Set(heads.flatMap((head) => labels.get(plain(headOf(head))) ?? []));
  const others = all(".picture text").filter((label) => !named.has(label)).map((label) => [tokens(label.textContent), label]);
  const few = others.filter(([words]) => words.length <= 8);
  const speaking = (name) => {
    const words = tokens(name);
    return words.join("").length < 3 ? [] : few.filter(([label]) => speaksOf(label, words)).map(([, label]) => label);
  };
  const lights = (from, to) => {
    for (const on of ["pointerenter", "focusin"]) from.addEventListener(on, () => to.forEach((one) => one.classList.add("lit")));
    for (const off of ["pointerleave", "focusout"]) from.addEventListener(off, () => to.forEach((one) => one.classList.remove("lit")));
  };
  const pair = (head, cells) => {
    const name = plain(headOf(head));
    const own = labels.get(name) ?? speaking(name);
    if (own.length === 0) return;
    // The keyboard reaches the heading, and the words of the figure.
    if (!head.querySelector("button")) head.tabIndex = 0;
    for (const from of new Set([head, ...cells])) lights(from, own);
    for (const label of own) {
      label.setAttribute("tabindex", "0");
      label.dataset.names ??= name;
      lights(label, cells);
    }
  };
  for (const table of all("main table")) {
    const rows = [...(table.tBodies[0]?.rows ?? [])];
    for (const row of rows) if (row.cells.length > 0) pair(row.cells[0], [row]);
    [...(table.tHead?.rows[0]?.cells ?? [])].forEach((head, column) => {
      if (column > 0) pair(head, rows.map((row) => row.cells[column]).filter(Boolean));
    });
  }

  // A table of scores with many columns shows a choice of them, one for all tables of the page: the columns with printed numbers, the
  // ten that are best by mean rank, or those that the reader ticks. A browser that keeps things keeps the reader's own.
  const WIDE = 12;
  const BEST = 10;
  const ranked = all("main table").filter((table) => all("th[data-place]", table).length > 0);
  const wide = ranked.filter((table) => all("th[data-place]", table).length > WIDE);
  const titleOf = (head) => (head.querySelector("button") ?? head).textContent.trim();
  const columnsOf = (table) => [...table.tHead.rows[0].cells].map((head, at) => ({ head, at })).filter(({ head }) => head.dataset.place);
  const isOwn = (table, at) => [...table.tBodies[0].rows].some((row) => row.cells[at]?.matches(".cell"));
  const keep = (names) => {
    try {
      if (names) localStorage.setItem("uqbench-columns", JSON.stringify(names));
      return JSON.parse(localStorage.getItem("uqbench-columns") ?? "[]");
    } catch {
      return names ?? [];
    }
  };
  if (wide.length > 0) {
    const names = [...new Set(ranked.flatMap((table) => columnsOf(table).map(({ head }) => titleOf(head))))];
    const own = new Set(ranked.flatMap((table) => {
      return columnsOf(table).filter(({ at }) => isOwn(table, at)).map(({ head }) => titleOf(head));
    }));
    const mine = new Set(keep().filter((name) => names.includes(name)));
    const shows = {
      own: (head) => own.has(titleOf(head)),
      best: (head) => Number(head.dataset.place) <= BEST,
      mine: (head) => mine.has(titleOf(head)),
      all: () => true,
    };
    const count = make("span", "");
    const show = (kind) => {
      let most = 0;
      for (const table of ranked) {
        for (const { head, at } of columnsOf(table)) {
          const hide = !shows[kind](head);
          for (const row of [table.tHead.rows[0], ...table.tBodies[0].rows]) row.cells[at]?.toggleAttribute("hidden", hide);
        }
        most = Math.max(most, columnsOf(table).filter(({ head }) => !head.hidden).length);
      }
      count.textContent = `${most} of ${names.length} are shown.`;
    };
    const tools = make("fieldset", "");
    tools.className = "tools columns";
    tools.append(make("legend", "Columns of the tables of scores"));
    const options = [["own", "the paper's own"], ["best", "ten best by mean rank"], ["mine", "my choice"], ["all", "all"]];
    const radios = {};
    for (const [kind, words] of options.filter(([kind]) => kind !== "own" || own.size > 0)) {
      const label = make("label", ` ${words}`);
      radios[kind] = Object.assign(make("input", ""), { type: "radio", name: "columns" });
      radios[kind].addEventListener("change", () => show(kind));
      label.prepend(radios[kind]);
      tools.append(label);
    }
    const choice = make("details", "");
    choice.append(make("summary", "Choose columns"));
    for (const name of names) {
      const label = make("label", ` ${name}`);
      const box = Object.assign(make("input", ""), { type: "checkbox", checked: mine.has(name) });
      box.addEventListener("change", () => {
        if (box.checked) mine.add(name);
        else mine.delete(name);
        keep([...mine]);
        radios.mine.checked = true;
        show("mine");
      });
      label.prepend(box);
      choice.append(label);
    }
    tools.append(count, choice);
    wide[0].closest(".scroll").before(tools);
    const first = own.size > 0 ? "own" : "best";
    radios[first].checked = true;
    show(first);
  }
})();
