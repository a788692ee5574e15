// Hands the options on standard input (JSON) to esbuild and prints its metafile. Errors go to standard error.
//
// Style sheets go through Lightning CSS first, so that a browser of `browsers` (name → [major, minor]) finds nothing in them
// that its styles need and it does not know.
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { build } from "esbuild";
import { transform } from "lightningcss";

const CONTAINER = /^@container \w+ (\(.+\)) \{\n([^]*?)^\}/gm; // as our sheets are written: it ends at the start of a line

/**
 * A sheet that also asks the window what it asks a container, for browsers without container queries.
 * @param {string} sheet
 */
const withWindowAsked = (sheet) => sheet.replace(CONTAINER, (rule, condition, inside) =>
  `${rule}\n@supports not (container-type: inline-size) {\n@media ${condition} {\n${inside.replaceAll("cqi", "vw")}}\n}`);

/**
 * @param {Record<string, [number, number]>} browsers
 * @returns {import("esbuild").Plugin}
 */
function styles(browsers) {
  const targets = Object.fromEntries(Object.entries(browsers).map(([name, [major, minor]]) => [name, (major << 16) | (minor << 8)]));
  return {
    name: "styles",
    setup({ onLoad }) {
      onLoad({ filter: /\.css$/, namespace: "file" }, async ({ path }) => {
        const code = Buffer.from(withWindowAsked(await readFile(path, "utf8")));
        return { contents: transform({ filename: path, code, targets }).code, loader: "css" };
      });
    },
  };
}

try {
  const { browsers, ...options } = JSON.parse(readFileSync(0, "utf8"));
  const { metafile } = await build({ ...options, plugins: [styles(browsers ?? {})] });
  console.log(JSON.stringify(metafile));
} catch (error) {
  console.error(error);
  process.exit(1);
}
