/**
 * A document that is fed byte by byte.
 *
 * The engine cannot go back. To go back, the stepper starts a new session and feeds it up to the earlier byte.
 */
import type { Counts, EventRow, StepState, StepTarget, Trace } from './protocol';
import { pause, reading, type Session } from './sessions';

/** Stepping records rows of the schema for each byte, so slices are smaller than those of a document. */
const SLICE_BYTES = 64 * 1024;
/** Number of bytes that are fed one by one before the messages that have arrived are handled. */
const SINGLE_BYTES = 4096;

export class Stepper {
  #bytes: Uint8Array;
  #make: () => Session;
  #isCurrent: () => boolean;
  #session: Session;
  #position = 0;
  #atEnd = false;
  #ended = false;
  /** Number of moves that were asked for. A newer move replaces an older one that is not complete. */
  #moves = 0;

  constructor(bytes: Uint8Array, make: () => Session, isCurrent: () => boolean) {
    this.#bytes = bytes;
    this.#make = make;
    this.#isCurrent = isCurrent;
    this.#session = make();
  }

  /** The caller frees the session. */
  end(): void {
    this.#ended = true;
  }

  /** Returns the state after the move, or null if a newer move or document replaces it. */
  async move(target: StepTarget): Promise<Omit<StepState, 'mark'> | null> {
    const mine = ++this.#moves;
    const goesOn = () => !this.#ended && this.#isCurrent() && this.#moves === mine;
    let complete: boolean;
    if ('end' in target) complete = await this.#moveTo(this.#bytes.length + 1, goesOn);
    else if ('to' in target) complete = await this.#moveTo(target.to, goesOn);
    else if ('by' in target) complete = await this.#moveTo(this.#slot() + target.by, goesOn);
    else if (target.event === 1) complete = await this.#moveToNextEvent(goesOn);
    else complete = await this.#moveTo(this.#previousEvent(), goesOn);
    return complete ? this.#state() : null;
  }

  /** Number of steps so far: one for each byte, and one for the end of the input. */
  #slot(): number {
    return this.#position + (this.#atEnd ? 1 : 0);
  }

  async #moveTo(slot: number, goesOn: () => boolean): Promise<boolean> {
    const total = this.#bytes.length;
    const target = Math.max(0, Math.min(total + 1, slot));
    if (target < this.#slot()) {
      this.#session = this.#make();
      this.#position = 0;
      this.#atEnd = false;
    }
    const position = Math.min(target, total);
    while (this.#position < position) {
      // The last byte is fed alone, so that the trace shows the rows that it leads to and no others.
      const last = position - 1;
      const end = this.#position < last ? Math.min(last, this.#position + SLICE_BYTES) : position;
      this.#feed(end);
      if (end < last) {
        await pause();
        if (!goesOn()) return false;
      }
    }
    if (target > total) this.#finish();
    return true;
  }

  async #moveToNextEvent(goesOn: () => boolean): Promise<boolean> {
    const before = this.#counts().events;
    for (let fed = 1; this.#counts().events === before && !this.#atEnd; fed++) {
      if (this.#position < this.#bytes.length) this.#feed(this.#position + 1);
      else this.#finish();
      if (fed % SINGLE_BYTES === 0) {
        await pause();
        if (!goesOn()) return false;
      }
    }
    return true;
  }

  /** Returns the end of the last event that ends before the current position. */
  #previousEvent(): number {
    const slot = this.#slot();
    for (let i = this.#counts().events - 1; i >= 0; i--) {
      const [row] = reading<EventRow[]>(this.#session.events(i, 1));
      const end = row?.range?.[1] ?? slot;
      if (end < slot) return end;
    }
    return 0;
  }

  #feed(end: number): void {
    this.#session.feed(this.#bytes.subarray(this.#position, end));
    this.#position = end;
  }

  #finish(): void {
    if (this.#atEnd) return;
    this.#session.finish();
    this.#atEnd = true;
  }

  #counts(): Counts {
    return reading<Counts>(this.#session.counts());
  }

  #state(): Omit<StepState, 'mark'> {
    return {
      position: this.#position,
      total: this.#bytes.length,
      atEnd: this.#atEnd,
      counts: this.#counts(),
      trace: reading<Trace>(this.#session.trace()),
    };
  }
}
