// Check every page of sites in a browser: `node check.mjs SITE... OUT`. OUT has the packages puppeteer-core and axe-core,
// and gets a screenshot of each page.
//
// Each page is opened at three widths, light and dark: no error on the console, no request of another file, nothing
// clipped at the right, with its parts folded and open, the first column of a table stays where the table is scrolled, and axe-core
// finds no violation with all parts open. The main table of a benchmark begins on the first screen, and on a phone the text of a figure
// can be read. Sorting, filtering, folding, details, variants and the links between table and figure work by mouse and by keyboard, on
// a phone by keyboard and by touch; of pages that many trials or papers have, the first one is used. Without the script a page shows
// all its numbers. Printed, it has its folded parts and no tools.

import { createRequire } from "node:module";
import { existsSync, mkdirSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { lights, points, trials, use, variants } from "./use.mjs";

const folders = process.argv.slice(2).map((folder) => path.resolve(folder));
const [sites, out] = [folders.slice(0, -1), folders.at(-1)];
const packages = createRequire(path.join(out, "package.json"));
const puppeteer = packages("puppeteer-core");
const axe = readFileSync(packages.resolve("axe-core/axe.min.js"), "utf8");
const browsers = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const executablePath = process.env.CHROMIUM ?? browsers.find(existsSync);
if (!executablePath) throw new Error("no Chromium is found: set CHROMIUM to the path of one");

const PHONE = 390;
const WIDTHS = [PHONE, 1280, 1920];
/** Least height of a figure's text, in pixels. */
const LEAST = 8;
const faults = [];
/** Keeps a fault, and says it at once: a check of many pages takes an hour. */
const told = (fault) => {
  faults.push(fault);
  console.error(fault);
};
const pictures = path.join(out, "screenshots");
mkdirSync(pictures, { recursive: true });
const browser = await puppeteer.launch({ executablePath, args: ["--no-sandbox"] });

/** The file of a page. */
function file(name) {
  return pages.get(name);
}

/** Opens a page; what goes wrong in it is a fault. */
async function open(name, width, scheme) {
  const tab = await browser.newPage();
  const where = `${name} at ${width}, ${scheme}`;
  const fault = (what) => told(`${where}: ${what}`);
  await tab.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await tab.setViewport({ width, height: 900, hasTouch: width === PHONE });
  tab.on("console", (message) => { if (message.type() === "error") fault(message.text()); });
  tab.on("pageerror", (error) => fault(error.message));
  const address = pathToFileURL(file(name)).href;
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

/** The text of figures is not too small, and a figure that is wider than its box can be scrolled by keyboard. */
async function readable(tab, fault) {
  const { small, stuck } = await tab.evaluate((least) => {
    const height = (text) => {
      const at = text.getScreenCTM();
      return Number.parseFloat(getComputedStyle(text).fontSize) * Math.hypot(at.b, at.d);
    };
    const shown = (one) => one.checkVisibility({ contentVisibilityAuto: true });
    const pictures = [...document.querySelectorAll(".picture")].filter(shown);
    const isReached = (one) => one.tabIndex === 0 && one.getAttribute("role") === "group" && one.getAttribute("aria-label");
    return {
      small: pictures.flatMap((one) => [...one.querySelectorAll("text")].map(height)).filter((one) => one < least),
      stuck: pictures.filter((one) => one.scrollWidth > one.clientWidth && !isReached(one)).length,
    };
  }, LEAST);
  if (small.length > 0) fault(`${small.length} words of figures are too small, one is ${Math.min(...small).toFixed(1)} pixels high`);
  if (stuck > 0) fault(`${stuck} figures are cut for the keyboard`);
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
  await tab.goto(pathToFileURL(file(name)).href);
  const source = readFileSync(file(name), "utf8");
  const hidden = source.match(/<(tr|td|section|details)[^>]*\shidden[\s>]/g);
  if (hidden) told(`${name} without script: ${hidden.length} parts are hidden`);
  if (source.length > 1.5e6) told(`${name} has ${source.length} bytes`);
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

// Comparisons and pages of own tables lie in folders of their own, where names may occur again.
const pages = new Map();
for (const site of sites) {
  for (const name of readdirSync(site).filter((one) => one.endsWith(".html"))) {
    const known = pages.has(name) ? `${sites.indexOf(site) + 1}-${name}` : name;
    pages.set(known, path.join(site, name));
  }
}
const names = [...pages.keys()];
/** Pages that differ in their words and numbers alone: it is enough to use the first one of them. */
const isAlike = (name) => ["trial-", "errata-"].some((kind) => {
  return name.startsWith(kind) && names.find((one) => one.startsWith(kind)) !== name;
});
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
      if (width === PHONE) await readable(tab, fault);
      await tab.evaluate(axe);
      const { violations } = await tab.evaluate(() => globalThis.axe.run());
      for (const { id, help, nodes } of violations) fault(`axe: ${id}: ${help} (${nodes.length}), ${nodes[0].html.slice(0, 120)}`);
      await unfold(tab, false);
      if (scheme === "light" && width < 1920 && !isAlike(name)) {
        const isPhone = width === PHONE;
        await variants(tab, fault, name);
        await trials(tab, fault, isPhone);
        await points(tab, fault);
        if (!isPhone) await lights(tab, fault);
        await use(tab, fault, isPhone ? ["keyboard"] : ["mouse", "keyboard"]);
      }
      if (width === 1280) await print(tab, fault);
      await tab.close();
    }
  }
}
await browser.close();
console.log(`${names.length} pages, ${WIDTHS.length} widths, light and dark: ${faults.length} faults`);
process.exitCode = faults.length > 0 ? 1 : 0;
