// Draws an SVG as a PNG: {"svg": path, "png": path, "width": px} as JSON on standard input.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Resvg, initWasm } from "@resvg/resvg-wasm";

const order = JSON.parse(readFileSync(0, "utf8"));
await initWasm(readFileSync(createRequire(import.meta.url).resolve("@resvg/resvg-wasm/index_bg.wasm")));
const drawn = new Resvg(readFileSync(order.svg, "utf8"), { fitTo: { mode: "width", value: order.width } }).render();
writeFileSync(order.png, drawn.asPng());
