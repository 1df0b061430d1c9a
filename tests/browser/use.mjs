// Use a page as a reader does: sort, filter, fold, show details, and go from a table to a figure and back.

/** Datasets that are variants of others, on the pages that have them. */
const VARIANTS = { "dtb-table-1.html": "Housing, raw features", "jcm-table-2.html": "Energy, cooling load" };

/** Ways to press a button. */
const press = (tab) => ({
  mouse: (handle) => handle.evaluate((element) => element.scrollIntoView({ block: "center" })).then(() => handle.click()),
  keyboard: (handle) => handle.focus().then(() => tab.keyboard.press("Enter")),
});

/** Each entry of a legend leaves what it names, and takes its filter back. */
async function legends(tab, fault, by) {
  /** What entries of this kind can filter, and what a filter has left of it. */
  const count = (kind, own) => tab.evaluate((kind, own) => {
    const all = [...document.querySelectorAll(`tr[data-${kind}], td.cell[data-${kind}], a.square[data-${kind}]`)];
    const left = all.filter((one) => !one.hidden && !one.classList.contains("dim"));
    return {
      all: all.length,
      left: left.length,
      wrong: left.filter((one) => one.dataset[kind] !== own).length,
      squares: left.filter((one) => one.matches("a.square, tr[data-claim]")).length,
    };
  }, kind, own);
  for (const item of await tab.$$(".legend li")) {
    const { kind, own, words, counted } = await item.evaluate((one) => {
      const kind = ["verdict", "claim"].find((kind) => one.dataset[kind] !== undefined);
      return { kind, own: one.dataset[kind], words: one.textContent, counted: Number(one.textContent.match(/\d+/)) };
    });
    if (!kind) {
      fault(`the entry "${words}" of a legend filters by nothing`);
      continue;
    }
    const button = await item.$("button");
    await press(tab)[by](button);
    const { all, left, wrong, squares } = await count(kind, own);
    if (left === 0) fault(`the entry "${words}" by ${by} leaves nothing`);
    if (wrong > 0) fault(`the entry "${words}" by ${by} leaves ${wrong} that it does not name`);
    if (squares > 0 && squares !== counted) fault(`the entry "${words}" by ${by} leaves ${squares}`);
    await press(tab)[by](button);
    if ((await count(kind, own)).left !== all) fault(`the entry "${words}" by ${by} cannot be taken back`);
  }
}

/** Sorts, filters, folds and shows details in these ways. */
export async function use(tab, fault, ways) {
  for (const by of ways) {
    const pressed = press(tab)[by];
    await legends(tab, fault, by);
    const head = await tab.$("table.sortable thead th button");
    if (head) {
      await pressed(head);
      const state = await head.evaluate((button) => button.parentElement.getAttribute("aria-sort"));
      if (!["ascending", "descending"].includes(state)) fault(`sorting by ${by} does nothing`);
      const sorted = await head.evaluate((button, down) => {
        // The first column has words, or numbers at the start of its cells.
        const cells = [...button.closest("table").tBodies[0].rows].map((row) => row.cells[0].textContent.trim().toLowerCase());
        const numbers = cells.map((cell) => Number.parseFloat(cell.replace("−", "-"))).filter((number) => !Number.isNaN(number));
        const [kept, order] = numbers.length === cells.length
          ? [numbers, (a, b) => a - b]
          : [cells.filter((cell) => Number.isNaN(Number.parseFloat(cell))), (a, b) => a.localeCompare(b)];
        return kept.every((one, at) => at === 0 || (down ? order(one, kept[at - 1]) : order(kept[at - 1], one)) <= 0);
      }, state === "descending");
      if (!sorted) fault(`sorting by ${by} gives another order`);
    }
    const folded = await tab.$("details summary");
    if (folded) {
      const before = await folded.evaluate((summary) => summary.parentElement.open);
      await pressed(folded);
      const after = await folded.evaluate((summary) => summary.parentElement.open);
      if (before === after) fault(`folding by ${by} does nothing`);
    }
  }
  const link = await tab.$("a.square, td.cell a");
  if (link) {
    const tip = () => tab.$eval(".tip", (one) => !one.hidden && one.textContent.length > 0);
    if (ways.includes("mouse")) {
      await link.evaluate((element) => element.scrollIntoView({ block: "center" }));
      await link.hover();
      // A busy machine may deliver the pointer late.
      await tab.waitForFunction(() => !document.querySelector(".tip").hidden, { timeout: 2000 }).catch(() => undefined);
      if (!(await tip())) fault("the mouse shows no details");
      await tab.mouse.move(0, 0);
    }
    await link.focus();
    if (!(await tip())) fault("the keyboard shows no details");
    await tab.keyboard.press("Escape");
    if (await tip()) fault("Escape leaves the details");
  }
  const spot = await tab.$(".picture .spot");
  if (spot) {
    const shown = () => !document.querySelector(".tip").hidden;
    if (ways.includes("mouse")) {
      await spot.evaluate((element) => element.scrollIntoView({ block: "center" }));
      const words = await spot.evaluate((element) => element.querySelector("title")?.textContent);
      await spot.hover();
      // Another point may lie above this one.
      await tab.waitForFunction(shown, { timeout: 2000 }).catch(() => fault(`a figure's point shows no details: ${words}`));
      await tab.mouse.move(0, 0);
      await tab.waitForFunction(() => document.querySelector(".tip").hidden, { timeout: 2000 }).catch(() => undefined);
    }
    await spot.evaluate((element) => element.closest(".picture").focus());
    await tab.keyboard.press("Home");
    if (!(await tab.evaluate(shown))) fault("the keyboard shows no details of a figure's points");
    const { left, right, width } = await spot.evaluate((element) => {
      const { left, right } = element.getBoundingClientRect();
      return { left, right, width: document.documentElement.clientWidth };
    });
    if (left < 0 || right > width) fault("the keyboard leaves a figure's point out of sight");
    await tab.keyboard.press("Escape");
  }
  const input = await tab.$("input[type=search]");
  if (input) {
    const empty = () => input.evaluate((field) => { field.value = ""; field.dispatchEvent(new Event("input")); });
    const names = () => tab.$$eval("table.sortable tbody tr", (all) => all.filter((row) => !row.hidden).map((row) => row.textContent.toLowerCase()));
    const word = await tab.$eval("table.sortable tbody tr", (row) => row.cells[0].textContent.trim().toLowerCase().split(/\s+/)[0]);
    if (word) {
      await input.type(word);
      const heads = await tab.$$eval("table.sortable", (all) => all.map((table) => table.tHead.textContent.toLowerCase()).join(" "));
      const left = await names();
      if (left.length === 0) fault(`the word ${word} hides its own row`);
      if (!heads.includes(word) && left.some((row) => !row.includes(word))) fault(`the word ${word} leaves rows without it`);
      await empty();
    }
    const square = await tab.$("a.square");
    if (square) {
      // The name of its dataset comes first.
      const named = await square.evaluate((one) => one.dataset.words.toLowerCase().split(/\s+/)[0]);
      await input.type(named);
      const wrong = await tab.$$eval("a.square", (all, named) => all.filter((one) => {
        return one.classList.contains("dim") === one.dataset.words.toLowerCase().includes(named);
      }).length, named);
      if (wrong > 0) fault(`the word ${named} dims ${wrong} squares of the map that have it, or leaves those without it`);
      await empty();
      if (await tab.$("a.square.dim")) fault("a word that is taken back leaves squares dimmed");
    }
    await input.type("no such word at all");
    const left = await tab.$$eval("table.sortable tbody tr", (all) => all.filter((row) => !row.hidden).length);
    if (left > 0) fault("a word that occurs nowhere leaves rows");
    if (await tab.$("a.square:not(.dim)")) fault("a word that occurs nowhere leaves squares of the map");
  }
}

/** Hides the variants, and shows them again. */
export async function variants(tab, fault, name) {
  const rows = (dataset) => tab.$$eval("main tbody tr", (all, dataset) => {
    return all.filter((row) => row.cells[0]?.textContent === dataset && row.checkVisibility()).length;
  }, dataset);
  const dataset = VARIANTS[name];
  if (dataset && (await rows(dataset)) === 0) fault(`no row is about ${dataset}`);
  const box = await tab.$(".tools input[type=checkbox]");
  if (!box) {
    if (dataset) fault("nothing hides variants");
    return;
  }
  const shown = () => tab.$$eval("[data-variants], tr[data-variant]", (all) => all.filter((one) => one.checkVisibility()).length);
  const before = await shown();
  await box.focus();
  await tab.keyboard.press("Space");
  if ((await shown()) > 0) fault("the switch leaves variants");
  if (dataset && (await rows(dataset)) > 0) fault(`the switch leaves rows about ${dataset}`);
  await tab.keyboard.press("Space");
  if ((await shown()) !== before) fault("the switch does not bring variants back");
}

/** The name of a row or a column lights up its words in a figure, and a word its row or column, by keyboard and by mouse. */
export async function lights(tab, fault) {
  const word = await tab.$(".picture text[tabindex]");
  if (!word) return;
  const text = await word.evaluate((one) => one.dataset.names);
  const name = await tab.evaluateHandle((text) => {
    const plain = (cell) => (cell.querySelector("button") ?? cell).textContent.trim().toLowerCase().replace(/\s+/g, " ");
    const heads = [...document.querySelectorAll("main table tbody tr > :first-child, main table thead th")];
    const head = heads.find((cell) => text === plain(cell));
    head?.closest("details")?.setAttribute("open", "");
    return head?.querySelector("button") ?? head;
  }, text);
  if (!name.asElement()) return fault(`the word ${text} of a figure lights up, and names no row or column`);
  const lit = (selector) => tab.$(selector);
  await name.asElement().focus();
  if (!(await lit(".picture text.lit"))) fault("the keyboard lights nothing up in a figure");
  await word.evaluate((one) => one.focus());
  if (!(await lit("tr.lit, td.lit"))) fault("the keyboard lights no row or column up");
  await word.evaluate((one) => one.blur());
  await name.asElement().evaluate((cell) => cell.scrollIntoView({ block: "center" }));
  await name.asElement().hover();
  if (!(await lit(".picture text.lit"))) fault("the mouse lights nothing up in a figure");
  await tab.mouse.move(0, 0);
  await word.evaluate((one) => one.scrollIntoView({ block: "center", inline: "center" }));
  await word.hover();
  if (!(await lit("tr.lit, td.lit"))) fault("the mouse lights no row or column up");
}

/** A cell that leads nowhere tells its first trial and where all are: by keyboard, by the arrow keys from another one, and by touch. */
export async function trials(tab, fault, touches) {
  const told = () => tab.$eval(".tip", (one) => (one.hidden ? "" : one.textContent));
  const lone = await tab.$$eval("main td.n[title]", (all) => all.filter((one) => one.tabIndex !== 0 && !one.matches("td[tabindex] ~ td")).length);
  if (lone > 0) fault(`the keyboard does not reach ${lone} cells that tell their first trial`);
  const found = await tab.evaluateHandle(() => {
    return [...document.querySelectorAll("main td.n[tabindex='0']")].find((one) => one.checkVisibility({ contentVisibilityAuto: true }));
  });
  const cell = found.asElement();
  if (!cell) return;
  const expected = await cell.evaluate((one) => one.closest("table").dataset.trials ?? "trial");
  const isTold = (words) => words.includes("uqbench show") && words.includes("trial") && words.includes(expected);
  await cell.focus();
  if (!isTold(await told())) fault(`the keyboard shows "${await told()}" of a first trial`);
  const next = await cell.evaluate((one) => one.nextElementSibling?.matches("[tabindex]") ?? false);
  await tab.keyboard.press("ArrowRight");
  const moved = await cell.evaluate((one) => document.activeElement !== one && document.activeElement.matches("td[tabindex]"));
  if (next && (!moved || !isTold(await told()))) fault("the arrow keys do not reach the next first trial");
  await tab.keyboard.press("Escape");
  if (await told()) fault("Escape leaves the details of a first trial");
  if (!touches) return;
  await cell.evaluate((one) => {
    document.activeElement.blur();
    one.scrollIntoView({ block: "center", inline: "center" });
  });
  await cell.tap();
  await tab.waitForFunction(() => !document.querySelector(".tip").hidden, { timeout: 2000 }).catch(() => undefined);
  if (!isTold(await told())) fault(`touch shows "${await told()}" of a first trial`);
  await (await tab.$("h1")).tap();
  await tab.waitForFunction(() => document.querySelector(".tip").hidden, { timeout: 2000 })
    .catch(() => fault("touch elsewhere leaves the details of a first trial"));
}

/** A point of the figure of a table lights up the cell of its number, and the cell the point. */
export async function points(tab, fault) {
  const picture = await tab.$("figure[id$='-agreement'] .picture:has(.spot)");
  // The first page shows figures without their tables.
  if (!picture || !(await tab.$("td.cell"))) return;
  await picture.focus();
  await tab.keyboard.press("Home");
  if ((await tab.$$("td.lit")).length === 0) return fault("a figure's point lights no cell up");
  const names = await tab.$eval("td.lit", (cell) => {
    const head = cell.closest("table").tHead.rows[0].cells[cell.cellIndex];
    return `${cell.parentElement.cells[0].textContent}, ${(head.querySelector("button") ?? head).textContent}: `;
  });
  const words = await tab.$eval(".tip", (one) => one.textContent);
  if (!words.includes(names)) fault(`the point "${words}" lights the cell ${names}up`);
  const link = await tab.$("td.lit a");
  await link.evaluate((one) => one.closest(".scroll").focus());
  if (await tab.$("td.lit")) fault("a cell stays lit");
  await link.focus();
  if (!(await tab.$(".spot.lit"))) fault("a cell lights no point of a figure up");
  await tab.keyboard.press("Escape");
  if (await tab.$(".spot.lit")) fault("a point stays lit");
}
