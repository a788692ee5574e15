// Loaded into Playwright's driver for a stock Firefox. Firefox 153 lacks two commands of WebDriver BiDi, without which Playwright
// makes no context: here they may fail. What they would set, the preferences of e2e/support/firefox.py set.
"use strict";
const Module = require("node:module");

const compile = Module.prototype._compile;
const LACKING = /await (this\.[\w.]+)\.send\("emulation\.(setMediaFeaturesOverride|setScreenSettingsOverride)", (\{[\s\S]*?\n\s+\})\);/g;

Module.prototype._compile = function (text, name, ...rest) {
  const changed = name.endsWith("coreBundle.js")
    ? text.replace(LACKING, 'await $1.send("emulation.$2", $3).catch(() => {});')
    : text;
  return compile.call(this, changed, name, ...rest);
};
