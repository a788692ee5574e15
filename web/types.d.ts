// What the scripts under web/ put on `globalThis` for Python, and packages that come without types.

/** What Python and its interpreter call of the page (web/page/early.js, web/page/page.js) and of updates (web/offline/register.js). */
interface Tabletin {
  /** Puts `html` into `element` and keeps whatever of it is there, and what is searched for. */
  adopt(element: Element, html: string): void;
  /** Resolves when the answer to a tap just now has been shown; at once where there was none. */
  answered(): Promise<void>;
  /** The part of Python at `address`, compiled where it is WebAssembly, while it is on its way to this page; undefined where it is not. */
  deliver(address: string): Promise<ArrayBuffer | WebAssembly.Module> | undefined;
  /** Applies the settings, JSON text. */
  dress(settings: string | null): void;
  /** Shows the unfinished matches, JSON text. */
  fill(matches: string | null): void;
  /** Stops reading aloud. */
  hush(): void;
  /** The first of the reader's languages that is one of `codes`. */
  languageOf(codes: string[]): string | undefined;
  /** Marks `words` in the text of `element`; how often they stand there. */
  mark(element: Element, words: string, go: boolean): number;
  /** Asks whether the device may show notifications; whether it may. */
  mayNotify(): Promise<boolean>;
  /** Says `sentence` by the title, the app's mark and, if `notify`, a notification, where this page is not seen. */
  noticeTurn(sentence: string, notify: boolean): void;
  /** Plays a sound of the table by its name; what is not one's `own` doing is softer, and is not felt. */
  play(name: string, own: boolean): void;
  /** Puts `html` into `element` and keeps whatever of it is there. */
  renew(element: Element, html: string): void;
  /** Draws an SVG document as a picture and shares it, or hands it out as a file. */
  sharePicture(svg: string, name: string, words: string): Promise<string>;
  /** Shares words; "shared", "copied" or "". */
  shareWords(words: string): Promise<string>;
  /** Reads `sentence` aloud in `language`, after what is being read. */
  speak(sentence: string, language: string): void;
  /** Scrolls to the end, or until `last` ends in view, when the next frame is laid out. */
  toEnd(element: Element, last?: Element): void;
  /** Ends what the page does in Python's place; what was done until then, JSON text: acts by address. */
  takeOver(): string;
  /** Takes away what covers the page while something waits for Python. */
  uncover(): void;
  update: Update;
}

/** What Safari on iOS knows beside the standard. */
interface Navigator {
  standalone?: boolean;
}

/** A new version of the site. */
interface Update {
  /** Whether a new version waits; the window gets the event `tabletin:update` when this becomes true. */
  waiting: boolean;
  /** Lets it take over and reloads; resolves to false, and does nothing, while a match is open in any tab. */
  apply(): Promise<boolean>;
}

declare var tabletin: Partial<Tabletin>;

/** What Python calls of the storage (web/storage/storage.js). */
declare var tabletinStore: Pick<typeof import("./storage/matches.js"), "append" | "read" | "records" | "remove" | "clear">
  & Pick<typeof import("./storage/device.js"), "secret" | "keep" | "kept" | "swap" | "persist">
  & Pick<typeof import("./storage/wake_lock.js"), "awake">
  & Pick<typeof import("./storage/tabs.js"), "claim" | "wait" | "release" | "claimRoom" | "releaseRoom" | "announce" | "listen">;

declare module "libsodium-sumo" {
  /** libsodium's functions as its WebAssembly module exports them, and its memory. Addresses are bytes. */
  export interface Sodium {
    HEAPU8: Uint8Array;
    _malloc(size: number): number;
    _free(address: number): void;
    _crypto_core_ristretto255_add(out: number, a: number, b: number): number;
    _crypto_core_ristretto255_sub(out: number, a: number, b: number): number;
    _crypto_core_ristretto255_from_hash(out: number, digest: number): number;
    _crypto_core_ristretto255_is_valid_point(point: number): number;
    _crypto_core_ristretto255_scalar_reduce(out: number, bytes: number): number;
    _crypto_core_ristretto255_scalar_negate(out: number, scalar: number): number;
    _crypto_core_ristretto255_scalar_negate(out: number, scalar: number): number;
    _crypto_scalarmult_ristretto255(out: number, scalar: number, point: number): number;
    _crypto_scalarmult_ristretto255_base(out: number, scalar: number): number;
    _crypto_sign_seed_keypair(publicKey: number, secretKey: number, seed: number): number;
    _crypto_sign_detached(
      signature: number, lengthOut: number, message: number, lengthLow: number, lengthHigh: number, key: number,
    ): number;
    _crypto_sign_verify_detached(
      signature: number, message: number, lengthLow: number, lengthHigh: number, publicKey: number,
    ): number;
  }
  export default function start(): Promise<Sodium>;
}
