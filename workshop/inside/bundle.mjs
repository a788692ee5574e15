// Hands the options on standard input (JSON) to esbuild and prints its metafile. Errors go to standard error.
import { readFileSync } from "node:fs";
import { build } from "esbuild";

try {
  const { metafile } = await build(JSON.parse(readFileSync(0, "utf8")));
  console.log(JSON.stringify(metafile));
} catch {
  process.exit(1);
}
