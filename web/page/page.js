// The page around Python: what works before Python is there, and `globalThis.tabletin`, the functions that Python calls
// (web/types.d.ts says how they look).

import { applyAppearance } from "./appearance.js";
import { runClocks } from "./clock.js";
import { watchConnection } from "./connection.js";
import { bringPython, deliver } from "./delivery.js";
import { renew } from "./dom_patch.js";
import { listenForEscape } from "./escape.js";
import { fill, restoreHome } from "./home.js";
import { offerInstallation } from "./install.js";
import { sayProgress, uncover } from "./laying.js";
import { adopt, showPreviews, takeOver } from "./previews.js";
import { toEnd } from "./scroll.js";
import { moveSockets } from "./remote_socket.js";
import { sharePicture, shareWords } from "./share_picture.js";
import { play } from "./sound.js";
import { sayTrouble, watchStartup } from "./startup.js";
import { listenForEnter, mark } from "./text_search.js";
import { clearWhenSeen, mayNotify, noticeTurn } from "./turn_notice.js";
import { hush, speak } from "./voice.js";
import { answered, watchTouches } from "./yield_to_input.js";

Object.assign((globalThis.tabletin ??= {}), {
  adopt, answered, deliver, dress: applyAppearance, fill, hush, mark, mayNotify, noticeTurn, play, renew, sharePicture, shareWords, speak, takeOver,
  toEnd, uncover,
});

moveSockets();
watchTouches();
listenForEnter();
listenForEscape();
restoreHome();
watchConnection();
clearWhenSeen();
watchStartup();
offerInstallation();
runClocks();
bringPython({ progress: sayProgress, trouble: sayTrouble, seen: showPreviews() });
