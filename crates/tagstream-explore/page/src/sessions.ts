/** Helpers for the sessions of the engine. */
import type { Session } from '../generated/tagstream_explore.js';

export type { Session };

/** Reads a result of the engine, which is JSON. */
export function reading<T>(json: string): T {
  return JSON.parse(json) as T;
}

const channel = new MessageChannel();
const waiting: (() => void)[] = [];
channel.port1.onmessage = () => waiting.shift()?.();

/** Lets the worker handle the messages that have arrived. A timer would add some milliseconds to each slice. */
export function pause(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    channel.port2.postMessage(null);
  });
}
