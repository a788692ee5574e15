// Says that it is somebody's turn who looks at another page: in this page's title, by a mark on the installed app, and, where that was
// asked for and allowed, by a notification of the device. All of it goes once the page is seen again.

const MARK = "● ";
const TAG = "tabletin-turn";
let title = "";

/**
 * Says `sentence` where this page is not seen; does nothing where it is.
 * @param {string} sentence
 * @param {boolean} notify whether the device may show it
 */
export function noticeTurn(sentence, notify) {
  if (document.visibilityState === "visible") return;
  if (!document.title.startsWith(MARK)) title = document.title;
  document.title = MARK + sentence;
  void navigator.setAppBadge?.().catch(() => undefined); // a browser may refuse: the title says it
  if (notify) void show(sentence);
}

/** @param {string} sentence */
async function show(sentence) {
  if (!("Notification" in globalThis) || Notification.permission !== "granted") return;
  if (await navigator.serviceWorker?.getRegistration()) {
    const registration = await navigator.serviceWorker.ready; // on a first visit it may still be at work
    if (document.visibilityState === "visible") return;
    await registration.showNotification(sentence, { tag: TAG, data: location.href });
  } else new Notification(sentence, { tag: TAG }).addEventListener("click", () => window.focus());
}

/** Asks the person whether the device may show notifications; resolves to whether it may. */
export async function mayNotify() {
  if (!("Notification" in globalThis)) return false;
  return (await Notification.requestPermission()) === "granted";
}

/** Takes every notice away once the page is seen. */
export function clearWhenSeen() {
  document.addEventListener("visibilitychange", async () => {
    if (document.visibilityState !== "visible") return;
    if (document.title.startsWith(MARK)) document.title = title;
    void navigator.clearAppBadge?.().catch(() => undefined);
    const registration = await navigator.serviceWorker?.getRegistration();
    for (const shown of (await registration?.getNotifications?.({ tag: TAG })) ?? []) shown.close();
  });
}
