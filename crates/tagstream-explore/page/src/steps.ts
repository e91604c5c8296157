/** The bar that moves through the document byte by byte. */
import { byId, element, formatted, icon } from './dom';
import type { StepState, StepTarget } from './protocol';

/** Bytes per tick while the document plays, and the time of a tick in milliseconds. */
const SPEEDS: [label: string, bytes: number, tick: number][] = [
  ['2 bytes/s', 1, 500],
  ['10 bytes/s', 1, 100],
  ['60 bytes/s', 2, 33],
  ['600 bytes/s', 20, 33],
  ['6 KB/s', 200, 33],
];

export interface StepHandlers {
  /** Moves, and returns null if a newer move replaced this one. */
  step(target: StepTarget): Promise<StepState | null>;
  leave(): void;
}

export class StepBar {
  #handlers: StepHandlers;
  #slider = element('input', { type: 'range', id: 'slider', min: 0, step: 1, value: 0, 'aria-label': 'Bytes fed' });
  #output = element('output', { for: 'slider', id: 'step-output' });
  #speed = element('select', { 'aria-label': 'Speed', id: 'speed' });
  #play = this.#button('play', 'Play', 'play', () => this.togglePlay());
  #leave = element('button', { type: 'button', id: 'leave-steps' }, 'Show all');
  #timer = 0;
  #total = 0;

  constructor(handlers: StepHandlers) {
    this.#handlers = handlers;
    SPEEDS.forEach(([label], i) => this.#speed.append(element('option', { value: i }, label)));
    this.#speed.value = '1';
    this.#leave.addEventListener('click', () => handlers.leave());
    this.#slider.addEventListener('input', () => void this.#move({ to: Number(this.#slider.value) }));
    const step = (name: string, label: string, id: string, target: StepTarget) =>
      this.#button(name, label, id, () => void this.#move(target));
    byId('steps').append(
      step('start', 'Start of the input', 'step-start', { to: 0 }),
      step('previous', 'Previous event (Shift+F8)', 'step-previous-event', { event: -1 }),
      step('back', 'Back by one byte (Shift+F9)', 'step-back', { by: -1 }),
      this.#play,
      step('forward', 'Forward by one byte (F9)', 'step-forward', { by: 1 }),
      step('next', 'Next event (F8)', 'step-next-event', { event: 1 }),
      step('end', 'End of the input', 'step-end', { end: true }),
      this.#slider,
      this.#output,
      this.#speed,
      this.#leave,
    );
    addEventListener('keydown', (event) => this.#onKey(event));
    this.showTotal(0);
  }

  #button(name: string, label: string, id: string, act: () => void): HTMLButtonElement {
    const made = element('button', { type: 'button', id, title: label, 'aria-label': label }, icon(name));
    made.addEventListener('click', () => {
      if (id !== 'play') this.pause();
      act();
    });
    return made;
  }

  /** Shows the whole document, which has this many bytes. */
  showTotal(total: number): void {
    this.pause();
    this.#total = total;
    this.#slider.max = String(total + 1);
    this.#slider.value = String(total + 1);
    this.#output.textContent = `All ${formatted(total)} bytes`;
    this.#setText(`All ${formatted(total)} bytes`);
    this.#leave.disabled = true;
  }

  showStep(state: StepState): void {
    this.#total = state.total;
    this.#slider.max = String(state.total + 1);
    this.#slider.value = String(state.position + (state.atEnd ? 1 : 0));
    const text = state.atEnd ? `End of ${formatted(state.total)} bytes` : `Byte ${formatted(state.position)} of ${formatted(state.total)}`;
    this.#setText(text);
    this.#leave.disabled = false;
    if (state.atEnd) this.pause();
  }

  #setText(text: string): void {
    this.#output.textContent = text;
    this.#slider.setAttribute('aria-valuetext', text);
  }

  async #move(target: StepTarget): Promise<void> {
    await this.#handlers.step(target);
  }

  get isPlaying(): boolean {
    return this.#timer !== 0;
  }

  pause(): void {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#showPlay();
  }

  togglePlay(): void {
    if (this.isPlaying) {
      this.pause();
      return;
    }
    const isAtEnd = Number(this.#slider.value) > this.#total;
    const tick = async () => {
      const [, bytes, wait] = SPEEDS[Number(this.#speed.value)] ?? ['', 1, 100];
      const started = performance.now();
      await this.#move({ by: bytes });
      // The page may have paused while the worker was at work.
      if (this.isPlaying) this.#timer = setTimeout(tick, Math.max(0, wait - (performance.now() - started)));
    };
    this.#timer = setTimeout(async () => {
      if (isAtEnd) await this.#move({ to: 0 });
      if (this.isPlaying) await tick();
    }, 0);
    this.#showPlay();
  }

  #showPlay(): void {
    const label = this.isPlaying ? 'Pause' : 'Play';
    this.#play.replaceChildren(icon(this.isPlaying ? 'pause' : 'play'));
    this.#play.setAttribute('aria-label', label);
    this.#play.title = label;
  }

  #onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const sign = event.shiftKey ? -1 : 1;
    if (event.key === 'F9') void this.#move({ by: sign });
    else if (event.key === 'F8') void this.#move({ event: sign });
    else return;
    this.pause();
    event.preventDefault();
  }
}
