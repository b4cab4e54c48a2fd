// What browsers have and the type checker's library of this version does not know yet, and what the page adds to a window.

interface Window {
    candlewire: import("../main.js").Page;
    readonly SpeechRecognition?: new () => SpeechRecognition;
    readonly webkitSpeechRecognition?: new () => SpeechRecognition;
}

interface Array<T> {
    findLast(found: (value: T, index: number) => unknown): T | undefined;
    findLastIndex(found: (value: T, index: number) => unknown): number;
}

interface ReadonlyArray<T> {
    findLast(found: (value: T, index: number) => unknown): T | undefined;
    findLastIndex(found: (value: T, index: number) => unknown): number;
}

interface Element {
    checkVisibility(): boolean;
}

interface HTMLElement {
    showPopover(): void;
    hidePopover(): void;
}

interface HTMLButtonElement {
    popoverTargetElement: Element | null;
}

interface ToggleEvent extends Event {
    readonly newState: "open" | "closed";
}

interface URLSearchParams {
    readonly size: number;
}

type ParsingURL = typeof URL & { canParse(address: string): boolean };

interface SpeechRecognition extends EventTarget {
    lang: string;
    continuous: boolean;
    interimResults: boolean;
    onresult: ((event: { readonly results: SpeechRecognitionResultList }) => unknown) | null;
    onerror: ((event: { readonly error: string }) => unknown) | null;
    onend: (() => unknown) | null;
    start(): void;
    stop(): void;
    abort(): void;
}

interface CanvasRenderingContext2D {
    roundRect(x: number, y: number, width: number, height: number, radii: number | number[]): void;
}


declare namespace Intl {
    function supportedValuesOf(key: "currency"): string[];
}
