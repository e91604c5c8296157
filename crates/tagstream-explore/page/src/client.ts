/** The page's side of the worker: requests that return promises. */
import type { Argument, Counts, Operation, Reply, Request, Result } from './protocol';
import { workerAddress } from './trusted';

/** The reason for which a request fails if the document has changed since. Callers ignore it. */
export class Stale extends Error {}

interface Waiting {
  request: Request;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

export class Client {
  generation = 0;
  onProgress: (counts: Counts) => void = () => {};
  onFatal: (message: string) => void = () => {};
  #worker: Worker;
  #waiting = new Map<number, Waiting>();
  #next = 1;

  constructor() {
    this.#worker = this.#start();
  }

  #start(): Worker {
    const worker = new Worker(workerAddress('worker.js'), { type: 'module' });
    worker.onmessage = (message: MessageEvent<Reply>) => this.#receive(message.data);
    worker.onerror = (event) => this.#restart(event.message);
    return worker;
  }

  /** Replaces the worker after a failure of the engine. The memory of a failed engine cannot be used any more. */
  #restart(message: string): void {
    this.#worker.terminate();
    for (const waiting of this.#waiting.values()) waiting.reject(new Stale(message));
    this.#waiting.clear();
    this.#worker = this.#start();
    this.onFatal(message);
  }

  #receive(reply: Reply): void {
    if ('fatal' in reply) {
      this.#restart(reply.fatal);
    } else if ('progress' in reply) {
      if (reply.generation === this.generation) this.onProgress(reply.progress);
    } else {
      const waiting = this.#waiting.get(reply.id);
      if (!waiting) return;
      this.#waiting.delete(reply.id);
      if ('stale' in reply || waiting.request.generation !== this.generation) waiting.reject(new Stale('stale'));
      else if ('error' in reply) waiting.reject(new Error(reply.error));
      else waiting.resolve(reply.result);
    }
  }

  ask<O extends Operation>(operation: O, argument: Argument<O>, transfer: Transferable[] = []): Promise<Result<O>> {
    const request: Request<O> = { id: this.#next++, generation: this.generation, operation, argument };
    return new Promise<Result<O>>((resolve, reject) => {
      this.#waiting.set(request.id, { request, resolve: resolve as (value: unknown) => void, reject });
      this.#worker.postMessage(request, transfer);
    });
  }

  /** Opens a document. Requests about the previous one become stale. */
  open(argument: Argument<'open'>): Promise<Result<'open'>> {
    this.generation += 1;
    return this.ask('open', argument);
  }
}

/** Ignores the failure of a request whose document has changed since; other failures are reported. */
export function unlessStale(error: unknown): void {
  if (!(error instanceof Stale)) throw error;
}
