// Check every page of a site in a browser: `node check.mjs SITE OUT`. OUT has the packages puppeteer-core and axe-core,
// and gets a screenshot of each page.
//
// Each page is opened at three widths, light and dark: no error on the console, no request of another file, nothing
// clipped at the right, with its parts folded and open, and the first column of a table stays where the table is scrolled. On each page
// axe-core finds no violation at two widths with all parts open, the main table of a benchmark begins on the first screen, and
// sorting, filtering, folding, details, variants and the links between table and figure work by mouse and by keyboard. Without the
// script a page shows all its numbers. Printed, it has its folded parts and no tools.

import { createRequire } from "node:module";
import { existsSync, mkdirSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [site, out] = process.argv.slice(2).map((folder) => path.resolve(folder));
const packages = createRequire(path.join(out, "package.json"));
const puppeteer = packages("puppeteer-core");
const axe = readFileSync(packages.resolve("axe-core/axe.min.js"), "utf8");
const browsers = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const executablePath = process.env.CHROMIUM ?? browsers.find(existsSync);
if (!executablePath) throw new Error("no Chromium is found: set CHROMIUM to the path of one");

const WIDTHS = [390, 1280, 1920];
const faults = [];
const pictures = path.join(out, "screenshots");
mkdirSync(pictures, { recursive: true });
const browser = await puppeteer.launch({ executablePath, args: ["--no-sandbox"] });

/** Opens a page; what goes wrong in it is a fault. */
async function open(name, width, scheme) {
  const tab = await browser.newPage();
  const where = `${name} at ${width}, ${scheme}`;
  const fault = (what) => faults.push(`${where}: ${what}`);
  await tab.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await tab.setViewport({ width, height: 900 });
  tab.on("console", (message) => { if (message.type() === "error") fault(message.text()); });
  tab.on("pageerror", (error) => fault(error.message));
  const address = pathToFileURL(path.join(site, name)).href;
  tab.on("request", (request) => {
    const asked = request.url().split("#")[0];
    if (asked !== address && !asked.startsWith("data:")) fault(`asks for ${asked}`);
  });
  await tab.goto(address);
  return { tab, fault };
}

/** Whether the page is wider than the window, or a word of it is cut. */
async function clipped(tab, fault) {
  const wide = await tab.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  if (wide > 0) fault(`is ${wide} pixels wider than the window`);
  const cut = await tab.evaluate(() => {
    const scrolls = (element) => element.closest(".scroll, .picture, .sr, .skip");
    const right = document.documentElement.clientWidth + 1;
    const all = [...document.querySelectorAll("main *")].filter((one) => !scrolls(one));
    return all.filter((one) => one.getBoundingClientRect().right > right).map((one) => one.outerHTML.slice(0, 80));
  });
  if (cut.length > 0) fault(`${cut.length} elements are cut: ${cut[0]}`);
}

/** Opens all folded parts, or folds those again that were folded. */
async function unfold(tab, open) {
  await tab.$$eval("main details", (all, open) => all.forEach((one) => {
    if (open && !one.open) one.dataset.was = "folded";
    if (one.dataset.was === "folded") one.open = open;
    if (!open) delete one.dataset.was;
  }), open);
}

/** The main table of the page of a benchmark begins on the first screen. */
async function begins(tab, fault) {
  const top = await tab.evaluate(() => {
    const table = document.querySelector(".top") && document.querySelector("main table.sortable");
    return table ? table.getBoundingClientRect().top : 0;
  });
  if (top > 900) fault(`its main table begins at ${Math.round(top)} pixels, below the first screen`);
}

/** Sorts, filters, folds and shows details, first by mouse, then by keyboard. */
async function use(tab, fault) {
  const press = {
    mouse: (handle) => handle.evaluate((element) => element.scrollIntoView({ block: "center" })).then(() => handle.click()),
    keyboard: (handle) => handle.focus().then(() => tab.keyboard.press("Enter")),
  };
  for (const [by, pressed] of Object.entries(press)) {
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
    const chip = await tab.$(".legend li button");
    if (chip && (await tab.$("td.cell, a.square"))) {
      const verdicts = await tab.$$eval("td.cell, a.square", (all) => new Set(all.map((one) => one.dataset.verdict)).size);
      await pressed(chip);
      const dimmed = await tab.$$eval("td.cell.dim, a.square.dim", (all) => all.length);
      if (verdicts > 1 && dimmed === 0) fault(`filtering by verdict by ${by} does nothing`);
      await pressed(chip);
      if (await tab.$("td.cell.dim, a.square.dim")) fault(`a filter by ${by} cannot be taken back`);
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
    await link.evaluate((element) => element.scrollIntoView({ block: "center" }));
    await link.hover();
    // A busy machine may deliver the pointer late.
    await tab.waitForFunction(() => !document.querySelector(".tip").hidden, { timeout: 2000 }).catch(() => undefined);
    if (!(await tip())) fault("the mouse shows no details");
    await tab.mouse.move(0, 0);
    await link.focus();
    if (!(await tip())) fault("the keyboard shows no details");
    await tab.keyboard.press("Escape");
    if (await tip()) fault("Escape leaves the details");
  }
  const spot = await tab.$(".picture .spot");
  if (spot) {
    await spot.evaluate((element) => element.scrollIntoView({ block: "center" }));
    const words = await spot.evaluate((element) => element.querySelector("title")?.textContent);
    await spot.hover();
    const shown = (expected) => {
      const tip = document.querySelector(".tip");
      return !tip.hidden && (expected === undefined || tip.textContent === expected);
    };
    // Another point may lie above this one.
    await tab.waitForFunction(shown, { timeout: 2000 }).catch(() => fault(`a figure's point shows no details: ${words}`));
    await tab.mouse.move(0, 0);
    await tab.waitForFunction(() => document.querySelector(".tip").hidden, { timeout: 2000 }).catch(() => undefined);
    await spot.evaluate((element) => element.closest(".picture").focus());
    await tab.keyboard.press("Home");
    if (!(await tab.evaluate(shown))) fault("the keyboard shows no details of a figure's points");
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
async function variants(tab, fault) {
  const box = await tab.$(".tools input[type=checkbox]");
  if (!box) return;
  const shown = () => tab.$$eval("[data-variants], tr[data-variant]", (all) => all.filter((one) => one.checkVisibility()).length);
  const before = await shown();
  await box.focus();
  await tab.keyboard.press("Space");
  if ((await shown()) > 0) fault("the switch leaves variants");
  await tab.keyboard.press("Space");
  if ((await shown()) !== before) fault("the switch does not bring variants back");
}

/** The name of a row or a column lights up its words in a figure, and a word its row or column, by keyboard and by mouse. */
async function lights(tab, fault) {
  const word = await tab.$(".picture text[tabindex]");
  if (!word) return;
  const text = await word.evaluate((one) => one.textContent.trim().toLowerCase().replace(/\s+/g, " "));
  const name = await tab.evaluateHandle((text) => {
    const plain = (cell) => (cell.querySelector("button") ?? cell).textContent.trim().toLowerCase().replace(/\s+/g, " ");
    const heads = [...document.querySelectorAll("main table tbody tr > :first-child, main table thead th")];
    const head = heads.find((cell) => [text, text.split(/[:,]/)[0]].includes(plain(cell)));
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

/** The first column stays where a table is scrolled to the right. */
async function sticks(tab, fault) {
  const moved = await tab.evaluate(() => {
    const wide = [...document.querySelectorAll(".scroll")].filter((one) => one.checkVisibility({ contentVisibilityAuto: true }) && one.scrollWidth > one.clientWidth + 40);
    const moves = (scroll) => {
      const head = scroll.querySelector("tbody tr > :first-child");
      if (!head) return false;
      const before = head.getBoundingClientRect().left;
      scroll.scrollLeft = scroll.scrollWidth;
      const after = head.getBoundingClientRect().left;
      scroll.scrollLeft = 0;
      return Math.abs(after - before) > 2;
    };
    return wide.filter(moves).length;
  });
  if (moved > 0) fault(`${moved} tables lose their first column where they are scrolled`);
}

/** Without its script a page has the same numbers, and a verdict's cell leads to its row. */
async function plain(name) {
  const tab = await browser.newPage();
  await tab.setJavaScriptEnabled(false);
  await tab.setViewport({ width: 1280, height: 900 });
  await tab.goto(pathToFileURL(path.join(site, name)).href);
  const source = readFileSync(path.join(site, name), "utf8");
  const hidden = source.match(/<(tr|td|section|details)[^>]*\shidden[\s>]/g);
  if (hidden) faults.push(`${name} without script: ${hidden.length} parts are hidden`);
  if (source.length > 1.5e6) faults.push(`${name} has ${source.length} bytes`);
  await tab.screenshot({ path: path.join(pictures, `${name.replace(".html", "")}-plain.png`) });
  await tab.close();
}

/** The page as it is printed: tools are gone, folded parts and whole tables are there, in black on white. */
async function print(tab, fault) {
  await tab.emulateMediaType("print");
  const found = await tab.evaluate(() => {
    const shown = (one) => one.checkVisibility({ contentVisibilityAuto: true });
    const all = (selector) => [...document.querySelectorAll(selector)];
    return {
      tools: all(".tools, .tip, .skip").filter(shown).length,
      folded: all("details table").filter((table) => !shown(table)).length,
      scrolls: all(".scroll").filter((one) => getComputedStyle(one).overflowY !== "visible").length,
      ink: getComputedStyle(document.body).color,
    };
  });
  if (found.tools > 0) fault("tools are printed");
  if (found.folded > 0) fault(`${found.folded} folded tables are not printed`);
  if (found.scrolls > 0) fault(`${found.scrolls} tables are cut where they are printed`);
  if (found.ink !== "rgb(0, 0, 0)") fault(`text is printed in ${found.ink}`);
  const printed = await tab.pdf({ format: "A4" });
  if (printed.length < 1000) fault("printing gives nothing");
}

const names = readdirSync(site).filter((name) => name.endsWith(".html"));
for (const name of names) {
  await plain(name);
  for (const width of WIDTHS) {
    for (const scheme of ["light", "dark"]) {
      const { tab, fault } = await open(name, width, scheme);
      await clipped(tab, fault);
      await sticks(tab, fault);
      await tab.screenshot({ path: path.join(pictures, `${name.replace(".html", "")}-${width}-${scheme}.png`) });
      if (width === 1280) await begins(tab, fault);
      await unfold(tab, true);
      await clipped(tab, (what) => fault(`with all parts open: ${what}`));
      await sticks(tab, (what) => fault(`with all parts open: ${what}`));
      if (width <= 1280) {
        await tab.evaluate(axe);
        const { violations } = await tab.evaluate(() => globalThis.axe.run());
        for (const { id, help, nodes } of violations) fault(`axe: ${id}: ${help} (${nodes.length}), ${nodes[0].html.slice(0, 120)}`);
      }
      await unfold(tab, false);
      if (width === 1280) {
        if (scheme === "light") {
          await variants(tab, fault);
          await lights(tab, fault);
          await use(tab, fault);
        }
        await print(tab, fault);
      }
      await tab.close();
    }
  }
}
await browser.close();
for (const fault of faults) console.error(fault);
console.log(`${names.length} pages, ${WIDTHS.length} widths, light and dark: ${faults.length} faults`);
process.exitCode = faults.length > 0 ? 1 : 0;
