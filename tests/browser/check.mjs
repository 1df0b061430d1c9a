// Check every page of a site in a browser: `node check.mjs SITE OUT`. OUT has the packages puppeteer-core and axe-core,
// and gets a screenshot of each page.
//
// Each page is opened at three widths, light and dark: no error on the console, no request of another file, nothing
// clipped at the right. On each page axe-core finds no violation, and sorting, filtering, folding, details, variants and the
// links between table and figure work by mouse and by keyboard. Printed, a page has its folded parts and no tools.

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
    if (!(await tip())) fault("the mouse shows no details");
    await tab.mouse.move(0, 0);
    await link.focus();
    if (!(await tip())) fault("the keyboard shows no details");
    await tab.keyboard.press("Escape");
    if (await tip()) fault("Escape leaves the details");
  }
  const input = await tab.$("input[type=search]");
  if (input) {
    await input.type("no such word at all");
    const left = await tab.$$eval("table.sortable tbody tr", (all) => all.filter((row) => !row.hidden).length);
    if (left > 0) fault("a word that occurs nowhere leaves rows");
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

/** The name of a row lights up its words in a figure, by keyboard. */
async function lights(tab, fault) {
  const name = await tab.$("tbody tr > [tabindex]");
  if (!name) return;
  await name.evaluate((cell) => cell.closest("details")?.setAttribute("open", ""));
  await name.focus();
  if (!(await tab.$(".picture text.lit"))) fault("the keyboard lights nothing up in a figure");
  const word = await tab.$(".picture text[tabindex]");
  await word.evaluate((text) => text.focus());
  if (!(await tab.$("tr.lit"))) fault("the keyboard lights no row up");
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
  for (const width of WIDTHS) {
    for (const scheme of ["light", "dark"]) {
      const { tab, fault } = await open(name, width, scheme);
      await clipped(tab, fault);
      await tab.screenshot({ path: path.join(pictures, `${name.replace(".html", "")}-${width}-${scheme}.png`) });
      if (width === 1280) {
        await tab.evaluate(axe);
        const { violations } = await tab.evaluate(() => globalThis.axe.run());
        for (const { id, help, nodes } of violations) fault(`axe: ${id}: ${help} (${nodes.length}), ${nodes[0].html.slice(0, 120)}`);
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
