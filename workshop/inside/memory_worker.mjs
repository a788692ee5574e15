// A worker that starts Python from the module it is told, keeps the memory of that start on this device, and ends.

addEventListener("message", async ({ data }) => {
  const { keepMemory } = await import(data);
  postMessage(await keepMemory());
  globalThis.close();
}, { once: true });
